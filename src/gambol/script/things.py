"""Graphic objects of a script and the transforms that commands build up, until they become parts of bodies.

A transform takes a point x to L x + t. A command acts after those before it, along fixed axes (postmult, and what the
roach of the thesis needs), or before them, in the object's own axes (premult).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from gambol.errors import GambolError
from gambol.figure import IDENTITY, Box, Cylinder, Matrix3, Part, Shape, Sphere, Triple, compose, turned

SQUARE = 1e-9  # how far from a right angle the edges of a turned and stretched box may be
EVEN = 1e-9  # how far from each other the stretches of a ball may be

ORIGIN: Triple = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Transform:
    """Where an object is put: linear L, shift t [m]; rigid: whether L is a rotation; kept exact where it is."""

    linear: Matrix3 = IDENTITY
    shift: Triple = ORIGIN
    rigid: bool = True

    def moved(self, by: Triple, before: bool = False) -> "Transform":
        """Shifted, by metres of the fixed axes or, before, of the object's own."""
        return replace(self, shift=_sum(self.shift, _image(self.linear, by) if before else by))

    def stretched(self, by: Triple, centre: Triple, before: bool = False) -> "Transform":
        """Scaled along three axes about a centre."""
        S: Matrix3 = ((by[0], 0.0, 0.0), (0.0, by[1], 0.0), (0.0, 0.0, by[2]))
        return self._changed(S, centre, before, rigid=False)

    def turned(self, R: Matrix3, centre: Triple, before: bool = False) -> "Transform":
        """Rotated about a centre."""
        return self._changed(R, centre, before, rigid=self.rigid)

    def after(self, first: "Transform") -> "Transform":
        """This transform of what another one has placed."""
        linear = _product(self.linear, first.linear, self.rigid and first.rigid)
        return Transform(linear, _sum(_image(self.linear, first.shift), self.shift), self.rigid and first.rigid)

    def _changed(self, A: Matrix3, centre: Triple, before: bool, rigid: bool) -> "Transform":
        back = _image(A, (-centre[0], -centre[1], -centre[2]))
        about = Transform(A, _sum(centre, back), rigid)
        return self.after(about) if before else about.after(self)


@dataclass(slots=True)
class Thing:
    """A graphic object. instance: what it is a copy of; heights: the file of a grid; kept: transforms pushed so far."""

    name: str
    instance: str
    heights: str = ""
    transform: Transform = field(default_factory=Transform)
    kept: list[Transform] = field(default_factory=list[Transform])

    def part(self, density: float, inertial: bool, colliding: bool) -> Part:
        """The object as a part of the body in whose frame it has been placed; GambolError for what is no solid."""
        if self.instance not in SOLIDS:
            raise GambolError(f'"{self.name}" is a copy of "{self.instance}", which is no solid; {_solids()}')
        L = self.transform.linear
        columns = [(L[0][k], L[1][k], L[2][k]) for k in range(3)]
        sizes = [math.hypot(*column) for column in columns]
        if min(sizes) <= 0.0:
            raise GambolError(f'"{self.name}" is flat: it is scaled by 0; give three lengths of more than 0')
        axes = [tuple(x / size for x in column) for column, size in zip(columns, sizes, strict=True)]
        if any(abs(_dot(axes[a], axes[b])) > SQUARE for a, b in ((0, 1), (0, 2), (1, 2))):
            raise GambolError(f'"{self.name}" is skewed by scaling after a turn; scale it before it is turned')
        if _dot(_cross(axes[0], axes[1]), axes[2]) < 0.0:
            axes[2] = tuple(-x for x in axes[2])  # a mirrored solid is the same solid
        x, y, z = axes
        R: Matrix3 = ((x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2]))
        shape = SOLIDS[self.instance](self.name, (sizes[0], sizes[1], sizes[2]))
        return Part(shape, self.transform.shift, R, density, inertial, colliding)


def _box(name: str, sizes: Triple) -> Shape:
    return Box(sizes)


def _sphere(name: str, sizes: Triple) -> Shape:
    if max(sizes) - min(sizes) > EVEN * max(sizes):
        raise GambolError(f'the ball "{name}" is scaled by {sizes}; scale it alike in all three directions')
    return Sphere(sizes[0] / 2)


def _cylinder(name: str, sizes: Triple) -> Shape:
    if abs(sizes[0] - sizes[1]) > EVEN * max(sizes):
        raise GambolError(f'the cylinder "{name}" is scaled by {sizes}; scale it alike in x and y')
    return Cylinder(sizes[0] / 2, sizes[2])


SOLIDS = {"unit_cube": _box, "unit_cubeb": _box, "unit_sphere": _sphere, "unit_cylinder": _cylinder}
"""Solids 1 m wide in every direction, centred; the thesis bevels the edges of its unit_cubeb, here they are whole."""


def _solids() -> str:
    return "solids are " + ", ".join(SOLIDS)


def _product(A: Matrix3, B: Matrix3, rigid: bool) -> Matrix3:
    if rigid:
        return compose(A, B)  # as everywhere in gambol, to the last bit
    columns = [_image(A, (B[0][k], B[1][k], B[2][k])) for k in range(3)]
    x, y, z = columns
    return ((x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2]))


def _image(A: Matrix3, v: Triple) -> Triple:
    return turned(A, v)


def _sum(a: Triple, b: Triple) -> Triple:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _cross(a: Sequence[float], b: Sequence[float]) -> Triple:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])

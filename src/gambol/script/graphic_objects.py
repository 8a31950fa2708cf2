"""Graphic objects of a script, from which parts of bodies are made, and their transforms.

A transform maps a point x to L x + t. A command is applied after the earlier ones, along fixed axes (postmult, the
default, as for the roach of the thesis), or before them, in axes of the object (premult).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from gambol.errors import GambolError
from gambol.figure import IDENTITY, Box, Cylinder, Matrix3, Part, Shape, Sphere, Triple, compose, rotated

RIGHT_ANGLE_TOLERANCE = 1e-9  # largest cosine between the edges of a rotated and scaled box
SCALE_TOLERANCE = 1e-9  # largest relative difference between the scales of a ball

ORIGIN: Triple = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Transform:
    """The transform of an object.

    linear: the matrix L. shift: the displacement t [m]. rigid: True if L is a rotation matrix.
    """

    linear: Matrix3 = IDENTITY
    shift: Triple = ORIGIN
    rigid: bool = True

    def moved(self, displacement: Triple, premultiply: bool = False) -> "Transform":
        """Return the transform with a displacement [m] added.

        premultiply: True if the displacement is in axes of the object.
        """
        return replace(self, shift=_sum(self.shift, _apply(self.linear, displacement) if premultiply else displacement))

    def scaled(self, factors: Triple, centre: Triple, premultiply: bool = False) -> "Transform":
        """Return the transform scaled along three axes about a centre [m].

        premultiply: True if axes and centre belong to the object.
        """
        S: Matrix3 = ((factors[0], 0.0, 0.0), (0.0, factors[1], 0.0), (0.0, 0.0, factors[2]))
        return self._composed(S, centre, premultiply, rigid=False)

    def turned(self, R: Matrix3, centre: Triple, premultiply: bool = False) -> "Transform":
        """Return the transform rotated by R about a centre [m].

        premultiply: True if axes and centre belong to the object.
        """
        return self._composed(R, centre, premultiply, rigid=self.rigid)

    def after(self, first: "Transform") -> "Transform":
        """Return the transform that applies first, and then this one."""
        linear = _product(self.linear, first.linear, self.rigid and first.rigid)
        return Transform(linear, _sum(_apply(self.linear, first.shift), self.shift), self.rigid and first.rigid)

    def _composed(self, A: Matrix3, centre: Triple, premultiply: bool, rigid: bool) -> "Transform":
        minus_A_centre = _apply(A, (-centre[0], -centre[1], -centre[2]))
        about_centre = Transform(A, _sum(centre, minus_A_centre), rigid)
        return self.after(about_centre) if premultiply else about_centre.after(self)


@dataclass(slots=True)
class GraphicObject:
    """A graphic object. instance: name of the solid. heights: path of the height file. pushed: saved transforms.

    color: color of the parts that are made of it; None: the colour of the view.
    """

    name: str
    instance: str
    heights: str = ""
    transform: Transform = field(default_factory=Transform)
    pushed: list[Transform] = field(default_factory=list[Transform])
    color: str | None = None

    def part(self, density: float, inertial: bool, colliding: bool) -> Part:
        """Return the object as a part of a body, with the same pose in the body's frame.

        density [kg/m3], inertial, colliding: properties of the part. Raises GambolError for an object that is not a
        solid.
        """
        if self.instance not in SOLIDS:
            raise GambolError(
                f'"{self.name}" is a copy of "{self.instance}", which is not a solid; {_list_of_solids()}'
            )
        L = self.transform.linear
        columns = [(L[0][k], L[1][k], L[2][k]) for k in range(3)]
        sizes = [math.hypot(*column) for column in columns]
        if min(sizes) <= 0.0:
            raise GambolError(f'"{self.name}" is flat: one of its scales is 0; scale it by more than 0 along all axes')
        axes = [tuple(x / size for x in column) for column, size in zip(columns, sizes, strict=True)]
        if any(abs(_dot(axes[a], axes[b])) > RIGHT_ANGLE_TOLERANCE for a, b in ((0, 1), (0, 2), (1, 2))):
            raise GambolError(
                f'"{self.name}" is skewed, because it was scaled after a rotation; scale it before it is rotated'
            )
        if _dot(_cross(axes[0], axes[1]), axes[2]) < 0.0:
            axes[2] = tuple(-x for x in axes[2])  # a mirrored solid is the same solid
        x, y, z = axes
        R: Matrix3 = ((x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2]))
        shape = SOLIDS[self.instance](self.name, (sizes[0], sizes[1], sizes[2]))
        return Part(shape, self.transform.shift, R, density, inertial, colliding, color=self.color)


def _box(name: str, sizes: Triple) -> Shape:
    return Box(sizes)


def _sphere(name: str, sizes: Triple) -> Shape:
    if max(sizes) - min(sizes) > SCALE_TOLERANCE * max(sizes):
        raise GambolError(f'the ball "{name}" is scaled by {sizes}; scale it alike in all three directions')
    return Sphere(sizes[0] / 2)


def _cylinder(name: str, sizes: Triple) -> Shape:
    if abs(sizes[0] - sizes[1]) > SCALE_TOLERANCE * max(sizes):
        raise GambolError(f'the cylinder "{name}" is scaled by {sizes}; scale it alike in x and y')
    return Cylinder(sizes[0] / 2, sizes[2])


SOLIDS = {"unit_cube": _box, "unit_cubeb": _box, "unit_sphere": _sphere, "unit_cylinder": _cylinder}
"""Solids 1 m wide in every direction, centred at the origin. In the thesis the edges of unit_cubeb are bevelled."""


def _list_of_solids() -> str:
    return "solids are " + ", ".join(SOLIDS)


def _product(A: Matrix3, B: Matrix3, rigid: bool) -> Matrix3:
    if rigid:
        return compose(A, B)  # with the same rounding as elsewhere in gambol
    columns = [_apply(A, (B[0][k], B[1][k], B[2][k])) for k in range(3)]
    x, y, z = columns
    return ((x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2]))


def _apply(A: Matrix3, v: Triple) -> Triple:
    return rotated(A, v)


def _sum(a: Triple, b: Triple) -> Triple:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _cross(a: Sequence[float], b: Sequence[float]) -> Triple:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])

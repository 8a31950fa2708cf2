"""Drag of a medium that fills the world: every link meets it as the solid box that has its mass and its inertia.

    f_i = -3 pi beta d v_i - rho b_j b_k |v_i| v_i / 2                 d = (b_x + b_y + b_z) / 3
    n_i = -pi beta d^3 w_i - rho b_i (b_j^4 + b_k^4) |w_i| w_i / 64

along the box's axes, at its centre: b its sides, rho the medium's density, beta its viscosity. There is no lift, no
added mass and no buoyancy. Source: MuJoCo's documentation, chapter "Computation", "Inertia model" of fluid forces.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gambol.errors import WorldError
from gambol.figure import MassProperties
from gambol.lanes import Scalar, maximum, minimum, sqrt, total, where
from gambol.spatial import Force, Motion, Rotation, Vector
from gambol.spatial.matrix import Symmetric
from gambol.spatial.principal import principal_axes
from gambol.spatial.rotation import IDENTITY, snapped

ALIKE = 1e-5
"""Principal moments that differ by less, as a share of the largest, count as equal: a hundred roundings of float32."""


@dataclass(frozen=True, slots=True)
class Medium:
    """The medium that fills a world: density [kg/m3] and viscosity [Pa s]. Water has 1000 and 0.001.

    Raises WorldError for a number below 0 or not finite.
    """

    density: float = 0.0
    viscosity: float = 0.0

    def __post_init__(self) -> None:
        for name, x in self.numbers().items():
            if not 0.0 <= x < math.inf:
                raise WorldError(f"the medium has a {name} of {x:g}; it must be 0 or more, and finite")

    def numbers(self) -> dict[str, float]:
        """Return both, as inputs of a program."""
        return {"density": self.density, "viscosity": self.viscosity}


@dataclass(frozen=True, slots=True)
class DragBox:
    """The box that represents a link in a medium: sides [m], centre in the link's frame [m], and axes, from its own to
    the link's; mass [kg] and moments about its axes [kg m2].
    """

    sides: Vector
    centre: Vector
    axes: Rotation
    mass: Scalar
    moments: Vector

    @staticmethod
    def of(body: MassProperties) -> "DragBox":
        """Return the box with the mass and the inertia of a body; without mass it has no size."""
        axes, moments = _box_axes(Symmetric.of(body.inertia))
        x, y, z = moments
        scale = 6.0 / where(body.mass > 0.0, body.mass, 1.0)
        sides = Vector.of([sqrt(maximum(scale * pair, 0.0)) for pair in (y + z - x, z + x - y, x + y - z)])
        return DragBox(sides, Vector(*body.com), axes, body.mass, moments)

    def drag(self, medium: Mapping[str, Scalar], velocity: Motion, h: Scalar | None = None) -> Force:
        """Return the force on a link that moves with a velocity, both in link coordinates.

        medium: as numbers() of Medium. velocity: of the link. h: length of a step with constant force [s]: along each
        axis it takes at most the motion of the link alone, however long the step; None for integrated motion.
        """
        turned = self.axes.transpose
        v = turned @ velocity.v.plus_cross(velocity.w, self.centre)
        w = turned @ velocity.w
        f, n = list[Scalar](), list[Scalar]()
        for i in range(3):
            along, about = self._resistances(medium, i, abs(v[i]), abs(w[i]))
            if h is not None:
                along, about = minimum(along, self.mass / h), minimum(about, self.moments[i] / h)
            f.append(-(along * v[i]))
            n.append(-(about * w[i]))
        force = self.axes @ Vector.of(f)
        return Force((self.axes @ Vector.of(n)).plus_cross(self.centre, force), force)

    def _resistances(self, medium: Mapping[str, Scalar], i: int, v: Scalar, w: Scalar) -> tuple[Scalar, Scalar]:
        """Return force over speed [N s/m] along axis i at a speed v, and torque over speed [N m s] about it at w."""
        b, c = self.sides[(i + 1) % 3], self.sides[(i + 2) % 3]
        d, rho, beta = total(self.sides) / 3.0, medium["density"], medium["viscosity"]
        along = 3.0 * math.pi * d * beta + 0.5 * b * c * (rho * v)
        about = math.pi * d**3 * beta + self.sides[i] * ((b * b) ** 2 + (c * c) ** 2) / 64.0 * (rho * w)
        return along, about


def _box_axes(inertia: Symmetric) -> tuple[Rotation, Vector]:
    """Return the axes of the box of an inertia [kg m2], as columns, and the moments about them.

    Where two moments are equal, the frame is rotated by the least angle that brings its z to the third axis, as MuJoCo
    places a capsule between two points; where all are, it is the body's own.
    """
    axes, moments = principal_axes(inertia)
    if axes.is_identity():
        return axes, moments
    x, y, z = moments
    most = ALIKE * maximum(x, maximum(y, z))
    apart = [abs(a - b) > most for a, b in ((y, z), (z, x), (x, y))]
    chosen: list[Sequence[Scalar]] = [list(column) for column in axes.columns]
    for odd, axis in enumerate(axes.columns):
        columns = _least_turn(axis, odd)
        chosen = [_either(apart[odd], old, new) for old, new in zip(chosen, columns, strict=True)]
    every = (apart[0] | apart[1]) | apart[2]
    chosen = [_either(every, old, own) for old, own in zip(chosen, IDENTITY.columns, strict=True)]
    rows = [[_snapped(x) for x in row] for row in zip(*chosen, strict=True)]
    return Rotation.of(rows), moments


def _least_turn(n: Vector, place: int) -> list[Vector]:
    """Return the columns of the rotation by the least angle that brings z to a unit vector or its opposite.

    That vector is the column of index place, and the others follow it cyclically.
    """
    x, y, z = n * where(n.z < 0.0, -1.0, 1.0)
    k = 1.0 / (1.0 + z)
    columns = [Vector(x, y, z), Vector(1.0 - k * x * x, -k * x * y, -x), Vector(-k * x * y, 1.0 - k * y * y, -y)]
    return [columns[(i - place) % 3] for i in range(3)]


def _either(condition: Scalar, yes: Iterable[Scalar], no: Iterable[Scalar]) -> list[Scalar]:
    return [where(condition, a, b) for a, b in zip(yes, no, strict=True)]


def _snapped(x: Scalar) -> Scalar:
    return snapped(x) if isinstance(x, float) else x

"""Drag and buoyancy of a medium. They act on each link as on the solid box with the link's mass and inertia.

    f_i = -3 pi beta d v_i - rho b_j b_k |v_i| v_i / 2                 d = (b_x + b_y + b_z) / 3
    n_i = -pi beta d^3 w_i - rho b_i (b_j^4 + b_k^4) |w_i| w_i / 64

along the axes i, j, k of the box, at its centre. v, w: velocity of the centre, and angular velocity, relative to the
medium, which rests. b: sides of the box; rho: density of the medium; beta: its viscosity. There is
no lift and no added mass. Source: MuJoCo's documentation, chapter "Computation", "Inertia model" of fluid forces.

Buoyancy, which MuJoCo lacks, is -rho V g at the centre of the box of volume V. If the medium has a surface, the box
consists of eight equal ones. One of volume v, whose centre is at depth d below the surface, has the potential energy

    U = rho v |g| G(d, e)      G = 0 below d = -e, d above d = e, and else (d + e)^2 / (4 e)
    e^2 = sum over the axes i of (b_i u_i)^2 / 16      u: unit vector upwards, in the axes of the box

Its force is rho v |g| F u at its centre with F = dG/dd, from 0 to 1, and its torque is
-rho v |g| F (1 - F) / (4 e) B u x u with B = diag(b_i^2) / 4. So buoyancy is conservative, and a box that floats level
has the exact depth. The mean of F of the eight boxes is the fraction of the drag that acts.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from gambol.errors import WorldError
from gambol.figure import MassProperties
from gambol.lanes import Scalar, clamp, maximum, minimum, sqrt, total, where
from gambol.spatial import Force, Motion, Rotation, Vector
from gambol.spatial.matrix import Symmetric
from gambol.spatial.principal import principal_axes
from gambol.spatial.rotation import IDENTITY, snapped

EQUAL_MOMENTS_TOLERANCE = 1e-5
"""Principal moments count as equal if their difference is below this fraction of the largest: 100 times the rounding
error of float32."""


MIN_EXTENT = 1e-9
"""Smallest extent of a box in the direction of the surface [m], so that links without extent divide by no zero."""


@dataclass(frozen=True, slots=True)
class Medium:
    """The medium of a world: density [kg/m3] and viscosity [Pa s]. Water has 1000 and 0.001.

    buoyancy: factor of the buoyancy, 1 for all of it; None: none. surface: height of its surface above the origin,
    along the direction opposite to gravity [m]; None: it fills the world. Raises WorldError for a number that is not
    finite, or below 0, except for the surface.
    """

    density: float = 0.0
    viscosity: float = 0.0
    buoyancy: float | None = None
    surface: float | None = None

    def __post_init__(self) -> None:
        for name, x in self.numbers().items():
            if not ((x >= 0.0 or name == "surface") and math.isfinite(x)):
                raise WorldError(f"the medium has a {name} of {x:g}; it must be 0 or more, and finite")

    def numbers(self) -> dict[str, float]:
        """Return density, viscosity, and buoyancy and surface if there are any, as inputs of a program."""
        more = {"buoyancy": self.buoyancy, "surface": self.surface}
        given = {name: x for name, x in more.items() if x is not None}
        return {"density": self.density, "viscosity": self.viscosity, **given}

    def structure(self) -> bool | tuple[str, ...]:
        """Return what a program of this medium contains: True for drag alone, otherwise the names of its inputs."""
        names = tuple(self.numbers())
        return names if self.buoyancy is not None or self.surface is not None else True


@dataclass(frozen=True, slots=True)
class Immersion:
    """The part of a box that is in the medium. fraction: from 0 to 1; lift: force and moment of it for rho |g| = 1.

    lift: about the origin of the link, in link coordinates [m3, m4].
    """

    fraction: Scalar
    lift: Force


@dataclass(frozen=True, slots=True)
class DragBox:
    """The box that represents a link in a medium.

    sides [m]; centre: in the link's frame [m]; axes: rotation from box to link coordinates; mass [kg]; moments: moments
    of inertia about the axes of the box [kg m2].
    """

    sides: Vector
    centre: Vector
    axes: Rotation
    mass: Scalar
    moments: Vector

    @staticmethod
    def of(body: MassProperties) -> "DragBox":
        """Return the box with the mass and the inertia of a body. A body without mass has a box of size 0."""
        axes, moments = _box_axes(Symmetric.of(body.inertia))
        x, y, z = moments
        scale = 6.0 / where(body.mass > 0.0, body.mass, 1.0)
        sides = Vector.of([sqrt(maximum(scale * pair, 0.0)) for pair in (y + z - x, z + x - y, x + y - z)])
        return DragBox(sides, Vector(*body.com), axes, body.mass, moments)

    def drag(self, medium: Mapping[str, Scalar], velocity: Motion, h: Scalar | None = None) -> Force:
        """Return the drag force on a link, in link coordinates.

        medium: numbers() of a Medium. velocity: velocity of the link, in link coordinates. h: length of a step with
        constant force [s]: along each axis, the force is limited to the force that stops the link within the step.
        None: no limit.
        """
        to_box = self.axes.transpose
        v = to_box @ velocity.v.plus_cross(velocity.w, self.centre)
        w = to_box @ velocity.w
        f, n = list[Scalar](), list[Scalar]()
        for i in range(3):
            linear, angular = self._resistances(medium, i, abs(v[i]), abs(w[i]))
            if h is not None:
                linear, angular = minimum(linear, self.mass / h), minimum(angular, self.moments[i] / h)
            f.append(-(linear * v[i]))
            n.append(-(angular * w[i]))
        force = self.axes @ Vector.of(f)
        return Force((self.axes @ Vector.of(n)).plus_cross(self.centre, force), force)

    def immersion(self, up: Vector, depth: Scalar | None = None) -> Immersion:
        """Return the part of the box that is in the medium.

        up: unit vector upwards, in link coordinates. depth: depth of the link's origin below the surface [m]; None: the
        medium has no surface.
        """
        volume = self.sides.x * self.sides.y * self.sides.z
        if depth is None:
            lift = up * volume
            return Immersion(1.0, Force(self.centre.cross(lift), lift))
        u = self.axes.transpose @ up
        squares = [b * b * 0.25 for b in self.sides]
        leaning = Vector.of([b * x for b, x in zip(squares, u, strict=True)])
        extent = sqrt(maximum(0.25 * leaning.dot(u), MIN_EXTENT**2))
        centre_depth = depth - up.dot(self.centre)
        fraction, moment, torque = 0.0, Vector(0.0, 0.0, 0.0), 0.0
        for signs in product((-0.25, 0.25), repeat=3):
            offset = Vector.of([s * b for s, b in zip(signs, self.sides, strict=True)])
            F = clamp(0.5 + 0.5 * (centre_depth - u.dot(offset)) / extent, 0.0, 1.0)
            fraction, moment = fraction + 0.125 * F, moment + offset * (0.125 * F)
            torque = torque + 0.125 * F * (1.0 - F)
        turning = moment.cross(u) - leaning.cross(u) * (torque / (4.0 * extent))
        lift = up * (volume * fraction)
        return Immersion(fraction, Force((self.axes @ (turning * volume)).plus_cross(self.centre, lift), lift))

    def _resistances(self, medium: Mapping[str, Scalar], i: int, v: Scalar, w: Scalar) -> tuple[Scalar, Scalar]:
        """Return force / speed [N s/m] along axis i at speed v, and torque / angular speed [N m s] about it at w."""
        b, c = self.sides[(i + 1) % 3], self.sides[(i + 2) % 3]
        d, rho, beta = total(self.sides) / 3.0, medium["density"], medium["viscosity"]
        linear = 3.0 * math.pi * d * beta + 0.5 * b * c * (rho * v)
        angular = math.pi * d**3 * beta + self.sides[i] * ((b * b) ** 2 + (c * c) ** 2) / 64.0 * (rho * w)
        return linear, angular


def _box_axes(inertia: Symmetric) -> tuple[Rotation, Vector]:
    """Return the axes of the box of an inertia [kg m2], as a rotation matrix, and the moments about them.

    If two moments are equal, the smallest rotation that takes z to the third axis is chosen, as MuJoCo orients a
    capsule between two points. If all three are equal, the axes of the body frame are used.
    """
    axes, moments = principal_axes(inertia)
    if axes.is_identity():
        return axes, moments
    x, y, z = moments
    tolerance = EQUAL_MOMENTS_TOLERANCE * maximum(x, maximum(y, z))
    # for each axis: True if the moments about the other two axes differ
    distinct = [abs(a - b) > tolerance for a, b in ((y, z), (z, x), (x, y))]
    chosen: list[Sequence[Scalar]] = [list(column) for column in axes.columns]
    for index, axis in enumerate(axes.columns):
        columns = _smallest_rotation(axis, index)
        chosen = [_select(distinct[index], old, new) for old, new in zip(chosen, columns, strict=True)]
    any_distinct = (distinct[0] | distinct[1]) | distinct[2]
    chosen = [
        _select(any_distinct, old, identity_column)
        for old, identity_column in zip(chosen, IDENTITY.columns, strict=True)
    ]
    rows = [[_snapped(x) for x in row] for row in zip(*chosen, strict=True)]
    return Rotation.of(rows), moments


def _smallest_rotation(n: Vector, index: int) -> list[Vector]:
    """Return three perpendicular axes; the axis with the given index is along a unit vector n or opposite to it.

    The next two axes, cyclically, are x and y after the smallest rotation that takes z to the axis along n.
    """
    x, y, z = n * where(n.z < 0.0, -1.0, 1.0)
    k = 1.0 / (1.0 + z)
    columns = [Vector(x, y, z), Vector(1.0 - k * x * x, -k * x * y, -x), Vector(-k * x * y, 1.0 - k * y * y, -y)]
    return [columns[(i - index) % 3] for i in range(3)]


def _select(condition: Scalar, yes: Iterable[Scalar], no: Iterable[Scalar]) -> list[Scalar]:
    return [where(condition, a, b) for a, b in zip(yes, no, strict=True)]


def _snapped(x: Scalar) -> Scalar:
    """Return x; a plain number within rounding of -1, 0 or 1 becomes exactly that."""
    return snapped(x) if isinstance(x, float) else x

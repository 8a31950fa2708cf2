"""Shapes of a figure's parts, with exact mass properties and the points at which each naturally touches the ground.

Every shape is centred on its own frame and has z for its axis: the origin of box, sphere, capsule and cylinder is
their centre of mass; the origin of a frustum is the middle of its axis, from which its centre of mass lies off towards
the wider end.
"""

import itertools
import math
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from typing import ClassVar, NamedTuple, TypeAlias

from gambol.errors import FigureError
from gambol.figure.joint.given import Matrix3, Triple
from gambol.figure.mass import MassProperties
from gambol.figure.rotation import rotation_about

RIM_POINTS = 8  # the polygon strays from the rim by 1 - cos(pi / 8) = 8 % of the radius; four points lie on the axes


class ContactPoint(NamedTuple):
    """A point of a shape that may touch: a ball of this radius [m] (0: a bare point) at this place in the shape [m]."""

    position: Triple
    radius: float


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangular solid; size: its three edge lengths [m]."""

    kind: ClassVar[str] = "box"
    size: Triple

    def __post_init__(self) -> None:
        _require_positive(self, zip("xyz", self.size, strict=True))

    @property
    def sizes(self) -> tuple[float, ...]:
        """The numbers that make the shape, in the order of its fields [m]."""
        return self.size

    @property
    def volume(self) -> float:
        """Volume [m3]."""
        x, y, z = self.size
        return x * y * z

    def mass_properties(self, density: float) -> MassProperties:
        """Mass properties of the solid of this density [kg/m3], in the shape's frame."""
        x, y, z = self.size
        m = density * self.volume
        xx, yy, zz = m / 12 * x * x, m / 12 * y * y, m / 12 * z * z
        return MassProperties(m, inertia=_diagonal(yy + zz, xx + zz, xx + yy))

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """The eight corners."""
        x, y, z = (edge / 2 for edge in self.size)
        return tuple(ContactPoint(corner, 0.0) for corner in itertools.product((-x, x), (-y, y), (-z, z)))


@dataclass(frozen=True, slots=True)
class Sphere:
    """A ball; radius [m]."""

    kind: ClassVar[str] = "sphere"
    radius: float

    def __post_init__(self) -> None:
        _require_positive(self, [("radius", self.radius)])

    @property
    def sizes(self) -> tuple[float, ...]:
        """The radius [m]."""
        return (self.radius,)

    @property
    def volume(self) -> float:
        """Volume of the ball [m3]."""
        return 4 / 3 * math.pi * self.radius**3

    def mass_properties(self, density: float) -> MassProperties:
        """Mass properties of the ball of this density [kg/m3], in the shape's frame."""
        m = density * self.volume
        I = 2 / 5 * m * self.radius**2
        return MassProperties(m, inertia=_diagonal(I, I, I))

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """The centre, with the ball's radius: exact against any plane."""
        return (ContactPoint((0.0, 0.0, 0.0), self.radius),)


@dataclass(frozen=True, slots=True)
class Capsule:
    """A cylinder with half a ball on each end; radius [m]; length: between the balls' centres, along z [m]."""

    kind: ClassVar[str] = "capsule"
    radius: float
    length: float

    def __post_init__(self) -> None:
        _require_positive(self, [("radius", self.radius), ("length", self.length)])

    @property
    def sizes(self) -> tuple[float, ...]:
        """Radius and length [m]."""
        return astuple(self)

    @property
    def volume(self) -> float:
        """Volume of cylinder and half balls together [m3]."""
        return math.pi * self.radius**2 * (self.length + 4 / 3 * self.radius)

    def mass_properties(self, density: float) -> MassProperties:
        """Mass properties of the capsule of this density [kg/m3], in the shape's frame."""
        r, l = self.radius, self.length
        cylinder, balls = density * math.pi * r * r * l, density * 4 / 3 * math.pi * r**3
        axial = cylinder * r * r / 2 + balls * 2 / 5 * r * r
        # A half ball's centre of mass lies 3 r / 8 from its flat face, which gives the mixed term.
        across = cylinder * (3 * r * r + l * l) / 12 + balls * (2 / 5 * r * r + l * l / 4 + 3 / 8 * l * r)
        return MassProperties(density * self.volume, inertia=_diagonal(across, across, axial))

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """The centres of the two end balls, with their radius: exact against any plane."""
        z = self.length / 2
        return (ContactPoint((0.0, 0.0, -z), self.radius), ContactPoint((0.0, 0.0, z), self.radius))


@dataclass(frozen=True, slots=True)
class Cylinder:
    """A circular cylinder along z; radius [m]; length [m]."""

    kind: ClassVar[str] = "cylinder"
    radius: float
    length: float

    def __post_init__(self) -> None:
        _require_positive(self, [("radius", self.radius), ("length", self.length)])

    @property
    def sizes(self) -> tuple[float, ...]:
        """Radius and length of the cylinder [m]."""
        return astuple(self)

    @property
    def volume(self) -> float:
        """Volume of the cylinder [m3]."""
        return math.pi * self.radius**2 * self.length

    def mass_properties(self, density: float) -> MassProperties:
        """Mass properties of the cylinder of this density [kg/m3], in the shape's frame."""
        r, l = self.radius, self.length
        m = density * self.volume
        across = m * (3 * r * r + l * l) / 12
        return MassProperties(m, inertia=_diagonal(across, across, m * r * r / 2))

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """Eight points on each rim: standing it rests on eight, lying on a line between two."""
        return _rim(self.radius, -self.length / 2) + _rim(self.radius, self.length / 2)


@dataclass(frozen=True, slots=True)
class Frustum:
    """A cone cut off across its axis: a limb that tapers.

    base_radius: at the -z end [m]; top_radius: at the +z end [m]; one of them may be 0, which makes a cone;
    length: between the ends, along z [m]. The origin is the middle of the axis, not the centre of mass.
    """

    kind: ClassVar[str] = "frustum"
    base_radius: float
    top_radius: float
    length: float

    def __post_init__(self) -> None:
        wider, narrower = max(self.base_radius, self.top_radius), min(self.base_radius, self.top_radius)
        _require_positive(self, [("wider radius", wider), ("length", self.length)])
        if not narrower >= 0.0:
            raise FigureError(f"a frustum has an end of radius {narrower:g} m; give 0 (a cone's tip) or more")

    @property
    def sizes(self) -> tuple[float, ...]:
        """Radius at the -z end, radius at the +z end, length [m]."""
        return astuple(self)

    @property
    def volume(self) -> float:
        """Volume of the frustum [m3]."""
        a, b = self.base_radius, self.top_radius
        return math.pi * self.length / 3 * (a * a + a * b + b * b)

    def mass_properties(self, density: float) -> MassProperties:
        """Mass properties of the frustum of this density [kg/m3], in the shape's frame.

        Discs of radius r(z) = (a + b)/2 + (b - a) z/l, summed along the axis: m = rho pi int r^2 dz,
        I_zz = rho pi/2 int r^4 dz, I_xx = I_zz/2 + rho pi int r^2 z^2 dz - m c^2.
        """
        a, b, l = self.base_radius, self.top_radius, self.length
        m = density * self.volume
        c = l / 4 * (b * b - a * a) / (a * a + a * b + b * b)
        axial = density * math.pi * l / 10 * (a**4 + a**3 * b + a * a * b * b + a * b**3 + b**4)
        spread = density * math.pi * l**3 * ((a + b) ** 2 / 48 + (b - a) ** 2 / 80)
        across = axial / 2 + spread - m * c * c
        return MassProperties(m, (0.0, 0.0, c), _diagonal(across, across, axial))

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """Eight points on each rim; a cone's tip is one point."""
        return _rim(self.base_radius, -self.length / 2) + _rim(self.top_radius, self.length / 2)


Shape: TypeAlias = Box | Sphere | Capsule | Cylinder | Frustum

SHAPES: dict[str, type[Shape]] = {shape.kind: shape for shape in (Box, Sphere, Capsule, Cylinder, Frustum)}


def _diagonal(xx: float, yy: float, zz: float) -> Matrix3:
    return ((xx, 0.0, 0.0), (0.0, yy, 0.0), (0.0, 0.0, zz))


def _rim(radius: float, z: float) -> tuple[ContactPoint, ...]:
    """Points on a circle about the z axis, the first on the x axis."""
    if radius == 0.0:
        return (ContactPoint((0.0, 0.0, z), 0.0),)
    turns = (rotation_about("z", 2 * math.pi * k / RIM_POINTS) for k in range(RIM_POINTS))
    return tuple(ContactPoint((radius * R[0][0], radius * R[1][0], z), 0.0) for R in turns)


def _require_positive(shape: "Shape", sizes: Iterable[tuple[str, float]]) -> None:
    for name, value in sizes:
        if not 0.0 < value < math.inf:
            raise FigureError(f"a {shape.kind} has {name} = {value:g} m; every size must be positive and finite")

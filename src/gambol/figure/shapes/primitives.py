"""The primitive shapes: box, sphere, ellipsoid, capsule, cylinder, and frustum or cone."""

import itertools
import math
from dataclasses import dataclass
from typing import ClassVar

from gambol.errors import FigureError
from gambol.figure.joint.joint import Triple
from gambol.figure.mass import MassProperties
from gambol.figure.shapes.contact_points import DIRECTIONS, ContactPoint, rim
from gambol.figure.shapes.sizes import check_positive, diagonal
from gambol.lanes import Scalar, maximum
from gambol.spatial.rotation import is_constant


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangular solid; size: its three edge lengths [m]."""

    kind: ClassVar[str] = "box"
    size: Triple

    def __post_init__(self) -> None:
        check_positive(self.kind, zip("xyz", self.size, strict=True))

    @property
    def sizes(self) -> tuple[float, ...]:
        """The sizes of the shape in the order of its fields [m]."""
        return self.size

    @property
    def volume(self) -> float:
        """Volume [m3]."""
        x, y, z = self.size
        return x * y * z

    def mass_properties(self, density: float) -> MassProperties:
        """Return the mass properties of the solid of this density [kg/m3], in the shape's frame."""
        x, y, z = self.size
        m = density * self.volume
        xx, yy, zz = m / 12 * x * x, m / 12 * y * y, m / 12 * z * z
        return MassProperties(m, inertia=diagonal(yy + zz, xx + zz, xx + yy))

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """Return the eight corners."""
        x, y, z = (edge / 2 for edge in self.size)
        return tuple(ContactPoint(corner, 0.0) for corner in itertools.product((-x, x), (-y, y), (-z, z)))


@dataclass(frozen=True, slots=True)
class Sphere:
    """A ball; radius [m]."""

    kind: ClassVar[str] = "sphere"
    radius: float

    def __post_init__(self) -> None:
        check_positive(self.kind, [("radius", self.radius)])

    @property
    def sizes(self) -> tuple[float, ...]:
        """The radius [m]."""
        return (self.radius,)

    @property
    def volume(self) -> float:
        """Volume of the ball [m3]."""
        return 4 / 3 * math.pi * self.radius**3

    def mass_properties(self, density: float) -> MassProperties:
        """Return the mass properties of the ball of this density [kg/m3], in the shape's frame."""
        m = density * self.volume
        I = 2 / 5 * m * self.radius**2
        return MassProperties(m, inertia=diagonal(I, I, I))

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """Return the centre, with the ball's radius: exact against any plane."""
        return (ContactPoint((0.0, 0.0, 0.0), self.radius),)


@dataclass(frozen=True, slots=True)
class Ellipsoid:
    """An ellipsoid; radii: half its lengths along x, y and z [m]."""

    kind: ClassVar[str] = "ellipsoid"
    radii: Triple

    def __post_init__(self) -> None:
        check_positive(self.kind, zip("xyz", self.radii, strict=True))

    @property
    def sizes(self) -> tuple[float, ...]:
        """The three radii [m]."""
        return self.radii

    @property
    def volume(self) -> float:
        """Volume of the ellipsoid [m3]."""
        return 4 / 3 * math.pi * math.prod(self.radii)

    def mass_properties(self, density: float) -> MassProperties:
        """Return the mass properties of the ellipsoid of this density [kg/m3], in the shape's frame."""
        m = density * self.volume
        xx, yy, zz = (m / 5 * radius * radius for radius in self.radii)
        return MassProperties(m, inertia=diagonal(yy + zz, xx + zz, xx + yy))

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """Return 26 points of the surface, for bounds and drawings: points of the unit ball in DIRECTIONS, scaled.

        Their extent in a direction is up to 12 % less than the extent of the ellipsoid. Contact is at its support
        point, see rolling_gaps().
        """
        return tuple(ContactPoint(self._surface_point(direction), 0.0) for direction in DIRECTIONS)

    def _surface_point(self, direction: Triple) -> Triple:
        """Return the scaled point of the unit ball in a direction."""
        x, y, z = (radius * n / math.hypot(*direction) for radius, n in zip(self.radii, direction, strict=True))
        return (x, y, z)


@dataclass(frozen=True, slots=True)
class Capsule:
    """A cylinder with a half ball at each end; radius [m]; length: length of the cylinder, along z [m]."""

    kind: ClassVar[str] = "capsule"
    radius: float
    length: float

    def __post_init__(self) -> None:
        check_positive(self.kind, [("radius", self.radius), ("length", self.length)])

    @property
    def sizes(self) -> tuple[float, ...]:
        """Radius and length [m]."""
        return (self.radius, self.length)

    @property
    def volume(self) -> float:
        """Volume of the cylinder and the half balls [m3]."""
        return math.pi * self.radius**2 * (self.length + 4 / 3 * self.radius)

    def mass_properties(self, density: float) -> MassProperties:
        """Return the mass properties of the capsule of this density [kg/m3], in the shape's frame."""
        r, l = self.radius, self.length
        cylinder, balls = density * math.pi * r * r * l, density * 4 / 3 * math.pi * r**3
        axial = cylinder * r * r / 2 + balls * 2 / 5 * r * r
        # The centre of mass of a half ball is 3 r / 8 from its flat face, hence the term with l * r.
        across = cylinder * (3 * r * r + l * l) / 12 + balls * (2 / 5 * r * r + l * l / 4 + 3 / 8 * l * r)
        return MassProperties(density * self.volume, inertia=diagonal(across, across, axial))

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """Return the centres of the two end balls, with their radius: exact against any plane."""
        z = self.length / 2
        return (ContactPoint((0.0, 0.0, -z), self.radius), ContactPoint((0.0, 0.0, z), self.radius))


@dataclass(frozen=True, slots=True)
class Cylinder:
    """A circular cylinder along z; radius [m]; length [m]: 0 for a disc, which has no volume and no mass."""

    kind: ClassVar[str] = "cylinder"
    radius: float
    length: float

    def __post_init__(self) -> None:
        check_positive(self.kind, [("radius", self.radius)])
        if not is_constant(self.length, 0.0):
            check_positive(self.kind, [("length", self.length)])

    @property
    def sizes(self) -> tuple[float, ...]:
        """Radius and length of the cylinder [m]."""
        return (self.radius, self.length)

    @property
    def volume(self) -> float:
        """Volume of the cylinder [m3]."""
        return math.pi * self.radius**2 * self.length

    def mass_properties(self, density: float) -> MassProperties:
        """Return the mass properties of the cylinder of this density [kg/m3], in the shape's frame."""
        r, l = self.radius, self.length
        m = density * self.volume
        across = m * (3 * r * r + l * l) / 12
        return MassProperties(m, inertia=diagonal(across, across, m * r * r / 2))

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """Return eight points on each rim, for bounds and drawings; for contact see rolling_gaps()."""
        if is_constant(self.length, 0.0):
            return rim(self.radius, 0.0)
        return rim(self.radius, -self.length / 2) + rim(self.radius, self.length / 2)


@dataclass(frozen=True, slots=True)
class Frustum:
    """A truncated cone: a limb that tapers.

    base_radius: radius at the -z end [m]. top_radius: radius at the +z end [m]. One radius may be 0, for a cone.
    length: distance of the ends, along z [m]. The origin is the middle of the axis, not the centre of mass.
    """

    kind: ClassVar[str] = "frustum"
    base_radius: float
    top_radius: float
    length: float

    def __post_init__(self) -> None:
        ends: tuple[Scalar, Scalar] = (self.base_radius, self.top_radius)
        for end in ends:
            if isinstance(end, (int, float)) and not end >= 0.0:
                raise FigureError(f"a frustum has an end of radius {end:g} m; give 0 (a cone's tip) or more")
        check_positive(self.kind, [("wider radius", maximum(*ends)), ("length", self.length)])

    @property
    def sizes(self) -> tuple[float, ...]:
        """Radius at the -z end, radius at the +z end, length [m]."""
        return (self.base_radius, self.top_radius, self.length)

    @property
    def volume(self) -> float:
        """Volume of the frustum [m3]."""
        a, b = self.base_radius, self.top_radius
        return math.pi * self.length / 3 * (a * a + a * b + b * b)

    def mass_properties(self, density: float) -> MassProperties:
        """Return the mass properties of the frustum of this density [kg/m3], in the shape's frame.

        Integrals over discs of radius r(z) = (a + b)/2 + (b - a) z/l along the axis: m = rho pi int r^2 dz,
        I_zz = rho pi/2 int r^4 dz, I_xx = I_zz/2 + rho pi int r^2 z^2 dz - m c^2.
        """
        a, b, l = self.base_radius, self.top_radius, self.length
        m = density * self.volume
        c = l / 4 * (b * b - a * a) / (a * a + a * b + b * b)
        axial = density * math.pi * l / 10 * ((a * a + a * b + b * b) * (a * a + b * b) - a * a * b * b)
        spread = density * math.pi * l * l * l * ((a + b) * (a + b) / 48 + (b - a) * (b - a) / 80)
        across = axial / 2 + spread - m * c * c
        return MassProperties(m, (0.0, 0.0, c), diagonal(across, across, axial))

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """Return eight points on each rim, or one at a cone's tip, for bounds and drawings; see Cylinder."""
        return rim(self.base_radius, -self.length / 2) + rim(self.top_radius, self.length / 2)

"""Shapes without edges: sphere, ellipsoid and capsule."""

import math
from dataclasses import dataclass
from typing import ClassVar

from gambol.figure.joint.joint import Triple
from gambol.figure.mass import MassProperties
from gambol.figure.shapes.contact_points import DIRECTIONS, ContactPoint
from gambol.figure.shapes.sizes import check_positive, diagonal


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

"""Solids of revolution about z with flat ends: cylinder, and frustum or cone."""

import math
from dataclasses import dataclass
from typing import ClassVar

from gambol.errors import FigureError
from gambol.figure.mass import MassProperties
from gambol.figure.shapes.contact_points import ContactPoint, rim
from gambol.figure.shapes.sizes import check_positive, diagonal
from gambol.lanes import Scalar, maximum
from gambol.spatial.rotation import is_constant


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

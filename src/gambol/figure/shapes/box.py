"""The box."""

import itertools
from dataclasses import dataclass
from typing import ClassVar

from gambol.figure.joint.joint import Triple
from gambol.figure.mass import MassProperties
from gambol.figure.shapes.contact_points import ContactPoint
from gambol.figure.shapes.sizes import check_positive, diagonal


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

"""What is found between two bodies: where they are nearest or deepest, and how far apart."""

from dataclasses import dataclass
from typing import Any

from gambol.lanes import Scalar, leaves, rebuilt, where
from gambol.spatial import Vector

FAR = 1e3  # metres: further than any contact reaches, and still exact to 0.1 mm in float32
UP = Vector(0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Gap:
    """The space between a point of a first body and a point of a second one.

    here, there: the closest, or when they overlap the deepest, points of the first and of the second body, in world
    axes [m]. normal: unit, from the second to the first: the way the first is pushed. size: (here - there) . normal,
    negative where the bodies overlap, FAR where there is no such gap [m]. residual: how far size may be off where a
    search with a bound on its work ended early; 0 of closed forms [m].
    """

    here: Vector
    there: Vector
    normal: Vector
    size: Scalar
    residual: Scalar = 0.0

    @property
    def flipped(self) -> "Gap":
        """The same gap with first and second body exchanged."""
        return Gap(self.there, self.here, -self.normal, self.size, self.residual)

    def only(self, condition: Scalar) -> "Gap":
        """This gap where a condition holds; elsewhere its size is FAR, and its other numbers stay finite."""
        return Gap(self.here, self.there, self.normal, where(condition, self.size, FAR), self.residual)


def chosen(condition: Scalar, yes: Any, no: Any) -> Any:
    """yes where a condition holds, no elsewhere, of nests of one form."""
    pairs = zip(leaves(yes), leaves(no), strict=True)
    return rebuilt(yes, iter([where(condition, a, b) for a, b in pairs]))

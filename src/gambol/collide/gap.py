"""The gap between two bodies: their closest or deepest points, the normal and the distance."""

from dataclasses import dataclass
from typing import Any

from gambol.lanes import Scalar, leaves, unflatten, where
from gambol.spatial import Vector

FAR = 1e3  # m: beyond any contact, and still exact to 0.1 mm in float32
UP = Vector(0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Gap:
    """The space between a point of a first body and a point of a second one.

    point_a, point_b: the closest points of the first and of the second body, or the deepest ones when they overlap, in
    world axes [m]. normal: unit, from the second body to the first: the direction in which the first is pushed. size:
    (point_a - point_b) . normal, negative where the bodies overlap, FAR where the gap is unused [m]. residual: bound on
    the error of size after an iterative search; 0 for closed forms [m].
    """

    point_a: Vector
    point_b: Vector
    normal: Vector
    size: Scalar
    residual: Scalar = 0.0

    @property
    def flipped(self) -> "Gap":
        """The gap with the first and the second body exchanged."""
        return Gap(self.point_b, self.point_a, -self.normal, self.size, self.residual)

    def masked(self, condition: Scalar) -> "Gap":
        """Return this gap where a condition holds; elsewhere the gap with size FAR."""
        return Gap(self.point_a, self.point_b, self.normal, where(condition, self.size, FAR), self.residual)


def select(condition: Scalar, yes: Any, no: Any) -> Any:
    """Return yes where a condition holds, no elsewhere. yes, no: pytrees of the same structure."""
    pairs = zip(leaves(yes), leaves(no), strict=True)
    return unflatten(yes, iter([where(condition, a, b) for a, b in pairs]))

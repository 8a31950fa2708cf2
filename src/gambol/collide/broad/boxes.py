"""Axis-aligned boxes and slabs: intervals that a shape fills along the world's axes, or along any directions.

Each is the tightest there is: its ends come from the support function. [Parent ch. 4; Kay & Kajiya 1986]
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gambol.collide.broad.reach import own_reach
from gambol.collide.convex import form_of
from gambol.lanes import Scalar, clamp, maximum, minimum
from gambol.spatial import Transform, Vector


@dataclass(frozen=True, slots=True)
class AxisBox:
    """A box along the world's axes, by its lower and its upper corner [m]."""

    lower: Vector
    upper: Vector

    def joined(self, other: "AxisBox") -> "AxisBox":
        """The smallest box about both."""
        lower = [minimum(a, b) for a, b in zip(self.lower, other.lower, strict=True)]
        return AxisBox(
            Vector.of(lower), Vector.of([maximum(a, b) for a, b in zip(self.upper, other.upper, strict=True)])
        )

    def grown(self, margin: Scalar) -> "AxisBox":
        """The box with every face moved outward by a margin [m]."""
        by = Vector(margin, margin, margin)
        return AxisBox(self.lower - by, self.upper + by)

    def swept(self, motion: Vector) -> "AxisBox":
        """The smallest box about this one on all of its way along a straight motion [m]."""
        return self.joined(AxisBox(self.lower + motion, self.upper + motion))

    def meets(self, other: "AxisBox") -> Scalar:
        """Whether the boxes share a point; faces that touch do."""
        return _all_meet(zip(self.lower, self.upper, strict=True), zip(other.lower, other.upper, strict=True))

    def nearest(self, point: Vector) -> Vector:
        """The point of the box that is nearest to a point."""
        return Vector.of([clamp(x, a, b) for x, a, b in zip(point, self.lower, self.upper, strict=True)])


def axis_box(shape: Any, pose: Transform) -> AxisBox:
    """The smallest axis-aligned box about a shape in a pose."""
    spans = slabs(shape, pose, AXES)
    return AxisBox(Vector.of([low for low, _ in spans]), Vector.of([high for _, high in spans]))


def slabs(shape: Any, pose: Transform, directions: Sequence[Vector]) -> tuple[tuple[Scalar, Scalar], ...]:
    """Between which heights along each direction a shape lies [m times the direction's length].

    directions: in world axes. All together they cut a polyhedron out of space that bounds the shape; more directions,
    such as DIAGONALS beside AXES, bound it more tightly.
    """
    form, back = form_of(shape), pose.rotation.transpose
    spans: list[tuple[Scalar, Scalar]] = []
    for d in directions:
        own, at = back @ d, d.dot(pose.position)
        up = own_reach(form, own)
        down = up if form.kind in SYMMETRIC else own_reach(form, -own)
        spans.append((at - down, at + up))
    return tuple(spans)


def slabs_meet(a: Sequence[tuple[Scalar, Scalar]], b: Sequence[tuple[Scalar, Scalar]]) -> Scalar:
    """Whether two shapes overlap along all directions of their slabs; if not, they do not meet."""
    return _all_meet(a, b)


def _all_meet(a: Any, b: Any) -> Scalar:
    meeting: Scalar = True
    for (low, high), (other_low, other_high) in zip(a, b, strict=True):
        meeting = (low <= other_high) & (other_low <= high) & meeting
    return meeting


SYMMETRIC = ("box", "sphere", "capsule", "cylinder", "ellipsoid", "pipe")  # reach as far one way as the other

AXES = (Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0))
DIAGONALS = (Vector(1.0, 1.0, 1.0), Vector(1.0, 1.0, -1.0), Vector(1.0, -1.0, 1.0), Vector(-1.0, 1.0, 1.0))

"""Axis-aligned boxes and slabs: intervals that a shape fills along the world's axes, or along any directions.

Each is the tightest possible: its ends come from the support function. [Parent ch. 4; Kay & Kajiya 1986]
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gambol.collide.broad.support_extent import local_extent
from gambol.collide.convex import geom_of
from gambol.lanes import Scalar, clamp, maximum, minimum
from gambol.spatial import Transform, Vector


@dataclass(frozen=True, slots=True)
class AxisBox:
    """An axis-aligned box by its lower and its upper corner [m]."""

    lower: Vector
    upper: Vector

    def joined(self, other: "AxisBox") -> "AxisBox":
        """Return the smallest box about both."""
        lower = [minimum(a, b) for a, b in zip(self.lower, other.lower, strict=True)]
        return AxisBox(
            Vector.of(lower), Vector.of([maximum(a, b) for a, b in zip(self.upper, other.upper, strict=True)])
        )

    def grown(self, margin: Scalar) -> "AxisBox":
        """Return the box with every face moved outward by a margin [m]."""
        offset = Vector(margin, margin, margin)
        return AxisBox(self.lower - offset, self.upper + offset)

    def swept(self, motion: Vector) -> "AxisBox":
        """Return the smallest box about the volume that this box sweeps in a straight motion [m]."""
        return self.joined(AxisBox(self.lower + motion, self.upper + motion))

    def meets(self, other: "AxisBox") -> Scalar:
        """Return True where the boxes share a point; touching faces count."""
        return _all_meet(zip(self.lower, self.upper, strict=True), zip(other.lower, other.upper, strict=True))

    def nearest(self, point: Vector) -> Vector:
        """Return the point of the box that is nearest to a point."""
        return Vector.of([clamp(x, a, b) for x, a, b in zip(point, self.lower, self.upper, strict=True)])


def axis_box(shape: Any, pose: Transform) -> AxisBox:
    """Return the smallest axis-aligned box about a shape in a pose."""
    spans = slabs(shape, pose, AXES)
    return AxisBox(Vector.of([low for low, _ in spans]), Vector.of([high for _, high in spans]))


def slabs(shape: Any, pose: Transform, directions: Sequence[Vector]) -> tuple[tuple[Scalar, Scalar], ...]:
    """Return the interval that a shape fills along each direction [m, times the direction's length].

    shape, pose: the shape and its pose. directions: in world axes. The slabs of all directions intersect in a bounding
    polyhedron; more directions, such as DIAGONALS beside AXES, make it tighter.
    """
    geom, to_local = geom_of(shape), pose.rotation.transpose
    spans: list[tuple[Scalar, Scalar]] = []
    for d in directions:
        d_local, origin = to_local @ d, d.dot(pose.position)
        up = local_extent(geom, d_local)
        down = up if geom.kind in SYMMETRIC else local_extent(geom, -d_local)
        spans.append((origin - down, origin + up))
    return tuple(spans)


def slabs_meet(a: Sequence[tuple[Scalar, Scalar]], b: Sequence[tuple[Scalar, Scalar]]) -> Scalar:
    """Return True where two shapes overlap along all directions of their slabs; if not, they are disjoint."""
    return _all_meet(a, b)


def _all_meet(a: Any, b: Any) -> Scalar:
    meeting: Scalar = True
    for (low, high), (other_low, other_high) in zip(a, b, strict=True):
        meeting = (low <= other_high) & (other_low <= high) & meeting
    return meeting


SYMMETRIC = ("box", "sphere", "capsule", "cylinder", "ellipsoid", "pipe")  # the same extent in opposite directions

AXES = (Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0))
"""The normals of the faces of a box in the axes of the world."""

DIAGONALS = (Vector(1.0, 1.0, 1.0), Vector(1.0, 1.0, -1.0), Vector(1.0, -1.0, 1.0), Vector(-1.0, 1.0, 1.0))
"""The directions of the four diagonals of a cube, up to a sign; not of unit length."""

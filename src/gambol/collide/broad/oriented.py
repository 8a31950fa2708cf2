"""Oriented boxes, and their overlap test by the fifteen axes that can separate them. [Gottschalk 1996]

Two boxes are disjoint if and only if their projections are, on a face normal of one or on a product of two edges:
    |t . L| > sum_i a_i |A_i . L| + sum_i b_i |B_i . L|
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gambol.collide.convex import Geom, field_box, geom_of
from gambol.lanes import Scalar, maximum
from gambol.spatial import Rotation, Transform, Vector

PARALLEL_EPSILON = 1e-6
"""Added to each |A_i . B_j|: the cross product of nearly parallel edges is only rounding error."""


@dataclass(frozen=True, slots=True)
class OrientedBox:
    """A box in any pose. pose: its centre and axes; half: half of each edge [m]."""

    pose: Transform
    half: Vector

    def contains(self, point: Vector) -> Scalar:
        """Return True where a point in world axes is inside or on the box. [Parent ch. 4]"""
        x, y, z = self.pose.rotation.transpose @ (point - self.pose.position)
        return (abs(x) <= self.half.x) & (abs(y) <= self.half.y) & (abs(z) <= self.half.z)


def oriented_box(shape: Any, pose: Transform) -> OrientedBox:
    """Return the smallest box about a shape along the shape's own axes."""
    geom = geom_of(shape)
    centre, half = BOXES[geom.kind](geom)
    return OrientedBox(Transform(pose.rotation, pose @ centre), half)


def oriented_boxes_meet(a: OrientedBox, b: OrientedBox, margin: Scalar = 0.0) -> Scalar:
    """Return True where the gap between two boxes is at most a margin [m], by about 130 operations without branches.

    a, b: the boxes. margin: distance [m]. No overlapping pair is missed. The result may also be True for a gap of less
    than a millionth of the boxes' size, and for a gap at an edge or a corner of less than 1.75 margins.
    """
    to_a = a.pose.rotation.transpose
    R, t = to_a @ b.pose.rotation, to_a @ (b.pose.position - a.pose.position)
    half = a.half + Vector(margin, margin, margin)
    abs_R = Rotation.of([[abs(x) + PARALLEL_EPSILON for x in row] for row in R.rows])
    return _faces_meet(R, t, half, b.half, abs_R) & _edges_meet(R, t, half, b.half, abs_R)


def _faces_meet(R: Rotation, t: Vector, a: Vector, b: Vector, abs_R: Rotation) -> Scalar:
    """Return True where no face normal separates the boxes.

    R, t: pose of the second box in the axes of the first. a, b: half edges of both [m]. abs_R: |R| + PARALLEL_EPSILON.
    """
    meeting: Scalar = True
    for i in range(3):
        meeting = (abs(t[i]) <= Vector(*abs_R.rows[i]).dot(b, a[i])) & meeting
    for column, widths, edge in zip(R.columns, abs_R.columns, b, strict=True):
        meeting = (abs(t.dot(column)) <= widths.dot(a, edge)) & meeting
    return meeting


def _edges_meet(R: Rotation, t: Vector, a: Vector, b: Vector, abs_R: Rotation) -> Scalar:
    """Return True where no cross product of two edges separates the boxes; arguments: see _faces_meet()."""
    meeting: Scalar = True
    for i in range(3):
        k, m = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            n, o = (j + 1) % 3, (j + 2) % 3
            distance = abs(t[m] * R.rows[k][j] - t[k] * R.rows[m][j])
            radius_a = a[k] * abs_R.rows[m][j] + a[m] * abs_R.rows[k][j]
            meeting = (distance <= radius_a + b[n] * abs_R.rows[i][o] + b[o] * abs_R.rows[i][n]) & meeting
    return meeting


def _round_box(radius: Scalar, z: Scalar) -> tuple[Vector, Vector]:
    return _centred_box(radius, radius, z)


def _centred_box(*half: Scalar) -> tuple[Vector, Vector]:
    return Vector(0.0, 0.0, 0.0), Vector.of(half)


def _frustum(geom: Geom) -> tuple[Vector, Vector]:
    base, top, length = geom.sizes
    return _round_box(maximum(base, top), 0.5 * length)


def _hull(geom: Geom) -> tuple[Vector, Vector]:
    if geom.bounds:
        return Vector(*geom.bounds[4:7]), Vector(*geom.bounds[7:10])
    low = Vector.of([min(vertex[k] for vertex in geom.vertices) for k in range(3)])
    high = Vector.of([max(vertex[k] for vertex in geom.vertices) for k in range(3)])
    return (low + high) * 0.5, (high - low) * 0.5


BOXES: dict[str, Callable[[Geom], tuple[Vector, Vector]]] = {
    "box": lambda geom: _centred_box(*(0.5 * size for size in geom.sizes)),
    "sphere": lambda geom: _round_box(geom.sizes[0], geom.sizes[0]),
    "capsule": lambda geom: _round_box(geom.sizes[0], geom.sizes[0] + 0.5 * geom.sizes[1]),
    "cylinder": lambda geom: _round_box(geom.sizes[0], 0.5 * geom.sizes[1]),
    "frustum": _frustum,
    "ellipsoid": lambda geom: _centred_box(*geom.sizes),
    "hull": _hull,
    "pipe": lambda geom: _round_box(geom.sizes[1], 0.5 * geom.sizes[2]),
    "height_field": field_box,
}

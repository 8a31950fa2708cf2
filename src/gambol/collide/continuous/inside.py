"""Tests whether a point is inside a polygon, a convex polyhedron or any closed surface. [Parent ch. 4]"""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from gambol.collide.continuous.mesh import Triangle
from gambol.lanes import Scalar, atan2, where
from gambol.spatial import Vector

Point2D = tuple[Scalar, Scalar]


def in_polygon(point: Point2D, polygon: Sequence[Point2D]) -> Scalar:
    """Return True where a point is inside a polygon, convex or not: a ray along +x has an odd number of crossings.

    An edge includes its lower end, but not its upper one. So a point on an edge that two polygons share is inside
    exactly one of them. point: (x, y). polygon: its corners in order.
    """
    x, y = point
    odd: Scalar = 0.0
    for (x0, y0), (x1, y1) in pairwise([*polygon, polygon[0]]):
        crosses = ((y0 <= y) & (y < y1)) | ((y1 <= y) & (y < y0))
        rise = where(crosses, y1 - y0, 1.0)
        right = x < x0 + (y - y0) * (x1 - x0) / rise
        odd = where(crosses, where(right, 1.0 - odd, odd), odd)
    return odd > 0.5


def in_convex(point: Vector, triangles: Iterable[Triangle], margin: Scalar = 0.0) -> Scalar:
    """Return True where a point is in a convex polyhedron, or nearer than a margin [m] to all planes of its faces.

    point: in the axes of the triangles. triangles: triangles of the faces, with corners anticlockwise seen from
    outside. margin: distance [m].
    """
    inside: Scalar = True
    for a, b, c in triangles:
        n = (b - a).cross(c - a)
        inside = ((point - a).dot(n) <= margin * n.length()) & inside
    return inside


def winding_number(point: Vector, triangles: Iterable[Triangle]) -> Scalar:
    """Return the winding number of a closed surface of triangles about a point: 1 inside, 0 outside.

    The surface may be concave. The winding number is the sum of the solid angles of the triangles, seen from the point,
    over 4 pi. Unlike a count of crossings it is robust at edges. On the surface the result depends on rounding. [van
    Oosterom & Strackee 1983]
    """
    total: Scalar = 0.0
    for triangle in triangles:
        a, b, c = (corner - point for corner in triangle)
        la, lb, lc = a.length(), b.length(), c.length()
        denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb
        total = total + atan2(a.dot(b.cross(c)), denominator)
    return total * (1.0 / (2.0 * math.pi))


def in_polyhedron(point: Vector, triangles: Iterable[Triangle]) -> Scalar:
    """Return True where a point is inside a closed polyhedron, convex or not; arguments: see winding_number()."""
    return winding_number(point, triangles) > 0.5

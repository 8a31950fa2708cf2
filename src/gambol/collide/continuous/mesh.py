"""Distances of a point from triangles and from the convex hull that they bound. [Ericson 2005, section 5.1.5]"""

import numpy as np
from numpy.typing import NDArray

from gambol.collide.convex.direction import ratio, unit_or
from gambol.collide.gap import UP, select
from gambol.collide.pairs.point import SURFACE_TOLERANCE, Nearest
from gambol.figure import Hull
from gambol.lanes import Scalar, clamp, gather, loop, sqrt, where, working_precision
from gambol.spatial import Vector

VERY_FAR = 1e30  # m or m2: above all distances and their squares, and finite in float32

Triangle = tuple[Vector, Vector, Vector]


def nearest_on_segment(p: Vector, a: Vector, b: Vector) -> Vector:
    """Return the point of the segment from a to b that is nearest to p; a itself where it has no length."""
    edge = b - a
    return a + edge * clamp(ratio((p - a).dot(edge), edge.dot(edge)), 0.0, 1.0)


def nearest_on_triangle(p: Vector, triangle: Triangle) -> tuple[Vector, Scalar]:
    """Return the point of a triangle that is nearest to p, and whether p projects into the triangle.

    A triangle without area counts as its edges.
    """
    n = normal_of(triangle)
    inside: Scalar = n.dot(n) > 0.0
    best, least = triangle[0], VERY_FAR
    for a, b in _edges(triangle):
        q = nearest_on_segment(p, a, b)
        squared = (p - q).dot(p - q)
        best, least = select(squared < least, (q, squared), (best, least))
        inside = ((b - a).cross(p - a).dot(n) >= 0.0) & inside
    projection = p - n * ratio((p - triangle[0]).dot(n), n.dot(n))
    return select(inside, projection, best), inside


def normal_of(triangle: Triangle) -> Vector:
    """Return the normal of a triangle, with length twice its area [m2]; its corners are anticlockwise about it."""
    a, b, c = triangle
    return (b - a).cross(c - a)


def nearest_on_sheet(p: Vector, triangle: Triangle, side: Scalar) -> Nearest:
    """Return the nearest point of a triangle without a solid side: its distances are never negative.

    p: the point. triangle: its corners. side: sign of the normal for a point on the triangle: 1 if the point was on the
    side of the normal before, else -1.
    """
    face, _ = unit_or(normal_of(triangle), UP)
    q, inside = nearest_on_triangle(p, triangle)
    height, tolerance = (p - triangle[0]).dot(face), SURFACE_TOLERANCE[working_precision()] * _extent(triangle)
    face_normal = face * where(abs(height) <= tolerance, side, where(height < 0.0, -1.0, 1.0))
    n, distance = unit_or(p - q, face_normal)
    on_face = inside | (distance <= tolerance)
    return Nearest(q, select(on_face, face_normal, n), where(inside, abs(height), distance))


def hull_table(hull: Hull) -> NDArray[np.float64]:
    """Return the corners of a hull's triangles, nine numbers for each, one after the other [m]."""
    return np.array(hull.vertices, float)[np.array(hull.triangles)].ravel()


def nearest_on_hull(table: NDArray[np.float64], p: Vector) -> Nearest:
    """Return the point of a hull's surface nearest to p: on a triangle if p is outside, on a face plane if p is inside.

    table: from hull_table(). p: in the frame of the hull [m]. The number of triangles is compiled in.
    """
    count = len(table) // 9

    def step(state: tuple[Scalar, Scalar, Nearest, Nearest]) -> tuple[Scalar, Scalar, Nearest, Nearest]:
        k, least, outer, inner = state
        corners = [gather(table, 9.0 * k + float(c)) for c in range(9)]
        triangle = (Vector.of(corners[:3]), Vector.of(corners[3:6]), Vector.of(corners[6:]))
        face, _ = unit_or(normal_of(triangle), UP)
        height = (p - triangle[0]).dot(face)
        q, on_face = nearest_on_triangle(p, triangle)
        squared = (p - q).dot(p - q)
        n, distance = unit_or(p - q, face)
        use_face_normal = on_face | (distance <= SURFACE_TOLERANCE[working_precision()] * _extent(triangle))
        candidate = Nearest(q, select(use_face_normal, face, n), where(on_face, height, distance))
        in_front = height >= 0.0  # a face with p behind it is not the nearest one, unless p is inside
        outer, least = select(in_front & (squared < least), (candidate, squared), (outer, least))
        inner = select(height > inner.distance, Nearest(p - face * height, face, height), inner)
        return k + 1.0, least, outer, inner

    none = Nearest(p, UP, -VERY_FAR)
    _, _, outer, inner = loop(lambda s: s[0] < count, step, (0.0, VERY_FAR, none, none))
    return select(inner.distance < 0.0, inner, outer)


def _extent(triangle: Triangle) -> Scalar:
    """Return the length of a triangle's first edge, as a measure of its size [m]."""
    edge = triangle[1] - triangle[0]
    return sqrt(edge.dot(edge))


def _edges(triangle: Triangle) -> tuple[tuple[Vector, Vector], ...]:
    a, b, c = triangle
    return (a, b), (b, c), (c, a)

"""The shortest path around a sphere or a cylinder, between two points outside.

In the plane of the points and the centre of a sphere, or across the axis of a cylinder, the path is two tangents of a
circle of radius R and the arc between them. The tangent from d, at the distance |d| from the centre, touches at

    t = (R^2 d +- R sqrt(d^2 - R^2) (d_y, -d_x)) / d^2

Of the two paths around the circle, the one on the side of the side point is taken; without a side point, the shorter
one. Around a cylinder the path is a helix. If the straight line misses the circle and passes it on the allowed side,
there is no wrap. These are the cases of MuJoCo's spatial tendons, except for a side point inside.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gambol.lanes import Scalar, atan2, clamp, logical_not, maximum, sqrt, where
from gambol.spatial import Vector

Point2: TypeAlias = tuple[Scalar, Scalar]

INTERSECTS = -10000.0
"""Score of a path around the circle whose tangents intersect."""

TINY = 1e-30
"""Added to squares that may be 0, so that their roots have derivatives."""


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A path around a shape.

    meets, leaves: first and last point on the shape, relative to its centre [m]. length: length between them [m].
    wraps: 1 if the path touches the shape, else 0.
    """

    meets: Vector
    leaves: Vector
    length: Scalar
    wraps: Scalar


def wrap(
    first: Vector, last: Vector, radius: Scalar, side: Vector | None, basis: tuple[Vector, Vector, Vector] | None
) -> Wrapped:
    """Return the path from one point to another around a shape.

    first, last, side: points relative to the centre [m]; side: None, or outside. basis: basis of a cylinder: two
    vectors across its axis, and the axis; None for a sphere.
    """
    x, y = _plane_of(first, last) if basis is None else basis[:2]
    a, b = (first.dot(x), first.dot(y)), (last.dot(x), last.dot(y))
    flat_side = None
    if side is not None:
        sx, sy = side.dot(x), side.dot(y)
        size = sqrt(sx * sx + sy * sy + TINY)
        flat_side = radius * sx / size, radius * sy / size
    (p, q), arc, wraps = around_circle(a, b, radius, flat_side)
    meets, leaves = x * p[0] + y * p[1], x * q[0] + y * q[1]
    if basis is None:
        return Wrapped(meets, leaves, arc, wraps)
    before, after = _distance(a, p), _distance(q, b)
    start, end = first.dot(basis[2]), last.dot(basis[2])
    slope = (end - start) / (before + arc + after + TINY)
    meets, leaves = meets + basis[2] * (start + slope * before), leaves + basis[2] * (start + slope * (before + arc))
    height = slope * arc
    return Wrapped(meets, leaves, sqrt(arc * arc + height * height + TINY), wraps)


def around_circle(
    a: Point2, b: Point2, radius: Scalar, side: Point2 | None
) -> tuple[tuple[Point2, Point2], Scalar, Scalar]:
    """Return the tangent points from a to b around a circle about 0, the length of the arc, and True if it wraps.

    side: a point of the circle on the side where the path must pass, or None.
    """
    inside = (_square(a) < radius * radius) | (_square(b) < radius * radius)
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = clamp(-(dx * a[0] + dy * a[1]) / (dx * dx + dy * dy + TINY), 0.0, 1.0)
    nearest = a[0] + along * dx, a[1] + along * dy
    misses = _square(nearest) > radius * radius
    if side is not None:
        on_side = side[0] * nearest[0] + side[1] * nearest[1] >= 0.0
        # the side point must lie between both points, less than half a turn from each (MuJoCo from 4.0 on)
        side_not_between = (a[0] * side[1] - a[1] * side[0]) * (side[0] * b[1] - side[1] * b[0]) <= 0.0
        misses = misses & (on_side | side_not_between)
    tangents = [(_tangent(a, radius, sign), _tangent(b, radius, -sign)) for sign in (1.0, -1.0)]
    crossings = [_intersect(a, p, b, q) for p, q in tangents]
    scores = [
        where(crosses, INTERSECTS, _score(tangent_points, side))
        for tangent_points, crosses in zip(tangents, crossings, strict=True)
    ]
    is_first = scores[0] > scores[1]
    p, q = ((where(is_first, u[0], v[0]), where(is_first, u[1], v[1])) for u, v in zip(*tangents, strict=True))
    crosses = where(is_first, where(crossings[0], 1.0, 0.0), where(crossings[1], 1.0, 0.0)) > 0.5
    turn = atan2(p[0] * q[1] - p[1] * q[0], p[0] * q[0] + p[1] * q[1])
    turn = where(is_first, -turn, turn)  # the first path runs from y to x
    angle = where(turn < 0.0, turn + 2.0 * math.pi, turn)
    return (p, q), radius * angle, logical_not(inside | misses | crosses)


def _plane_of(first: Vector, last: Vector) -> tuple[Vector, Vector]:
    """Return two unit vectors that span the plane of two points and 0; the first one points at the first point."""
    x = first * (1.0 / sqrt(first.dot(first) + TINY))
    normal = x.cross(last)
    square = normal.dot(normal)
    in_line = square < 1e-24 * last.dot(last)
    upright = where(abs(x.z) < 0.9, 0.0, 1.0)
    other = x.cross(Vector(upright, 0.0, 1.0 - upright))
    chosen = Vector.of([where(in_line, u, w) for u, w in zip(other, normal, strict=True)])
    y = chosen.cross(x)
    return x, y * (1.0 / sqrt(y.dot(y) + TINY))


def _tangent(d: Point2, radius: Scalar, sign: float) -> Point2:
    """Return the point at which a tangent from d touches the circle; sign: 1 or -1 for the two paths around it."""
    square = _square(d)
    root = sign * radius * sqrt(maximum(square - radius * radius, 0.0) + TINY)
    scale = 1.0 / (square + TINY)
    return (radius * radius * d[0] + root * d[1]) * scale, (radius * radius * d[1] - root * d[0]) * scale


def _score(tangent_points: Sequence[Point2], side: Point2 | None) -> Scalar:
    """Return a score: by the distance of the tangent points from the side point or, without one, from each other."""
    (px, py), (qx, qy) = tangent_points
    if side is None:
        return -((px - qx) * (px - qx) + (py - qy) * (py - qy))
    x, y = px + qx, py + qy
    return (x * side[0] + y * side[1]) / sqrt(x * x + y * y + TINY)


def _intersect(a: Point2, p: Point2, b: Point2, q: Point2) -> Scalar:
    """Return True if the segments from a to p and from b to q intersect."""
    determinant = (q[1] - b[1]) * (p[0] - a[0]) - (q[0] - b[0]) * (p[1] - a[1])
    safe = where(determinant == 0.0, 1.0, determinant)
    s = ((q[0] - b[0]) * (a[1] - b[1]) - (q[1] - b[1]) * (a[0] - b[0])) / safe
    t = ((p[0] - a[0]) * (a[1] - b[1]) - (p[1] - a[1]) * (a[0] - b[0])) / safe
    return (abs(determinant) > 0.0) & (s >= 0.0) & (s <= 1.0) & (t >= 0.0) & (t <= 1.0)


def _square(d: Point2) -> Scalar:
    return d[0] * d[0] + d[1] * d[1]


def _distance(a: Point2, b: Point2) -> Scalar:
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + TINY)

"""Two places of meshes that touch: of a point and a triangle, of two edges of surfaces, or of two ropes.

    r = a - b   of the nearest places a, b        n = +-r/|r|        gap = +-|r| - thickness

The sign is -1 where the places have passed through each other: where r has a component against its direction at the
start of the step. Only places within a triangle, or within both edges, can do so; outside, one may move around the
other. Edges of surfaces touch only where both places are within the edges, since their ends touch triangles. The
normals of two flat surfaces are therefore not tilted, and one slides on the other without bumps. Ropes are round, also
at the ends of their segments. [Bridson, Fedkiw & Anderson 2002, sections 6 and 7; Ericson 2005, section 5.1.9, for the
nearest places of two edges]
"""

from dataclasses import dataclass
from typing import TypeAlias

from gambol.lanes import Scalar, maximum, minimum, sqrt, where
from gambol.matter.elements.link_point import FAR, Corners, barycentric
from gambol.spatial import Vector

Edge: TypeAlias = tuple[Vector, Vector]

MIN_LENGTH_SQUARED = 1e-60  # m2: squared length of an edge without a direction
PARALLEL_TOLERANCE = 1e-6
"""Squared sine of the angle below which two edges count as parallel: a thousandth of a radian."""


@dataclass(frozen=True, slots=True)
class PairPlace:
    """The gap of two places [m], the gap with lagging points, the normal towards the first, and weights of points.

    Weights of the first place add up to 1, of the second to -1.
    """

    gap: Scalar
    lagging: Scalar
    normal: Vector
    weights: tuple[Scalar, Scalar, Scalar, Scalar]


def weighted(weights: tuple[Scalar, Scalar, Scalar, Scalar], points: tuple[Vector, ...]) -> Vector:
    """Return the sum of four vectors with weights."""
    w, p = weights, points
    return p[0] * w[0] + p[1] * w[1] + p[2] * w[2] + p[3] * w[3]


def point_and_triangle(
    thickness: Scalar, x: tuple[Vector, ...], lag: tuple[Vector, ...], start: tuple[Vector, ...]
) -> PairPlace:
    """Return the place of a point on a triangle; its gaps are FAR if the foot is outside the triangle.

    thickness: least distance [m]. x: the point, and the corners of the triangle [m]; lag: the same with lagging
    positions, see PointQuery; start: the same at the start of the step.
    """
    corners: Corners = (x[1], x[2], x[3])
    n, (w0, w1, w2) = barycentric(x[0], corners)
    weights = (1.0, -w0, -w1, -w2)
    normal = n * where(n.dot(weighted(weights, start)) < 0.0, -1.0, 1.0)
    inside = minimum(minimum(w0, w1), w2) >= 0.0
    gap, lagging = (where(inside, normal.dot(weighted(weights, p)) - thickness, FAR) for p in (x, lag))
    return PairPlace(gap, lagging, normal, weights)


def two_edges(
    thickness: Scalar, x: tuple[Vector, ...], lag: tuple[Vector, ...], start: tuple[Vector, ...]
) -> PairPlace:
    """Return the nearest places of two edges of surfaces; the gaps are FAR at an end of an edge.

    x: ends of the first edge, then of the second; other arguments: see point_and_triangle().
    """
    place, crossing = _nearest(thickness, x, lag, start)
    gap, lagging = (where(crossing, each, FAR) for each in (place.gap, place.lagging))
    return PairPlace(gap, lagging, place.normal, place.weights)


def two_ropes(
    thickness: Scalar, x: tuple[Vector, ...], lag: tuple[Vector, ...], start: tuple[Vector, ...]
) -> PairPlace:
    """Return the nearest places of two segments of ropes, round ends included; arguments: see two_edges()."""
    return _nearest(thickness, x, lag, start)[0]


def _nearest(
    thickness: Scalar, x: tuple[Vector, ...], lag: tuple[Vector, ...], start: tuple[Vector, ...]
) -> tuple[PairPlace, Scalar]:
    """Return the nearest places of two edges, and True if both are within the edges."""
    s, t, crossing = nearest_places((x[0], x[1]), (x[2], x[3]))
    weights = (1.0 - s, s, t - 1.0, -t)
    r, begin = weighted(weights, x), weighted(weights, start)
    length = sqrt(maximum(r.dot(r), MIN_LENGTH_SQUARED))
    passed = crossing & (r.dot(begin) < 0.0)
    normal = r * (where(passed, -1.0, 1.0) / length)
    gap, lagging = normal.dot(r) - thickness, normal.dot(weighted(weights, lag)) - thickness
    return PairPlace(gap, lagging, normal, weights), crossing


def nearest_places(first: Edge, second: Edge) -> tuple[Scalar, Scalar, Scalar]:
    """Return the fractions s, t of two edges at which they are nearest, and True if both are within the edges."""
    d1, d2, r = first[1] - first[0], second[1] - second[0], first[0] - second[0]
    a, b, e = maximum(d1.dot(d1), MIN_LENGTH_SQUARED), d1.dot(d2), maximum(d2.dot(d2), MIN_LENGTH_SQUARED)
    c, f = d1.dot(r), d2.dot(r)
    area = a * e - b * b
    crossed = area > PARALLEL_TOLERANCE * a * e
    s = where(crossed, _clamped_fraction((b * f - c * e) / where(crossed, area, 1.0)), 0.5)
    free_t = (b * s + f) / e
    t = _clamped_fraction(free_t)
    s = where((free_t < 0.0) | (free_t > 1.0), _clamped_fraction((b * t - c) / a), s)
    within = (s > 0.0) & (s < 1.0) & (t > 0.0) & (t < 1.0)
    return s, t, crossed & within


def _clamped_fraction(x: Scalar) -> Scalar:
    return minimum(maximum(x, 0.0), 1.0)

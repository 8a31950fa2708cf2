"""The contact manifold of two facets: one is clipped by the sides of the other. [Ericson 2005, section 8.3]

The reference is the facet with the normal nearer to the contact normal. Each edge of the other facet is clipped by the
sides of the reference. The ends of the clipped edges, and the corners of the reference that lie over the other facet,
are the corners of the common area, eight at most. Each is paired with a point of the opposite facet, along the normal.
"""

from dataclasses import dataclass
from typing import NamedTuple

from gambol.collide.convex.direction import ratio, unit_or
from gambol.collide.convex.facet import Facet
from gambol.collide.gap import FAR, Gap, select
from gambol.lanes import Scalar, logical_not, maximum, minimum, where, working_precision
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

WIDENING = {"float64": 1e-10, "float32": 1e-6}
"""Fraction of a side by which a reference is widened: without it equal boxes in a stack would have no contacts."""
MIN_INTERSECTION_SINE = 1e-6  # sine of the angle between a plane and the normal: at smaller ones they do not intersect
MAX_SINE = 0.1  # sine of the angle between two lines: at larger ones they touch at one point only


class Side(NamedTuple):
    """A side of a facet: a point of it, a vector out of the facet (zero: no bound), and its squared length."""

    point: Vector
    outward: Vector
    squared_length: Scalar

    def distance_outside(self, p: Vector, widening: float) -> Scalar:
        """Return the distance of p outside, times the length of outward. widening: fraction that the side moves out."""
        return (p - self.point).dot(self.outward) - widening * self.squared_length


@dataclass(frozen=True, slots=True)
class Pairing:
    """A point of the reference and the opposite one of the other facet; live: 1 if they are used, else 0."""

    on_reference: Vector
    on_other: Vector
    live: Scalar


def manifold(n: Vector, first: Facet, second: Facet) -> list[Gap]:
    """Return up to eight gaps between two facets along a unit normal n from the second to the first."""
    cosine_first, cosine_second = _cosine(first, n), _cosine(second, n)
    first_is_reference = cosine_first >= cosine_second
    reference, other = select(first_is_reference, (first, second), (second, first))
    pairings = _edges(n, reference, other, range(4))
    for extra in _corners(n, reference, other):
        pairings = _inserted(pairings, extra)
    gaps: list[Gap] = []
    for p in pairings:
        point_a, point_b = select(first_is_reference, (p.on_reference, p.on_other), (p.on_other, p.on_reference))
        gaps.append(Gap(point_a, point_b, n, where(p.live > 0.5, (point_a - point_b).dot(n), FAR)))
    return gaps


def line_manifold(n: Vector, line: Facet, second: Facet) -> list[Gap]:
    """Return up to two gaps between a line and a facet along a unit normal n from the second to the line."""
    pairings = _edges(n, second, line, range(1))
    return [
        Gap(p.on_other, p.on_reference, n, where(p.live > 0.5, (p.on_other - p.on_reference).dot(n), FAR))
        for p in pairings
    ]


def _cosine(facet: Facet, n: Vector) -> Scalar:
    """Return the absolute cosine of the angle between a facet's normal and n; -1 for a line."""
    return where(facet.thin > 0.5, -1.0, abs(facet.normal.dot(n)))


def _plane_normal(facet: Facet, n: Vector) -> Vector:
    """Return the normal of a facet's plane; for a line, of the plane through it whose normal is nearest to n."""
    along = unit_or(facet.corners[1] - facet.corners[0], ZERO)[0]
    return select(facet.thin > 0.5, n - along * along.dot(n), facet.normal)


def _sides(facet: Facet, n: Vector) -> list[Side]:
    """Return the four sides, as planes parallel to n; a line has only its two ends."""
    corners, thin = facet.corners, facet.thin > 0.5
    up = n * where(facet.normal.dot(n) >= 0.0, 1.0, -1.0)
    along = corners[1] - corners[0]
    ends = (ZERO, along, ZERO, -along)
    sides: list[Side] = []
    for k, corner in enumerate(corners):
        out = select(thin, ends[k], (corners[(k + 1) % 4] - corner).cross(up))
        sides.append(Side(corner, out, out.dot(out)))
    return sides


def _edges(n: Vector, reference: Facet, other: Facet, indices: range) -> list[Pairing]:
    """Return the points where edges of the other facet enter and leave the reference.

    indices: indices of these edges.
    """
    normal, sides = _plane_normal(reference, n), _sides(reference, n)
    widening = WIDENING[working_precision()]
    distances = [[side.distance_outside(corner, widening) for side in sides] for corner in other.corners]
    not_skew = logical_not(_skew(reference, other))
    line = other.thin > 0.5
    pairings: list[Pairing] = []
    for i in indices:
        j = (i + 1) % 4
        start, end, live = _clipped(distances[i], distances[j])
        edge = other.corners[j] - other.corners[i]
        real = edge.dot(edge) > 0.0
        used = live & not_skew & (real & logical_not(line) if i else real | line)
        leaves = used & ((end < 1.0) | line) & (end > start) & real
        for t, counts in ((start, used), (end, leaves)):
            p = other.corners[i] + edge * t
            pairings.append(Pairing(_project_along(p, n, reference.corners[0], normal), p, where(counts, 1.0, 0.0)))
    return pairings


def _skew(reference: Facet, other: Facet) -> Scalar:
    """Return True where both facets are lines and not parallel."""
    e, f = (unit_or(x.corners[1] - x.corners[0], ZERO)[0] for x in (reference, other))
    cross = e.cross(f)
    return (reference.thin > 0.5) & (other.thin > 0.5) & (cross.dot(cross) > MAX_SINE * MAX_SINE)


def _clipped(at_start: list[Scalar], at_end: list[Scalar]) -> tuple[Scalar, Scalar, Scalar]:
    """Return the fractions of an edge between which it is inside all sides, and True if a part of it is inside.

    at_start, at_end: distances of its ends outside each side.
    """
    start, end, live = 0.0, 1.0, True
    for a, b in zip(at_start, at_end, strict=True):
        enters, leaves = (a > 0.0) & (b <= 0.0), (b > 0.0) & (a <= 0.0)
        start = where(enters, maximum(start, ratio(a, a - b)), start)
        end = where(leaves, minimum(end, ratio(-a, b - a)), end)
        live = live & ((a <= 0.0) | (b <= 0.0))
    return start, end, live & (start <= end)


def _corners(n: Vector, reference: Facet, other: Facet) -> list[Pairing]:
    """Return the corners of the reference that lie over the interior of the other facet."""
    normal, sides = _plane_normal(other, n), _sides(other, n)
    widening = WIDENING[working_precision()]
    pairings: list[Pairing] = []
    for corner in reference.corners:
        live = (reference.thin < 0.5) & (other.thin < 0.5)
        for side in sides:
            live = live & (side.distance_outside(corner, -widening) < 0.0)
        pairings.append(Pairing(corner, _project_along(corner, n, other.corners[0], normal), where(live, 1.0, 0.0)))
    return pairings


def _project_along(p: Vector, n: Vector, point: Vector, normal: Vector) -> Vector:
    """Return the intersection of the line through p along n with a plane; p if they are parallel.

    point, normal: a point of the plane and its normal.
    """
    cosine = normal.dot(n)
    intersects = abs(cosine) > MIN_INTERSECTION_SINE
    return p + n * where(intersects, (point - p).dot(normal) / where(intersects, cosine, 1.0), 0.0)


def _inserted(pairings: list[Pairing], extra: Pairing) -> list[Pairing]:
    """Return the pairings; the first unused one is replaced by `extra` if that is used."""
    pending, result = extra.live, list[Pairing]()
    for p in pairings:
        replaced = (p.live < 0.5) & (pending > 0.5)
        result.append(select(replaced, extra, p))
        pending = where(replaced, 0.0, pending)
    return result

"""The contact manifold of two facets: one is clipped by the sides of the other. [Ericson 2005, section 8.3]

Seen along the normal, the reference is the facet that faces it more squarely. Each edge of the other facet is clipped
to the part between the reference's sides. The ends of these parts, and the corners of the reference that lie over the
other facet, are the corners of the common area, eight at most. Across from each, along the normal, lies a point of the
other facet.
"""

from dataclasses import dataclass
from typing import NamedTuple

from gambol.collide.convex.direction import ratio, unit_or
from gambol.collide.convex.facet import Facet
from gambol.collide.gap import FAR, Gap, select
from gambol.lanes import Scalar, logical_not, maximum, minimum, where, working_precision
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

LEEWAY = {"float64": 1e-10, "float32": 1e-6}
"""Fraction of a side by which a reference is widened, or equal boxes in a stack would miss each other."""
UPRIGHT = 1e-6  # sine of an angle: a plane nearer to parallel to the normal has no points across
ASKEW = 0.1  # sine of an angle: lines at a larger one touch at one point only


class Side(NamedTuple):
    """A side of a facet: a point of it, the direction out of the facet (zero: no bound), and its leeway."""

    on: Vector
    out: Vector
    leeway: Scalar

    def beyond(self, p: Vector, share: float) -> Scalar:
        """Return a point's distance outside, in lengths of `out`; share: fraction by which the side moves out."""
        return (p - self.on).dot(self.out) - share * self.leeway


@dataclass(frozen=True, slots=True)
class Pairing:
    """A point of the reference and the one of the other facet across from it; live: 1 if they count, else 0."""

    on_reference: Vector
    on_other: Vector
    live: Scalar


def manifold(n: Vector, first: Facet, second: Facet) -> list[Gap]:
    """Return up to eight gaps between two facets along a unit normal n from the second to the first."""
    square_on, square_off = _squareness(first, n), _squareness(second, n)
    first_is_reference = square_on >= square_off
    reference, other = select(first_is_reference, (first, second), (second, first))
    pairings = _edges(n, reference, other, range(4))
    for extra in _corners(n, reference, other):
        pairings = _inserted(pairings, extra)
    gaps: list[Gap] = []
    for p in pairings:
        here, there = select(first_is_reference, (p.on_reference, p.on_other), (p.on_other, p.on_reference))
        gaps.append(Gap(here, there, n, where(p.live > 0.5, (here - there).dot(n), FAR)))
    return gaps


def line_manifold(n: Vector, line: Facet, second: Facet) -> list[Gap]:
    """Return up to two gaps between a line and a facet along a unit normal n from the second to the line."""
    pairs = _edges(n, second, line, range(1))
    return [
        Gap(p.on_other, p.on_reference, n, where(p.live > 0.5, (p.on_other - p.on_reference).dot(n), FAR))
        for p in pairs
    ]


def _squareness(facet: Facet, n: Vector) -> Scalar:
    return where(facet.thin > 0.5, -1.0, abs(facet.normal.dot(n)))


def _plane(facet: Facet, n: Vector) -> Vector:
    """Return the normal of a facet's plane; of a line, that of the plane through it that faces n most."""
    along = unit_or(facet.corners[1] - facet.corners[0], ZERO)[0]
    return select(facet.thin > 0.5, n - along * along.dot(n), facet.normal)


def _sides(facet: Facet, n: Vector) -> list[Side]:
    """Return the four sides, upright along n; a line has only its two ends."""
    corners, thin = facet.corners, facet.thin > 0.5
    up = n * where(facet.normal.dot(n) >= 0.0, 1.0, -1.0)
    along = corners[1] - corners[0]
    ends = (ZERO, along, ZERO, -along)
    sides: list[Side] = []
    for k, corner in enumerate(corners):
        out = select(thin, ends[k], (corners[(k + 1) % 4] - corner).cross(up))
        sides.append(Side(corner, out, out.dot(out)))
    return sides


def _edges(n: Vector, reference: Facet, other: Facet, which: range) -> list[Pairing]:
    """Return for each edge of the other facet the points where it enters and leaves the reference."""
    plane, sides = _plane(reference, n), _sides(reference, n)
    leeway = LEEWAY[working_precision()]
    beyond = [[side.beyond(corner, leeway) for side in sides] for corner in other.corners]
    fits = logical_not(_askew(reference, other))
    line = other.thin > 0.5
    pairings: list[Pairing] = []
    for i in which:
        j = (i + 1) % 4
        start, end, live = _clipped(beyond[i], beyond[j])
        edge = other.corners[j] - other.corners[i]
        real = edge.dot(edge) > 0.0
        used = live & fits & (real & logical_not(line) if i else real | line)
        leaves = used & ((end < 1.0) | line) & (end > start) & real
        for t, counts in ((start, used), (end, leaves)):
            p = other.corners[i] + edge * t
            pairings.append(Pairing(_across(p, n, reference.corners[0], plane), p, where(counts, 1.0, 0.0)))
    return pairings


def _askew(reference: Facet, other: Facet) -> Scalar:
    """Return True where both facets are lines and not parallel."""
    e, f = (unit_or(x.corners[1] - x.corners[0], ZERO)[0] for x in (reference, other))
    turn = e.cross(f)
    return (reference.thin > 0.5) & (other.thin > 0.5) & (turn.dot(turn) > ASKEW * ASKEW)


def _clipped(at_start: list[Scalar], at_end: list[Scalar]) -> tuple[Scalar, Scalar, Scalar]:
    """Return the fractions of an edge between which it is inside all sides, and whether it is anywhere."""
    start, end, live = 0.0, 1.0, True
    for a, b in zip(at_start, at_end, strict=True):
        enters, leaves = (a > 0.0) & (b <= 0.0), (b > 0.0) & (a <= 0.0)
        start = where(enters, maximum(start, ratio(a, a - b)), start)
        end = where(leaves, minimum(end, ratio(-a, b - a)), end)
        live = live & ((a <= 0.0) | (b <= 0.0))
    return start, end, live & (start <= end)


def _corners(n: Vector, reference: Facet, other: Facet) -> list[Pairing]:
    """Return the corners of the reference that lie over the inside of the other facet."""
    plane, sides = _plane(other, n), _sides(other, n)
    leeway = LEEWAY[working_precision()]
    pairings: list[Pairing] = []
    for corner in reference.corners:
        live = (reference.thin < 0.5) & (other.thin < 0.5)
        for side in sides:
            live = live & (side.beyond(corner, -leeway) < 0.0)
        pairings.append(Pairing(corner, _across(corner, n, other.corners[0], plane), where(live, 1.0, 0.0)))
    return pairings


def _across(p: Vector, n: Vector, on: Vector, plane: Vector) -> Vector:
    """Return where a line through p along n meets a plane through a point; p itself where it meets it nowhere."""
    slope = plane.dot(n)
    steep = abs(slope) > UPRIGHT
    return p + n * where(steep, (on - p).dot(plane) / where(steep, slope, 1.0), 0.0)


def _inserted(pairings: list[Pairing], extra: Pairing) -> list[Pairing]:
    """Return the pairings with another one in the first unused place, if it counts and there is one."""
    waiting, made = extra.live, list[Pairing]()
    for p in pairings:
        takes = (p.live < 0.5) & (waiting > 0.5)
        made.append(select(takes, extra, p))
        waiting = where(takes, 0.0, waiting)
    return made

"""Where two facets lie over each other: one is clipped by the sides of the other. [Ericson 2005, section 8.3]

Seen along the normal, and with the facet that faces it more squarely for a reference: each edge of the other one is cut
to its part between the reference's sides; with the corners of the reference that lie over the other facet, the ends of
these parts are all corners of the common area, eight at most. Across from each, along the normal, lies a point of the
other facet.
"""

from dataclasses import dataclass
from typing import NamedTuple

from gambol.collide.convex.direction import ratio, unit_or
from gambol.collide.convex.facet import Facet
from gambol.collide.gap import FAR, Gap, chosen
from gambol.lanes import Scalar, maximum, minimum, negated, where, working_precision
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

LEEWAY = {"float64": 1e-10, "float32": 1e-6}
"""Of a side: so much a reference is wider than it is, or equal boxes in a stack would miss each other."""
UPRIGHT = 1e-6  # sine of an angle: a plane that is nearer to parallel to the normal has nothing across from anything
ASKEW = 0.1  # sine of an angle: lines that differ by more touch at one point only


class Side(NamedTuple):
    """A side of a facet: a point of it, the direction out of the facet (zero: it bounds nothing), and its leeway."""

    on: Vector
    out: Vector
    leeway: Scalar

    def beyond(self, p: Vector, share: float) -> Scalar:
        """How far outside a point is, in units of the length of `out`, if the side moves out by a share of itself."""
        return (p - self.on).dot(self.out) - share * self.leeway


@dataclass(frozen=True, slots=True)
class Pairing:
    """A point of the reference and one of the other facet across from it, and whether they count (1, else 0)."""

    on_reference: Vector
    on_other: Vector
    live: Scalar


def manifold(n: Vector, first: Facet, second: Facet) -> list[Gap]:
    """Up to eight gaps between two facets along a unit normal from the second to the first."""
    square_on, square_off = _squareness(first, n), _squareness(second, n)
    leads = square_on >= square_off
    reference, other = chosen(leads, (first, second), (second, first))
    pairings = _edges(n, reference, other, range(4))
    for extra in _corners(n, reference, other):
        pairings = _inserted(pairings, extra)
    gaps: list[Gap] = []
    for p in pairings:
        here, there = chosen(leads, (p.on_reference, p.on_other), (p.on_other, p.on_reference))
        gaps.append(Gap(here, there, n, where(p.live > 0.5, (here - there).dot(n), FAR)))
    return gaps


def line_manifold(n: Vector, line: Facet, second: Facet) -> list[Gap]:
    """Up to two gaps between a line and a facet along a unit normal from the second to the line."""
    pairs = _edges(n, second, line, range(1))
    return [
        Gap(p.on_other, p.on_reference, n, where(p.live > 0.5, (p.on_other - p.on_reference).dot(n), FAR))
        for p in pairs
    ]


def _squareness(facet: Facet, n: Vector) -> Scalar:
    return where(facet.thin > 0.5, -1.0, abs(facet.normal.dot(n)))


def _plane(facet: Facet, n: Vector) -> Vector:
    """The normal of a facet's plane; of a line, of the plane through it that faces n most."""
    along = unit_or(facet.corners[1] - facet.corners[0], ZERO)[0]
    return chosen(facet.thin > 0.5, n - along * along.dot(n), facet.normal)


def _sides(facet: Facet, n: Vector) -> list[Side]:
    """The four sides, upright along n; a line has only its two ends."""
    corners, thin = facet.corners, facet.thin > 0.5
    up = n * where(facet.normal.dot(n) >= 0.0, 1.0, -1.0)
    along = corners[1] - corners[0]
    ends = (ZERO, along, ZERO, -along)
    sides: list[Side] = []
    for k, corner in enumerate(corners):
        out = chosen(thin, ends[k], (corners[(k + 1) % 4] - corner).cross(up))
        sides.append(Side(corner, out, out.dot(out)))
    return sides


def _edges(n: Vector, reference: Facet, other: Facet, which: range) -> list[Pairing]:
    """For each edge of the other facet where it enters the reference and where it leaves it."""
    plane, sides = _plane(reference, n), _sides(reference, n)
    leeway = LEEWAY[working_precision()]
    beyond = [[side.beyond(corner, leeway) for side in sides] for corner in other.corners]
    fits = negated(_askew(reference, other))
    line = other.thin > 0.5
    pairings: list[Pairing] = []
    for i in which:
        j = (i + 1) % 4
        start, end, live = _clipped(beyond[i], beyond[j])
        edge = other.corners[j] - other.corners[i]
        real = edge.dot(edge) > 0.0
        used = live & fits & (real & negated(line) if i else real | line)
        leaves = used & ((end < 1.0) | line) & (end > start) & real
        for t, counts in ((start, used), (end, leaves)):
            p = other.corners[i] + edge * t
            pairings.append(Pairing(_across(p, n, reference.corners[0], plane), p, where(counts, 1.0, 0.0)))
    return pairings


def _askew(reference: Facet, other: Facet) -> Scalar:
    """Whether both are lines and not parallel."""
    e, f = (unit_or(x.corners[1] - x.corners[0], ZERO)[0] for x in (reference, other))
    turn = e.cross(f)
    return (reference.thin > 0.5) & (other.thin > 0.5) & (turn.dot(turn) > ASKEW * ASKEW)


def _clipped(at_start: list[Scalar], at_end: list[Scalar]) -> tuple[Scalar, Scalar, Scalar]:
    """Between which shares of an edge it is inside of all sides, and whether it is anywhere."""
    start, end, live = 0.0, 1.0, True
    for a, b in zip(at_start, at_end, strict=True):
        enters, leaves = (a > 0.0) & (b <= 0.0), (b > 0.0) & (a <= 0.0)
        start = where(enters, maximum(start, ratio(a, a - b)), start)
        end = where(leaves, minimum(end, ratio(-a, b - a)), end)
        live = live & ((a <= 0.0) | (b <= 0.0))
    return start, end, live & (start <= end)


def _corners(n: Vector, reference: Facet, other: Facet) -> list[Pairing]:
    """The corners of the reference that lie over the inside of the other facet."""
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
    """Where a line through p along n meets a plane through a point; p itself where it meets it nowhere."""
    slope = plane.dot(n)
    steep = abs(slope) > UPRIGHT
    return p + n * where(steep, (on - p).dot(plane) / where(steep, slope, 1.0), 0.0)


def _inserted(pairings: list[Pairing], extra: Pairing) -> list[Pairing]:
    """The pairings with another in the first place that is not used, if it counts and there is one."""
    waiting, made = extra.live, list[Pairing]()
    for p in pairings:
        takes = (p.live < 0.5) & (waiting > 0.5)
        made.append(chosen(takes, extra, p))
        waiting = where(takes, 0.0, waiting)
    return made

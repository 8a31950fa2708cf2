"""How deep two convex bodies overlap: descending from face to face of their difference.

Along a unit vector m the way out of the difference is its reach h(m) = max m . w, as far as the foot f = h(m) m. A ray
towards f from any point c inside leaves the difference through a face whose normal m' has h(m') <= m' . f <= h(m):
repeated, this ends at a face that is nearest to the origin among its neighbours, and c may be deep inside although
the origin is not. It starts from the best of a few directions in which overlaps are usually shallow, one of them
that of the face in which a ray through the origin ends: the nearest face of all is then seldom missed, and where the
overlap is shallow, hardly ever. Whatever is found, moving by it parts the bodies.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.collide.convex.direction import ratio, unit_or
from gambol.collide.convex.distance import Apart, Supported
from gambol.collide.convex.portal import Portal, exit_portal
from gambol.collide.convex.simplex import Corner
from gambol.collide.gap import chosen
from gambol.lanes import Scalar, loop, maximum, where, working_precision
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

MOST_FACES = 16.0  # that a descent may go over; polyhedra take 2 to 4, deep overlaps of ellipsoids most
GAIN = {"float64": 1e-12, "float32": 1e-6}  # of the reach from deep inside: a face that gains less is as good
LOSS = {"float64": 1e-9, "float32": 1e-5}  # of it: a face that loses less shows where the same plane is touched


@dataclass(frozen=True, slots=True)
class Descent:
    """Where a descent stands: the best portal, its ray from inside, and whether it goes on (1, else 0), and faces."""

    portal: Portal
    ray: Vector
    going: Scalar
    faces: Scalar


def depth(support: Supported, inner: Vector, directions: Sequence[Vector]) -> Apart:
    """The way out of an overlap: a negative distance, with the deepest points.

    support: the corner of the bodies' difference that is furthest along a direction. inner: a point deep inside the
    difference [m]. directions: unit vectors to start from, from the first body to the second; the best is taken.
    The residual is how far the points found are from facing each other along the way out.
    """
    gain, loss = GAIN[working_precision()], LOSS[working_precision()]

    def inside(d: Vector) -> Corner:
        corner = support(d)
        return Corner(corner.w - inner, corner.a)

    def descend(s: Descent) -> Descent:
        out = s.portal.normal
        reach = s.portal.reach + out.dot(inner)
        ray = unit_or(out * reach - inner, out)[0]
        new = exit_portal(inside, ray)
        step = reach - (new.reach + new.normal.dot(inner))
        gains, same = step > gain * s.portal.reach, step > -loss * s.portal.reach
        touched = Portal(new.corners, out, s.portal.reach, new.slack)
        kept, along = chosen(same, (chosen(gains, new, touched), ray), (s.portal, s.ray))
        return Descent(kept, along, where(gains, 1.0, 0.0), s.faces + 1.0)

    nearby = exit_portal(inside, unit_or(-inner, directions[0])[0]).normal
    start = _lowest(support, inner, [*directions, nearby])
    end = loop(lambda s: (s.going > 0.5) & (s.faces < MOST_FACES), descend, Descent(start, start.normal, 1.0, 0.0))
    return _deepest(end.portal, end.ray, inner)


def _lowest(support: Supported, inner: Vector, directions: Sequence[Vector]) -> Portal:
    """The lowest support plane across some directions, as a portal seen from inside."""

    def plane(d: Vector) -> tuple[Scalar, Portal]:
        corner = support(d)
        seen = Corner(corner.w - inner, corner.a)
        return corner.w.dot(d), Portal((seen, seen, seen), d, seen.w.dot(d), 0.0)

    best = plane(directions[0])
    for d in directions[1:]:
        other = plane(d)
        best = chosen(other[0] < best[0], other, best)
    return best[1]


def _deepest(portal: Portal, ray: Vector, inner: Vector) -> Apart:
    """The points of the two bodies where a ray from inside passes a portal."""
    p, q, r = (corner.w for corner in portal.corners)
    weights = [maximum(x.cross(y).dot(ray), 0.0) for x, y in ((q, r), (r, p), (p, q))]
    whole = weights[0] + weights[1] + weights[2]
    here, w = ZERO, inner
    for k, corner in enumerate(portal.corners):
        share = ratio(weights[k], whole, 1.0 / 3.0)
        here, w = here + corner.a * share, w + corner.w * share
    reach = portal.reach + portal.normal.dot(inner)
    out = portal.normal * reach
    off = w - out
    return Apart(here - off * 0.5, here - (w + out) * 0.5, -portal.normal, -reach, off.length(), 1.0)

"""Penetration depth of two convex bodies: a descent from face to face of their Minkowski difference.

Along a unit vector m the depth is the support h(m) = max m . w of the difference, reached at the foot f = h(m) m. A ray
towards f from any point c inside leaves the difference through a face whose normal m' has h(m') <= m' . f <= h(m).
Repeated, this ends at a face that is nearest to the origin among its neighbours, and c may be deep inside although the
origin is not. The descent starts from the best of a few directions in which overlaps are usually shallow; one of them
is the normal of the face where a ray through the origin ends. The nearest face of all is then seldom missed, and in
shallow overlaps hardly ever. Moving by the result always separates the bodies.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.collide.convex.direction import ratio, unit_or
from gambol.collide.convex.distance import Separation, SupportFunction
from gambol.collide.convex.portal import Portal, exit_portal
from gambol.collide.convex.simplex import Corner
from gambol.collide.gap import select
from gambol.lanes import Scalar, loop, maximum, where, working_precision
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

MAX_FACES = 16.0  # of a descent; polyhedra take 2 to 4, deep overlaps of ellipsoids most
GAIN = {"float64": 1e-12, "float32": 1e-6}  # of the support from deep inside: a smaller gain ends the descent
LOSS = {"float64": 1e-9, "float32": 1e-5}  # of it: a face that loses less is on the same plane


@dataclass(frozen=True, slots=True)
class DescentState:
    """The state of a descent: the best portal, its ray from inside, running (1, else 0), and number of faces."""

    portal: Portal
    ray: Vector
    running: Scalar
    faces: Scalar


def penetration_depth(support: SupportFunction, inner: Vector, directions: Sequence[Vector]) -> Separation:
    """Return the shortest way out of an overlap: a negative distance, with the deepest points.

    support: the point of the bodies' difference that is furthest along a direction. inner: a point deep inside the
    difference [m]. directions: initial unit vectors, from the first body to the second; the best is taken. The residual
    is the offset of the two points across the way out.
    """
    gain, loss = GAIN[working_precision()], LOSS[working_precision()]

    def inside(d: Vector) -> Corner:
        corner = support(d)
        return Corner(corner.w - inner, corner.a)

    def descend(s: DescentState) -> DescentState:
        out = s.portal.normal
        reach = s.portal.reach + out.dot(inner)
        ray = unit_or(out * reach - inner, out)[0]
        new = exit_portal(inside, ray)
        step = reach - (new.reach + new.normal.dot(inner))
        gains, same = step > gain * s.portal.reach, step > -loss * s.portal.reach
        touched = Portal(new.corners, out, s.portal.reach, new.slack)
        kept, along = select(same, (select(gains, new, touched), ray), (s.portal, s.ray))
        return DescentState(kept, along, where(gains, 1.0, 0.0), s.faces + 1.0)

    nearby = exit_portal(inside, unit_or(-inner, directions[0])[0]).normal
    start = _lowest(support, inner, [*directions, nearby])
    end = loop(
        lambda s: (s.running > 0.5) & (s.faces < MAX_FACES), descend, DescentState(start, start.normal, 1.0, 0.0)
    )
    return _deepest(end.portal, end.ray, inner)


def _lowest(support: SupportFunction, inner: Vector, directions: Sequence[Vector]) -> Portal:
    """Return the lowest support plane across some directions, as a portal seen from inside."""

    def plane(d: Vector) -> tuple[Scalar, Portal]:
        corner = support(d)
        seen = Corner(corner.w - inner, corner.a)
        return corner.w.dot(d), Portal((seen, seen, seen), d, seen.w.dot(d), 0.0)

    best = plane(directions[0])
    for d in directions[1:]:
        other = plane(d)
        best = select(other[0] < best[0], other, best)
    return best[1]


def _deepest(portal: Portal, ray: Vector, inner: Vector) -> Separation:
    """Return the points of the two bodies where a ray from inside passes a portal."""
    p, q, r = (corner.w for corner in portal.corners)
    weights = [maximum(x.cross(y).dot(ray), 0.0) for x, y in ((q, r), (r, p), (p, q))]
    total = weights[0] + weights[1] + weights[2]
    point_a, w = ZERO, inner
    for k, corner in enumerate(portal.corners):
        fraction = ratio(weights[k], total, 1.0 / 3.0)
        point_a, w = point_a + corner.a * fraction, w + corner.w * fraction
    reach = portal.reach + portal.normal.dot(inner)
    out = portal.normal * reach
    off = w - out
    return Separation(point_a - off * 0.5, point_a - (w + out) * 0.5, -portal.normal, -reach, off.length(), 1.0)

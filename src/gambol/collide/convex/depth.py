"""Penetration depth of two convex bodies: a descent from face to face of their Minkowski difference.

Along a unit vector m the depth is the support h(m) = max m . w over points w of the difference. The point of this
support plane nearest to the origin, its foot, is f = h(m) m. A ray towards f from any point c inside leaves the
difference through a face whose normal m' has h(m') <= m' . f <= h(m). Repeated, this ends at a face that is nearer to
the origin than its neighbours. Since c is deep inside, this works even if the origin is not.

The descent starts from the best of a few directions in which overlaps are usually shallow. One of them is the normal of
the face that the ray from c through the origin passes through. The descent seldom misses the nearest face of all, and
hardly ever in shallow overlaps. Moving one body by the result always separates the bodies.
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

MAX_FACES = 16.0  # of a descent: 2 to 4 for polyhedra, more for deep overlaps of ellipsoids
# the next two are fractions of the portal's extent
MIN_GAIN = {"float64": 1e-12, "float32": 1e-6}  # a face that is nearer by less than this ends the descent
MAX_LOSS = {"float64": 1e-9, "float32": 1e-5}  # a face that is further by less than this is in the same plane


@dataclass(frozen=True, slots=True)
class DescentState:
    """The state of a descent.

    portal: the best one, about the inner point. ray: unit, from the inner point through the portal. running: 1 until
    the descent ends, then 0. faces: number of faces visited.
    """

    portal: Portal
    ray: Vector
    running: Scalar
    faces: Scalar


def penetration_depth(support: SupportFunction, inner: Vector, directions: Sequence[Vector]) -> Separation:
    """Return the shortest way out of an overlap: a negative distance, with the deepest points.

    support: support point of the bodies' difference along a direction. inner: a point deep inside the difference [m].
    directions: initial unit vectors, from the first body to the second; the best is used. The residual is the distance
    from the foot of the last plane to the point where the ray passes through the portal; 0 if the depth is exact.
    """
    gain, loss = MIN_GAIN[working_precision()], MAX_LOSS[working_precision()]

    def inside(d: Vector) -> Corner:
        corner = support(d)
        return Corner(corner.w - inner, corner.a)

    def descend(s: DescentState) -> DescentState:
        out = s.portal.normal
        depth = s.portal.extent + out.dot(inner)
        ray = unit_or(out * depth - inner, out)[0]
        new = exit_portal(inside, ray)
        step = depth - (new.extent + new.normal.dot(inner))
        gains, same_plane = step > gain * s.portal.extent, step > -loss * s.portal.extent
        old_plane = Portal(new.corners, out, s.portal.extent, new.slack)  # with the corners about the new ray
        best, best_ray = select(same_plane, (select(gains, new, old_plane), ray), (s.portal, s.ray))
        return DescentState(best, best_ray, where(gains, 1.0, 0.0), s.faces + 1.0)

    through_origin = exit_portal(inside, unit_or(-inner, directions[0])[0]).normal
    start = _lowest_plane(support, inner, [*directions, through_origin])
    end = loop(
        lambda s: (s.running > 0.5) & (s.faces < MAX_FACES), descend, DescentState(start, start.normal, 1.0, 0.0)
    )
    return _deepest(end.portal, end.ray, inner)


def _lowest_plane(support: SupportFunction, inner: Vector, directions: Sequence[Vector]) -> Portal:
    """Return the support plane nearest to the origin, of those normal to some directions, as a portal about `inner`."""

    def plane(d: Vector) -> tuple[Scalar, Portal]:
        corner = support(d)
        relative = Corner(corner.w - inner, corner.a)
        return corner.w.dot(d), Portal((relative, relative, relative), d, relative.w.dot(d), 0.0)

    best = plane(directions[0])
    for d in directions[1:]:
        other = plane(d)
        best = select(other[0] < best[0], other, best)
    return best[1]


def _deepest(portal: Portal, ray: Vector, inner: Vector) -> Separation:
    """Return the separation at the point where a ray from inside passes through a portal."""
    p, q, r = (corner.w for corner in portal.corners)
    weights = [maximum(x.cross(y).dot(ray), 0.0) for x, y in ((q, r), (r, p), (p, q))]
    total = weights[0] + weights[1] + weights[2]
    point_a, w = ZERO, inner
    for k, corner in enumerate(portal.corners):
        fraction = ratio(weights[k], total, 1.0 / 3.0)
        point_a, w = point_a + corner.a * fraction, w + corner.w * fraction
    depth = portal.extent + portal.normal.dot(inner)
    foot = portal.normal * depth
    offset = w - foot
    return Separation(point_a - offset * 0.5, point_a - (w + foot) * 0.5, -portal.normal, -depth, offset.length(), 1.0)

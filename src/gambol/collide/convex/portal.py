"""Where a ray from inside leaves the difference of two bodies: refining a portal. [Snethen 2008]

A portal is a triangle of points of the difference that the ray passes. Each step takes the support point along the
triangle's normal and keeps that third of the larger triangle that the ray passes, until none is left outside.
"""

from dataclasses import dataclass

from gambol.collide.convex.direction import unit_or
from gambol.collide.convex.distance import Supported
from gambol.collide.convex.simplex import Corner, Triple
from gambol.collide.gap import chosen
from gambol.lanes import Scalar, loop, maximum, where, working_precision
from gambol.spatial import Vector
from gambol.spatial.vector import across

MOST_TURNS = 20.0  # to find a portal
MOST_STEPS = 60.0  # to refine it; by 40, normals of ellipsoids are known to 4e-4 rad, by 60 to 1e-5
CLOSE = {"float64": 1e-11, "float32": 1e-6}  # of the reach: as far as a portal may stand off its support plane


@dataclass(frozen=True, slots=True)
class Portal:
    """Three corners about a ray, in order around it, and the plane against them.

    normal: unit, outward. reach: how far the difference extends along the normal [m]. slack: how far the support plane
    is off the portal [m]: 0 of a face.
    """

    corners: Triple
    normal: Vector
    reach: Scalar
    slack: Scalar


def exit_portal(support: Supported, m: Vector) -> Portal:
    """The portal through which the ray from the origin along the unit vector m leaves the difference.

    The origin must be inside the difference; the deeper, the better do few steps suffice.
    """
    close = CLOSE[working_precision()]

    def refine(state: tuple[Portal, Scalar]) -> tuple[Portal, Scalar]:
        portal, steps = state
        return measured(support, _third(portal, support(portal.normal), m)), steps + 1.0

    def is_loose(state: tuple[Portal, Scalar]) -> Scalar:
        portal, steps = state
        return (portal.slack > close * (abs(portal.reach) + portal.slack)) & (steps < MOST_STEPS)

    return loop(is_loose, refine, (measured(support, _first(support, m)), 0.0))[0]


def measured(support: Supported, corners: Triple) -> Portal:
    """The portal of three corners; one without area faces its first corner's way."""
    p, q, r = (corner.w for corner in corners)
    normal = unit_or((q - p).cross(r - p), unit_or(p, across(p)[0])[0])[0]
    reach = support(normal).w.dot(normal)
    return Portal(corners, normal, reach, maximum(reach - p.dot(normal), 0.0))


def _third(portal: Portal, new: Corner, m: Vector) -> Triple:
    """The portal's corners, one of them replaced by a new one so that the ray still passes."""
    p, q, r = portal.corners
    side = m.cross(new.w)
    beyond_p, beyond_q, beyond_r = p.w.dot(side) > 0.0, q.w.dot(side) > 0.0, r.w.dot(side) > 0.0
    past_p = chosen(beyond_q, (new, q, r), (p, q, new))
    before_p = chosen(beyond_r, (p, new, r), (new, q, r))
    return chosen(beyond_p, past_p, before_p)


def _first(support: Supported, m: Vector) -> Triple:
    """Some portal that the ray passes: turned about the ray until it does."""
    p = support(m)
    q = support(unit_or(p.w.cross(m), across(m)[0])[0])
    p, q = chosen(p.w.cross(q.w).dot(m) < 0.0, (q, p), (p, q))

    def turn(state: tuple[Triple, Scalar, Scalar]) -> tuple[Triple, Scalar, Scalar]:
        (p, q, _), _, turns = state
        r = support(p.w.cross(q.w))
        past_q, past_p = p.w.cross(r.w).dot(m) > 0.0, r.w.cross(q.w).dot(m) > 0.0
        new_p, new_q = chosen(past_q, (p, r), chosen(past_p, (r, q), (p, q)))
        return (new_p, new_q, r), where(past_q | past_p, 1.0, 0.0), turns + 1.0

    begun: tuple[Triple, Scalar, Scalar] = ((p, q, q), 1.0, 0.0)
    return loop(lambda s: (s[1] > 0.5) & (s[2] < MOST_TURNS), turn, begun)[0]

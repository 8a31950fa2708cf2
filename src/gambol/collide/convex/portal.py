"""The face through which a ray from inside leaves the difference of two bodies: portal refinement. [Snethen 2008]

A portal is a triangle of points of the difference that the ray passes through. Each step takes the support point along
the triangle's normal as a fourth corner, and keeps the triangle with this corner that the ray passes through. The last
portal lies in its support plane.
"""

from dataclasses import dataclass

from gambol.collide.convex.direction import unit_or
from gambol.collide.convex.distance import SupportFunction
from gambol.collide.convex.simplex import Corner, Triple
from gambol.collide.gap import select
from gambol.lanes import Scalar, loop, maximum, where, working_precision
from gambol.spatial import Vector
from gambol.spatial.vector import tangent_basis

MAX_TURNS = 20.0  # to find a portal
MAX_STEPS = 60.0  # to refine it; normals of ellipsoids are exact to 4e-4 rad after 40 steps, to 1e-5 after 60
# fraction of the extent: largest slack of the last portal
CONVERGENCE_TOLERANCE = {"float64": 1e-11, "float32": 1e-6}


@dataclass(frozen=True, slots=True)
class Portal:
    """Three corners about a ray, in order around it, and the support plane along their normal.

    normal: unit, outward. extent: support extent of the difference along the normal [m]. slack: distance of the support
    plane from the corners [m], 0 for a face.
    """

    corners: Triple
    normal: Vector
    extent: Scalar
    slack: Scalar


def exit_portal(support: SupportFunction, m: Vector) -> Portal:
    """Return the portal through which the ray from the origin along the unit vector m leaves the difference.

    The origin must be inside the difference; the deeper it is, the fewer steps are needed.
    """
    tolerance = CONVERGENCE_TOLERANCE[working_precision()]

    def refine(state: tuple[Portal, Scalar]) -> tuple[Portal, Scalar]:
        portal, steps = state
        return portal_of(support, _refined(portal, support(portal.normal), m)), steps + 1.0

    def is_loose(state: tuple[Portal, Scalar]) -> Scalar:
        portal, steps = state
        return (portal.slack > tolerance * (abs(portal.extent) + portal.slack)) & (steps < MAX_STEPS)

    return loop(is_loose, refine, (portal_of(support, _initial_triangle(support, m)), 0.0))[0]


def portal_of(support: SupportFunction, corners: Triple) -> Portal:
    """Return the portal of three corners; if its area is 0, its normal is the direction of the first corner."""
    p, q, r = (corner.w for corner in corners)
    normal = unit_or((q - p).cross(r - p), unit_or(p, tangent_basis(p)[0])[0])[0]
    extent = support(normal).w.dot(normal)
    return Portal(corners, normal, extent, maximum(extent - p.dot(normal), 0.0))


def _refined(portal: Portal, new: Corner, m: Vector) -> Triple:
    """Return the portal's corners with one of them replaced by a new one, so that the ray still passes through."""
    p, q, r = portal.corners
    side = m.cross(new.w)
    beyond_p, beyond_q, beyond_r = p.w.dot(side) > 0.0, q.w.dot(side) > 0.0, r.w.dot(side) > 0.0
    past_p = select(beyond_q, (new, q, r), (p, q, new))
    before_p = select(beyond_r, (p, new, r), (new, q, r))
    return select(beyond_p, past_p, before_p)


def _initial_triangle(support: SupportFunction, m: Vector) -> Triple:
    """Return the corners of a portal that the ray passes through: a triangle turned until it does."""
    p = support(m)
    q = support(unit_or(p.w.cross(m), tangent_basis(m)[0])[0])
    p, q = select(p.w.cross(q.w).dot(m) < 0.0, (q, p), (p, q))

    def turn(state: tuple[Triple, Scalar, Scalar]) -> tuple[Triple, Scalar, Scalar]:
        (p, q, _), _, turns = state
        r = support(p.w.cross(q.w))
        past_q, past_p = p.w.cross(r.w).dot(m) > 0.0, r.w.cross(q.w).dot(m) > 0.0
        new_p, new_q = select(past_q, (p, r), select(past_p, (r, q), (p, q)))
        return (new_p, new_q, r), where(past_q | past_p, 1.0, 0.0), turns + 1.0

    start: tuple[Triple, Scalar, Scalar] = ((p, q, q), 1.0, 0.0)
    return loop(lambda s: (s[1] > 0.5) & (s[2] < MAX_TURNS), turn, start)[0]

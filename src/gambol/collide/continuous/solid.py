"""The time of impact of a moving ball and any convex solid: Newton's method on their distance, without misses.

Along a straight motion the distance f(t) from a convex body is a convex function of time. Newton's steps t - f / f'
from the left of its first root never pass the root, and if f does not decrease there is no root. Round solids take
about 5 steps; at a grazing contact every step only quarters f.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gambol.collide.continuous.hit import Hit
from gambol.collide.continuous.mesh import Triangle, hull_table, nearest_on_hull, nearest_on_sheet, normal_of
from gambol.collide.continuous.round import BallMotion, capsule_hit, sphere_hit
from gambol.collide.convex import Geom, geom_of
from gambol.collide.gap import FAR
from gambol.collide.pairs.point import NEAREST, Nearest
from gambol.errors import FigureError
from gambol.figure import Hull
from gambol.lanes import Scalar, is_finite, loop, where, working_precision
from gambol.spatial import Transform, Vector

MAX_STEPS = 64.0  # grazing contacts take some 30
DISTANCE_TOLERANCE = {"float64": 1e-14, "float32": 2e-6}  # fraction of the lengths: the rounding of a distance
# fraction of the lengths: a motion that comes nearer than this has touched
GRAZE_TOLERANCE = {"float64": 1e-9, "float32": 1e-5}

NearestFunction = Callable[[Vector], Nearest]


@dataclass(frozen=True, slots=True)
class NewtonState:
    """The state of Newton's method: the time, running (1 until it ends, then 0), and number of steps."""

    time: Scalar
    running: Scalar
    steps: Scalar


def convex_hit(ball: BallMotion, nearest: NearestFunction, *, deep: bool = False) -> Hit:
    """Return the hit of a ball on a convex body.

    ball: its motion. nearest: function of a point, in the axes of the motion, that returns the nearest point of the
    body's surface. deep: True to report the negative gap [m] as the time for a ball that starts in the body, so that
    the first of several hits is the hit on the body with the deepest overlap.
    """
    precision = working_precision()
    size = ball.start.length() + ball.motion.length() + ball.radius

    def step(a: NewtonState) -> NewtonState:
        gap, speed, _ = _gap_at(ball, nearest, a.time)
        approaches = (gap > DISTANCE_TOLERANCE[precision] * size) & (speed < 0.0)
        time = a.time + where(approaches, gap / where(approaches, -speed, 1.0), 0.0)
        return NewtonState(time, where(approaches & (time <= 1.0), 1.0, 0.0), a.steps + 1.0)

    def not_finished(a: NewtonState) -> Scalar:
        return (a.running > 0.5) & (a.steps < MAX_STEPS)

    time = loop(not_finished, step, NewtonState(0.0, 1.0, 0.0)).time
    gap, speed, normal = _gap_at(ball, nearest, time)
    starts_in_contact = (gap < 0.0) | ((gap <= DISTANCE_TOLERANCE[precision] * size) & (speed < 0.0))
    hits = where(
        time > 0.0, where(gap <= GRAZE_TOLERANCE[precision] * size, 1.0, 0.0), where(starts_in_contact, 1.0, 0.0)
    )
    reported = where((gap < 0.0) & (time <= 0.0), gap, time) if deep else time
    return Hit(where((hits > 0.5) & (time <= 1.0) & is_finite(size), reported, FAR), normal)


def _gap_at(ball: BallMotion, nearest: NearestFunction, time: Scalar) -> tuple[Scalar, Scalar, Vector]:
    """Return the gap of ball and body at a time [m], its derivative, and the normal."""
    closest = nearest(ball.at(time))
    return closest.distance - ball.radius, closest.normal.dot(ball.motion), closest.normal


def triangle_hit(ball: BallMotion, triangle: Triangle, *, deep: bool = False) -> Hit:
    """Return the hit of a ball on a triangle, from either side.

    ball: its motion. triangle: its corners; a ball that starts on it counts as above it. deep: as for convex_hit().
    """
    above = (ball.start - triangle[0]).dot(normal_of(triangle)) >= 0.0
    side = where(above, 1.0, -1.0)
    return convex_hit(ball, lambda p: nearest_on_sheet(p, triangle, side), deep=deep)


def time_of_impact(shape: Any, pose: Transform, ball: BallMotion) -> Hit:
    """Return the first hit of a ball in straight motion on a shape at rest.

    shape: a shape of a figure, or a Geom. pose: pose of the shape in the world. ball: its motion, in world axes;
    relative to the shape if that moves too. The time is exact to rounding: in closed form for spheres and capsules, by
    Newton's method for other shapes. Raises FigureError for planes, pipes, height fields, and a hull that is given as a
    Geom.
    """
    to_local = pose.rotation.transpose
    local_ball = BallMotion(to_local @ (ball.start - pose.position), to_local @ ball.motion, ball.radius)
    hit = _hull_hit(local_ball, shape) if isinstance(shape, Hull) else _geom_hit(local_ball, geom_of(shape))
    return Hit(hit.time, pose.rotation @ hit.normal)


def _hull_hit(ball: BallMotion, hull: Hull) -> Hit:
    table = hull_table(hull)
    return convex_hit(ball, lambda p: nearest_on_hull(table, p))


def _geom_hit(ball: BallMotion, geom: Geom) -> Hit:
    if geom.kind in ROUND:
        return ROUND[geom.kind](ball, geom)
    if geom.kind not in NEAREST:
        raise FigureError(f"the Geom of a {geom.kind} has no time of impact; use plane_hit, or give the Hull")
    return convex_hit(ball, lambda p: NEAREST[geom.kind](geom, p))


def _sphere(ball: BallMotion, geom: Geom) -> Hit:
    return sphere_hit(ball, Vector(0.0, 0.0, 0.0), geom.sizes[0])


def _capsule(ball: BallMotion, geom: Geom) -> Hit:
    radius, length = geom.sizes
    return capsule_hit(ball, Vector(0.0, 0.0, -0.5 * length), Vector(0.0, 0.0, 0.5 * length), radius)


ROUND: dict[str, Callable[[BallMotion, Geom], Hit]] = {"sphere": _sphere, "capsule": _capsule}
"""The function in closed form of each round kind of geom."""

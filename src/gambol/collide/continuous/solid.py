"""The time of impact of a moving ball and any convex solid: Newton's method on its distance, which cannot miss.

Along a straight motion the distance f(t) from a convex body is a convex function of time. Newton's steps t - f / f'
from the left of its first root never pass the root, and where f no longer falls there is no root. Round solids take
some 5 steps; at a grazing contact every step only quarters f.
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

MAX_STEPS = 64.0  # a grazing contact reaches rounding in some 30
CLOSE = {"float64": 1e-14, "float32": 2e-6}  # of the lengths involved: the rounding of a distance
GRAZE = {"float64": 1e-9, "float32": 1e-5}  # of these: a motion that turns back nearer than this has touched

NearestFunction = Callable[[Vector], Nearest]


@dataclass(frozen=True, slots=True)
class NewtonState:
    """The state of Newton's method: the time, running (1, else 0), and number of steps."""

    time: Scalar
    running: Scalar
    steps: Scalar


def convex_hit(ball: BallMotion, nearest: NearestFunction, *, deep: bool = False) -> Hit:
    """Return when a ball meets a convex body.

    ball: its motion. nearest: the nearest point of the body's surface to a point, with the signed distance, in the axes
    of the motion. deep: give a ball that starts in the body the negative gap for a time [m], to find which body it
    overlaps most.
    """
    precision = working_precision()
    size = ball.start.length() + ball.motion.length() + ball.radius

    def step(a: NewtonState) -> NewtonState:
        gap, speed, _ = _gap_at(ball, nearest, a.time)
        nearer = (gap > CLOSE[precision] * size) & (speed < 0.0)
        time = a.time + where(nearer, gap / where(nearer, -speed, 1.0), 0.0)
        return NewtonState(time, where(nearer & (time <= 1.0), 1.0, 0.0), a.steps + 1.0)

    def goes_on(a: NewtonState) -> Scalar:
        return (a.running > 0.5) & (a.steps < MAX_STEPS)

    time = loop(goes_on, step, NewtonState(0.0, 1.0, 0.0)).time
    gap, speed, normal = _gap_at(ball, nearest, time)
    at_once = (gap < 0.0) | ((gap <= CLOSE[precision] * size) & (speed < 0.0))
    hits = where(time > 0.0, where(gap <= GRAZE[precision] * size, 1.0, 0.0), where(at_once, 1.0, 0.0))
    reported = where((gap < 0.0) & (time <= 0.0), gap, time) if deep else time
    return Hit(where((hits > 0.5) & (time <= 1.0) & is_finite(size), reported, FAR), normal)


def _gap_at(ball: BallMotion, nearest: NearestFunction, time: Scalar) -> tuple[Scalar, Scalar, Vector]:
    """Return the gap of ball and body at a time [m], its rate [m per motion], and the normal."""
    near = nearest(ball.at(time))
    return near.distance - ball.radius, near.normal.dot(ball.motion), near.normal


def triangle_hit(ball: BallMotion, triangle: Triangle, *, deep: bool = False) -> Hit:
    """Return when a ball meets a triangle, from either side; a point that starts on it is on the side of its normal.

    ball: its motion. triangle: its corners. deep: as of convex_hit.
    """
    above = (ball.start - triangle[0]).dot(normal_of(triangle)) >= 0.0
    side = where(above, 1.0, -1.0)
    return convex_hit(ball, lambda p: nearest_on_sheet(p, triangle, side), deep=deep)


def time_of_impact(shape: Any, pose: Transform, ball: BallMotion) -> Hit:
    """Return when a ball or point in straight motion first meets a shape at rest.

    shape: a shape of a figure, or a Geom. pose: of the shape in the world. ball: its motion, in world axes; if the
    shape moves too, relative to the shape. Exact, to rounding, in closed form for spheres and capsules, by Newton's
    method for the rest. Raises FigureError for the Geoms of planes and of hulls, which lack faces.
    """
    back = pose.rotation.transpose
    own = BallMotion(back @ (ball.start - pose.position), back @ ball.motion, ball.radius)
    hit = _hull_hit(own, shape) if isinstance(shape, Hull) else _geom_hit(own, geom_of(shape))
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
"""Kinds that a ball meets in closed form."""

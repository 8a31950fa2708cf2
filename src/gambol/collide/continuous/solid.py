"""When a moving ball meets any convex solid: Newton's method on its distance, which cannot miss.

Along a straight way the distance f(t) from a convex body is a convex function of time. Newton's steps t - f / f' from
the left of its first root therefore never pass the root, and where f no longer falls before it gets there, it never
will. Round solids take some 5 steps; a way that just grazes quarters f with every step.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gambol.collide.continuous.hit import Hit
from gambol.collide.continuous.mesh import Triangle, beside_triangle, hull_table, nearest_on_hull, normal_of
from gambol.collide.continuous.round import Way, capsule_hit, sphere_hit
from gambol.collide.convex import Form, form_of
from gambol.collide.gap import FAR
from gambol.collide.pairs.point import NEAREST, Nearest
from gambol.errors import FigureError
from gambol.figure import Hull
from gambol.lanes import Scalar, is_finite, loop, where, working_precision
from gambol.spatial import Transform, Vector

MOST_STEPS = 64.0  # a way that grazes quarters its distance each time, down to rounding in some 30
CLOSE = {"float64": 1e-14, "float32": 2e-6}  # of the lengths involved: as near as rounding lets a distance be told
GRAZE = {"float64": 1e-9, "float32": 1e-5}  # of these: a way that turns back this near has touched

Measured = Callable[[Vector], Nearest]


@dataclass(frozen=True, slots=True)
class Approach:
    """How far Newton's method has come: the time, whether it goes on (1, else 0), and its steps."""

    time: Scalar
    going: Scalar
    steps: Scalar


def convex_hit(way: Way, measured: Measured, *, deep: bool = False) -> Hit:
    """When a ball meets a convex body.

    measured: the nearest point of the body's surface to a point, with the signed distance, in the axes of the way.
    deep: give a ball that starts in the body the negative gap for a time [m], to tell what it lies in most.
    """
    precision = working_precision()
    size = way.start.length() + way.motion.length() + way.radius

    def step(a: Approach) -> Approach:
        gap, speed, _ = _seen(way, measured, a.time)
        nearer = (gap > CLOSE[precision] * size) & (speed < 0.0)
        time = a.time + where(nearer, gap / where(nearer, -speed, 1.0), 0.0)
        return Approach(time, where(nearer & (time <= 1.0), 1.0, 0.0), a.steps + 1.0)

    def goes_on(a: Approach) -> Scalar:
        return (a.going > 0.5) & (a.steps < MOST_STEPS)

    time = loop(goes_on, step, Approach(0.0, 1.0, 0.0)).time
    gap, speed, normal = _seen(way, measured, time)
    at_once = (gap < 0.0) | ((gap <= CLOSE[precision] * size) & (speed < 0.0))
    met = where(time > 0.0, where(gap <= GRAZE[precision] * size, 1.0, 0.0), where(at_once, 1.0, 0.0))
    told = where((gap < 0.0) & (time <= 0.0), gap, time) if deep else time
    return Hit(where((met > 0.5) & (time <= 1.0) & is_finite(size), told, FAR), normal)


def _seen(way: Way, measured: Measured, time: Scalar) -> tuple[Scalar, Scalar, Vector]:
    """At a time: the gap between ball and body [m], its rate [m per motion], and the normal."""
    near = measured(way.at(time))
    return near.distance - way.radius, near.normal.dot(way.motion), near.normal


def triangle_hit(way: Way, triangle: Triangle, *, deep: bool = False) -> Hit:
    """When a ball meets a triangle, from either side; a point that starts on it has the side that its normal faces.

    deep: as of convex_hit.
    """
    above = (way.start - triangle[0]).dot(normal_of(triangle)) >= 0.0
    side = where(above, 1.0, -1.0)
    return convex_hit(way, lambda p: beside_triangle(p, triangle, side), deep=deep)


def time_of_impact(shape: Any, pose: Transform, way: Way) -> Hit:
    """When a ball or point that moves straight on first meets a shape that stays.

    shape: a shape of a figure, or a Form. way: in world axes; where the shape moves too, of the ball as seen from it:
    the difference of both motions. Exact, to rounding, in closed form for spheres and capsules, by Newton's method for
    the rest. Raises FigureError for the Forms of planes and of hulls, which do not know their faces.
    """
    back = pose.rotation.transpose
    own = Way(back @ (way.start - pose.position), back @ way.motion, way.radius)
    hit = _hull(own, shape) if isinstance(shape, Hull) else _of_form(own, form_of(shape))
    return Hit(hit.time, pose.rotation @ hit.normal)


def _hull(way: Way, hull: Hull) -> Hit:
    table = hull_table(hull)
    return convex_hit(way, lambda p: nearest_on_hull(table, p))


def _of_form(way: Way, form: Form) -> Hit:
    if form.kind in ROUND:
        return ROUND[form.kind](way, form)
    if form.kind not in NEAREST:
        raise FigureError(f"when a ball meets a {form.kind} is not told by its form; see plane_hit, or give the Hull")
    return convex_hit(way, lambda p: NEAREST[form.kind](form, p))


def _sphere(way: Way, form: Form) -> Hit:
    return sphere_hit(way, Vector(0.0, 0.0, 0.0), form.sizes[0])


def _capsule(way: Way, form: Form) -> Hit:
    radius, length = form.sizes
    return capsule_hit(way, Vector(0.0, 0.0, -0.5 * length), Vector(0.0, 0.0, 0.5 * length), radius)


ROUND: dict[str, Callable[[Way, Form], Hit]] = {"sphere": _sphere, "capsule": _capsule}
"""Kinds that a ball meets in closed form."""

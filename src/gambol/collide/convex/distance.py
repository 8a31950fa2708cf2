"""Distance of two convex bodies by the method of Gilbert, Johnson and Keerthi. [GJK 1988; van den Bergen 2003]

The Minkowski difference of two bodies, the set of all a - b, contains the origin if they overlap; if not, the distance
of its nearest point from the origin is the distance of the bodies. The search keeps a simplex of points of the
difference. Each step adds the support point in the direction from the simplex to the origin, which gives a lower bound
of the distance.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from gambol.collide.convex.direction import MIN_LENGTH, ratio, unit_or
from gambol.collide.convex.simplex import Corner, Feature, Triple, nearest_feature
from gambol.collide.gap import UP, select
from gambol.lanes import Scalar, loop, maximum, sqrt, where, working_precision
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

MAX_STEPS = 60.0  # polyhedra end within 15, round bodies within about 40; slivers stall and stop early
TOUCH_TOLERANCE = {"float64": 1e-10, "float32": 1e-6}  # fraction of the size: smaller distances count as overlaps
OVERLAP_TOLERANCE = 1e-3  # fraction of the size: below it an inaccurate distance counts as an overlap
MAX_RELATIVE_ERROR = 1e-3  # above it a distance is inaccurate
# fraction of the distance: the search ends when its bounds agree to this
CONVERGENCE_TOLERANCE = {"float64": 1e-12, "float32": 1e-6}
ROUNDING_TOLERANCE = {"float64": 2e-16, "float32": 1e-7}  # fraction of the size: bounds cannot agree better

SupportFunction: TypeAlias = Callable[[Vector], Corner]


@dataclass(frozen=True, slots=True)
class Separation:
    """The result of a search: nearest points of two bodies, their distance, and a bound of its error [m].

    point_a, point_b: nearest points of the first and the second body. normal: unit, from the second to the first. All
    are in the frame of the search. overlap: 1 where the bodies touch, else 0. In an overlap gjk() returns only an
    approximate normal, and its other numbers are invalid.
    """

    point_a: Vector
    point_b: Vector
    normal: Vector
    distance: Scalar
    residual: Scalar
    overlap: Scalar


@dataclass(frozen=True, slots=True)
class GjkState:
    """The state of a search: nearest feature, best lower bound [m], running (1 until it ends), overlap, and steps."""

    feature: Feature
    bound: Scalar
    running: Scalar
    overlap: Scalar
    steps: Scalar


def gjk(support: SupportFunction, start: Vector) -> Separation:
    """Return the nearest points of two bodies.

    support: support point of their difference along a direction. start: a vector from a point of the second body to one
    of the first, such as their centres [m].
    """
    first = support(unit_or(-start, UP)[0])
    size_squared = start.dot(start) + first.w.dot(first.w)
    tolerance, rounding = (
        CONVERGENCE_TOLERANCE[working_precision()],
        ROUNDING_TOLERANCE[working_precision()] * sqrt(size_squared),
    )
    touch_squared = size_squared * TOUCH_TOLERANCE[working_precision()] ** 2 + MIN_LENGTH * MIN_LENGTH
    corners: Triple = (first, first, first)
    feature = Feature(corners, (1.0, 0.0, 0.0), first.w, first.w.dot(first.w))

    def step(s: GjkState) -> GjkState:
        new = support(-s.feature.v)
        length = sqrt(s.feature.squared)
        bound = maximum(s.bound, ratio(new.w.dot(s.feature.v), length))
        feature, inside = nearest_feature(new, s.feature.corners)
        converged = length - bound <= tolerance * length + rounding
        improves = (feature.squared < s.feature.squared) & (feature.squared > touch_squared)
        nearest = select(improves, feature, s.feature)
        running = where(converged | inside, 0.0, where(improves, 1.0, 0.0))
        touching = where(inside | (feature.squared <= touch_squared), where(converged, 0.0, 1.0), 0.0)
        return GjkState(nearest, bound, running, touching, s.steps + 1.0)

    initial = GjkState(feature, 0.0, 1.0, where(feature.squared <= touch_squared, 1.0, 0.0), 0.0)
    end = loop(lambda s: (s.running > 0.5) & (s.steps < MAX_STEPS), step, initial)
    return _separation(end, size_squared * OVERLAP_TOLERANCE**2)


def _separation(end: GjkState, shallow_squared: Scalar) -> Separation:
    """Return the result of a search. A small distance with a large error counts as an overlap.

    In such a case the simplex is so much larger than the distance that the normal is unknown.
    """
    point_a, f = ZERO, end.feature
    for corner, weight in zip(f.corners, f.weights, strict=True):
        point_a = point_a + corner.a * weight
    normal, length = unit_or(f.v, UP)
    residual = maximum(length - end.bound, 0.0)
    unreliable = (residual > MAX_RELATIVE_ERROR * length) & (f.squared < shallow_squared)
    return Separation(point_a, point_a - f.v, normal, length, residual, where(unreliable, 1.0, end.overlap))

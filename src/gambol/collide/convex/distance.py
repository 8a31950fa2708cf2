"""How far apart two convex bodies are, by the method of Gilbert, Johnson and Keerthi. [GJK 1988; van den Bergen 2003]

The difference of two bodies, all a - b, holds the origin where they overlap; elsewhere its nearest point to the origin
is as far away as they are apart. A simplex of its points closes in on that point: each step adds the support point
against the direction found so far, whose plane bounds the distance from below.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from gambol.collide.convex.direction import TINY, ratio, unit_or
from gambol.collide.convex.simplex import Corner, Feature, Triple, nearest_feature
from gambol.collide.gap import UP, chosen
from gambol.lanes import Scalar, loop, maximum, sqrt, where, working_precision
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

MOST_STEPS = 60.0  # polyhedra end within 15, round bodies within about 40; slivers stop early because they stand still
TOUCH = {"float64": 1e-10, "float32": 1e-6}  # of the bodies' size: nearer ones count as overlapping
SHALLOW, LOST = 1e-3, 1e-3  # of the size, and of the distance: nearer ones whose distance is less sure are lost
CLOSE = {"float64": 1e-12, "float32": 1e-6}  # of the distance: where both bounds agree to this, they are equal
ROUNDING = {"float64": 2e-16, "float32": 1e-7}  # of the size: bounds cannot agree better than that

Supported: TypeAlias = Callable[[Vector], Corner]


@dataclass(frozen=True, slots=True)
class Apart:
    """Two bodies as a search found them: points of the first and second, how far apart, how far that may be off [m].

    here, there: in the frame of the search, as is normal: unit, from the second to the first. overlap: 1 where they
    touch, else 0; a search for the distance then knows the normal only roughly, and nothing else.
    """

    here: Vector
    there: Vector
    normal: Vector
    distance: Scalar
    residual: Scalar
    overlap: Scalar


@dataclass(frozen=True, slots=True)
class Search:
    """Where a search stands: the nearest feature, the best lower bound [m], whether it goes on (1, else 0), steps."""

    feature: Feature
    bound: Scalar
    going: Scalar
    inside: Scalar
    steps: Scalar


def distance(support: Supported, start: Vector) -> Apart:
    """The nearest points of two bodies.

    support: the corner of their difference that is furthest along a direction. start: any direction from the second
    body to the first, such as that of their centres.
    """
    first = support(unit_or(-start, UP)[0])
    scale = start.dot(start) + first.w.dot(first.w)
    close, blur = CLOSE[working_precision()], ROUNDING[working_precision()] * sqrt(scale)
    touch = scale * TOUCH[working_precision()] ** 2 + TINY * TINY
    corners: Triple = (first, first, first)
    feature = Feature(corners, (1.0, 0.0, 0.0), first.w, first.w.dot(first.w))

    def step(s: Search) -> Search:
        new = support(-s.feature.v)
        length = sqrt(s.feature.squared)
        bound = maximum(s.bound, ratio(new.w.dot(s.feature.v), length))
        feature, inside = nearest_feature(new, s.feature.corners)
        near = length - bound <= close * length + blur
        goes_on = (feature.squared < s.feature.squared) & (feature.squared > touch)
        kept = chosen(goes_on, feature, s.feature)
        going = where(near | inside, 0.0, where(goes_on, 1.0, 0.0))
        touching = where(inside | (feature.squared <= touch), where(near, 0.0, 1.0), 0.0)
        return Search(kept, bound, going, touching, s.steps + 1.0)

    begun = Search(feature, 0.0, 1.0, where(feature.squared <= touch, 1.0, 0.0), 0.0)
    end = loop(lambda s: (s.going > 0.5) & (s.steps < MOST_STEPS), step, begun)
    return _found(end, scale * SHALLOW**2)


def _found(end: Search, shallow: Scalar) -> Apart:
    """The outcome of a search; one that stood still very near to touching counts as an overlap.

    There the simplex is so much larger than the distance that it cannot tell its direction.
    """
    here, f = ZERO, end.feature
    for corner, weight in zip(f.corners, f.weights, strict=True):
        here = here + corner.a * weight
    normal, length = unit_or(f.v, UP)
    residual = maximum(length - end.bound, 0.0)
    lost = (residual > LOST * length) & (f.squared < shallow)
    return Apart(here, here - f.v, normal, length, residual, where(lost, 1.0, end.inside))

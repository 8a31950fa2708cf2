"""Convex hulls of balls, the shapes that other packages can add: support points, extents and bounds.

h(d) = max over the balls of c . d + r |d|
"""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TypeAlias

from gambol.collide.convex.direction import ratio
from gambol.collide.convex.geom import Geom
from gambol.collide.gap import select
from gambol.lanes import Scalar, maximum, minimum, sqrt
from gambol.spatial import Vector

Balls: TypeAlias = Sequence[tuple[Vector, Scalar]]

BALL_HULLS: dict[str, Callable[[Sequence[Scalar]], Balls]] = {}
"""The balls of each added kind of shape, from its sizes; see collide.add_shape()."""


def balls_of(geom: Geom) -> Balls:
    """Return centre and radius of the balls of a geom of an added kind, in its frame [m]."""
    return BALL_HULLS[geom.kind](geom.sizes)


def highest_point(geom: Geom, d: Vector) -> Vector:
    """Return the point that is furthest along a vector d of any length; if several are, that of the first ball."""
    length = sqrt(d.dot(d))
    direction = d * ratio(1.0, length)
    (centre, radius), *others = balls_of(geom)
    best, furthest = (centre, radius), centre.dot(d) + radius * length
    for centre, radius in others:
        height = centre.dot(d) + radius * length
        best, furthest = select(height > furthest, ((centre, radius), height), (best, furthest))
    return best[0] + direction * best[1]


def extent(geom: Geom, d: Vector) -> Scalar:
    """Return the extent from the origin along d [m, times the length of d]."""
    length = d.length()
    return reduce(maximum, [centre.dot(d) + radius * length for centre, radius in balls_of(geom)])


def bounding_ball(geom: Geom) -> tuple[Vector, Scalar]:
    """Return centre and radius of a ball about all balls, at the mean of their centres [m]."""
    balls = balls_of(geom)
    middle = sum((centre for centre, _ in balls[1:]), balls[0][0]) * (1.0 / len(balls))
    return middle, reduce(maximum, [(centre - middle).length() + radius for centre, radius in balls])


def bounding_box(geom: Geom) -> tuple[Vector, Vector]:
    """Return the centre and the half edges of the bounding box along the axes of the frame [m]."""
    balls = balls_of(geom)
    low = Vector.of([reduce(minimum, [centre[k] - radius for centre, radius in balls]) for k in range(3)])
    high = Vector.of([reduce(maximum, [centre[k] + radius for centre, radius in balls]) for k in range(3)])
    return (low + high) * 0.5, (high - low) * 0.5

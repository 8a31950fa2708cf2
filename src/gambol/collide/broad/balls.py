"""Bounding balls: the smallest about each kind of shape, and nearly the smallest about points. [Parent ch. 4]"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from gambol.collide.convex import Geom, field_box, geom_of
from gambol.figure import Triple
from gambol.lanes import Scalar, clamp, maximum, sqrt
from gambol.spatial import Transform, Vector

ITERATIONS = 300  # for points; the radius is then at most 1 + 1/sqrt(300) times the smallest


@dataclass(frozen=True, slots=True)
class Ball:
    """A bounding sphere: its centre and radius [m]."""

    centre: Vector
    radius: Scalar


def ball(shape: Any, pose: Transform) -> Ball:
    """Return the smallest ball about a shape in a pose, in world axes; slightly larger for hulls and height fields."""
    geom = geom_of(shape)
    local = BALLS[geom.kind](geom)
    return Ball(pose @ local.centre, local.radius)


def balls_meet(a: Ball, b: Ball, margin: Scalar = 0.0) -> Scalar:
    """Return True where the gap between two balls is at most a margin [m]; traceable, and without square roots."""
    difference, distance = a.centre - b.centre, a.radius + b.radius + margin
    return difference.dot(difference) <= distance * distance


def ball_of_points(points: Iterable[Triple]) -> Ball:
    """Return a ball that contains points, mostly within 1 % of the smallest. [Badoiu & Clarkson 2003]

    Its centre moves towards the furthest point, each time by a smaller fraction of the distance.
    """
    return _ball_of_points(tuple(points))


@lru_cache(maxsize=1024)
def _ball_of_points(points: tuple[Triple, ...]) -> Ball:
    """Return the ball of points, cached, since the meshes of a robot are used many times."""
    cloud = np.array(points, float)
    centre = (cloud.min(axis=0) + cloud.max(axis=0)) / 2.0
    for step in range(ITERATIONS):
        furthest = int(np.argmax(np.sum((cloud - centre) ** 2, axis=1)))
        centre += (cloud[furthest] - centre) / (step + 2)
    x, y, z = (float(c) for c in centre)
    return Ball(Vector(x, y, z), float(np.max(np.linalg.norm(cloud - centre, axis=1))))


def _centred(radius: Scalar) -> Ball:
    return Ball(Vector(0.0, 0.0, 0.0), radius)


def _frustum(geom: Geom) -> Ball:
    """Return the ball through both rims if its centre lies between them, else the ball around the wider rim."""
    a, b, length = geom.sizes
    h = 0.5 * length
    z = clamp((b - a) * (b + a) / (4.0 * h), -h, h)
    return Ball(Vector(0.0, 0.0, z), maximum(_hypot(a, z + h), _hypot(b, z - h)))


def _ellipsoid(geom: Geom) -> Ball:
    x, y, z = geom.sizes
    return _centred(maximum(x, maximum(y, z)))


def _field(geom: Geom) -> Ball:
    """Return the ball around the bounding box of a height field."""
    middle, half = field_box(geom)
    return Ball(middle, half.length())


def _hypot(a: Scalar, b: Scalar) -> Scalar:
    return sqrt(a * a + b * b)


def _hull(geom: Geom) -> Ball:
    if geom.bounds:
        x, y, z, radius = geom.bounds[:4]
        return Ball(Vector(x, y, z), radius)
    return ball_of_points(geom.vertices)


BALLS: dict[str, Callable[[Geom], Ball]] = {
    "box": lambda geom: _centred(0.5 * Vector.of(geom.sizes).length()),
    "sphere": lambda geom: _centred(geom.sizes[0]),
    "capsule": lambda geom: _centred(geom.sizes[0] + 0.5 * geom.sizes[1]),
    "cylinder": lambda geom: _centred(_hypot(geom.sizes[0], 0.5 * geom.sizes[1])),
    "frustum": _frustum,
    "ellipsoid": _ellipsoid,
    "hull": _hull,
    "pipe": lambda geom: _centred(_hypot(geom.sizes[1], 0.5 * geom.sizes[2])),
    "height_field": _field,
}

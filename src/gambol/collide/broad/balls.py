"""Bounding spheres: the smallest about each shape, and one about points that is hardly larger. [Parent ch. 4]"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from gambol.collide.convex import Form, field_box, form_of
from gambol.figure import Triple
from gambol.lanes import Scalar, clamp, maximum, sqrt
from gambol.spatial import Transform, Vector

STEPS = 300  # the radius is then at most 1 + 1/sqrt(300) times the smallest


@dataclass(frozen=True, slots=True)
class Ball:
    """A sphere that bounds something: its centre and radius [m]."""

    centre: Vector
    radius: Scalar


def ball(shape: Any, pose: Transform) -> Ball:
    """The smallest ball about a shape in a pose, in world axes; about a hull one a little larger."""
    form = form_of(shape)
    own = BALLS[form.kind](form)
    return Ball(pose @ own.centre, own.radius)


def balls_meet(a: Ball, b: Ball, margin: Scalar = 0.0) -> Scalar:
    """Whether two balls come nearer to each other than a margin [m], which may be traced: no root is taken."""
    apart, reach = a.centre - b.centre, a.radius + b.radius + margin
    return apart.dot(apart) <= reach * reach


def ball_of_points(points: Iterable[Triple]) -> Ball:
    """A ball about points, mostly within 1 % of the smallest. [Badoiu & Clarkson 2003]

    Its centre goes towards the furthest point, each time by a smaller part of the way.
    """
    return _about(tuple(points))


@lru_cache(maxsize=1024)
def _about(points: tuple[Triple, ...]) -> Ball:
    """The ball of points: a robot's meshes are asked for theirs again and again."""
    cloud = np.array(points, float)
    centre = (cloud.min(axis=0) + cloud.max(axis=0)) / 2.0
    for step in range(STEPS):
        furthest = int(np.argmax(np.sum((cloud - centre) ** 2, axis=1)))
        centre += (cloud[furthest] - centre) / (step + 2)
    x, y, z = (float(c) for c in centre)
    return Ball(Vector(x, y, z), float(np.max(np.linalg.norm(cloud - centre, axis=1))))


def _centred(radius: Scalar) -> Ball:
    return Ball(Vector(0.0, 0.0, 0.0), radius)


def _frustum(form: Form) -> Ball:
    """Through both rims if their planes enclose its centre, else about the wider rim."""
    a, b, length = form.sizes
    h = 0.5 * length
    z = clamp((b - a) * (b + a) / (4.0 * h), -h, h)
    return Ball(Vector(0.0, 0.0, z), maximum(_hypot(a, z + h), _hypot(b, z - h)))


def _ellipsoid(form: Form) -> Ball:
    x, y, z = form.sizes
    return _centred(maximum(x, maximum(y, z)))


def _field(form: Form) -> Ball:
    """About the box of a height field."""
    middle, half = field_box(form)
    return Ball(middle, half.length())


def _hypot(a: Scalar, b: Scalar) -> Scalar:
    return sqrt(a * a + b * b)


BALLS: dict[str, Callable[[Form], Ball]] = {
    "box": lambda form: _centred(0.5 * Vector.of(form.sizes).length()),
    "sphere": lambda form: _centred(form.sizes[0]),
    "capsule": lambda form: _centred(form.sizes[0] + 0.5 * form.sizes[1]),
    "cylinder": lambda form: _centred(_hypot(form.sizes[0], 0.5 * form.sizes[1])),
    "frustum": _frustum,
    "ellipsoid": _ellipsoid,
    "hull": lambda form: ball_of_points(form.vertices),
    "pipe": lambda form: _centred(_hypot(form.sizes[1], 0.5 * form.sizes[2])),
    "height_field": _field,
}

"""The distance along a ray to each kind of shape, in closed form: the table SOLID_RAYS. [Ericson 2005, section 5.3]

A convex solid is an intersection of simple sets, and the part of a ray inside it is the intersection of their
intervals:

    box, hull     a slab or a half space for each face          ellipsoid   the unit ball, in axes scaled to it
    cylinder      x^2 + y^2 <= r^2 and the slab of its ends     frustum     x^2 + y^2 <= r(z)^2 and the slab of its ends
    capsule       a cylinder and two balls, the nearest one     pipe      a cylinder without the inside of a thinner one

A height field is a box without the space above its heights: inside the box the ray goes from line to line of its grid.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from gambol.collide.convex import Geom, geom_of
from gambol.collide.convex.direction import ratio
from gambol.collide.convex.geom import field_box
from gambol.collide.gap import FAR
from gambol.collide.height_grid import HeightGrid
from gambol.collide.rays.ground import grid_distance
from gambol.collide.rays.interval import (
    Interval,
    Ray,
    below,
    between_roots,
    first_outside,
    half_space,
    slab,
)
from gambol.errors import FigureError
from gambol.lanes import Scalar, minimum, where
from gambol.spatial import Transform, Vector


def shape_distance(ray: Ray, shape: Any, pose: Transform) -> Scalar:
    """Return the distance along a ray to a shape [m]: 0 for an origin inside, FAR if the ray misses.

    ray: the ray, in world axes. shape: shape of a figure, or a Geom. pose: pose of the shape in the world. Raises
    FigureError for a kind that is not in SOLID_RAYS.
    """
    geom = geom_of(shape)
    check_shape_rays(geom.kind)
    return SOLID_RAYS[geom.kind](geom, ray.local(pose))


def check_shape_rays(kind: str) -> None:
    """Raise FigureError if rays cannot be cast at a kind of shape."""
    if kind not in SOLID_RAYS:
        known = ", ".join(SOLID_RAYS)
        raise FigureError(f"rays cannot be cast at a {kind}; they can at {known}, and SOLID_RAYS takes more")


def _sphere(geom: Geom, ray: Ray) -> Scalar:
    return _ball(ray, geom.sizes[0]).distance


def _capsule(geom: Geom, ray: Ray) -> Scalar:
    radius, length = geom.sizes
    ends = [Ray(ray.origin + Vector(0.0, 0.0, z), ray.direction) for z in (0.5 * length, -0.5 * length)]
    nearest = (_round_side(ray, radius) & slab(ray.origin.z, ray.direction.z, 0.5 * length)).distance
    for end in ends:
        nearest = minimum(nearest, _ball(end, radius).distance)
    return nearest


def _box(geom: Geom, ray: Ray) -> Scalar:
    x, y, z = (slab(o, d, 0.5 * edge) for o, d, edge in zip(ray.origin, ray.direction, geom.sizes, strict=True))
    return (x & y & z).distance


def _cylinder(geom: Geom, ray: Ray) -> Scalar:
    return _cylinder_interval(ray, *geom.sizes).distance


def _cylinder_interval(ray: Ray, radius: Scalar, length: Scalar) -> Interval:
    return _round_side(ray, radius) & slab(ray.origin.z, ray.direction.z, 0.5 * length)


def _frustum(geom: Geom, ray: Ray) -> Scalar:
    base, top, length = geom.sizes
    o, d = ray.origin, ray.direction
    slope = (top - base) / length
    # the radius of the cone at the ray is r(t) = radius + change t
    radius, change = base + slope * (o.z + 0.5 * length), slope * d.z
    a = d.x * d.x + d.y * d.y - change * change
    b = o.x * d.x + o.y * d.y - radius * change
    c = o.x * o.x + o.y * o.y - radius * radius
    ends = slab(o.z, d.z, 0.5 * length)
    discriminant = b * b - a * c
    across = (ends & between_roots(a, b, c, discriminant)).distance
    # for a < 0 the ray is inside the cone except between the roots
    along = first_outside(ends, between_roots(-a, -b, -c, discriminant)).distance
    parallel = (ends & below(c, 2.0 * b)).distance
    return where(a > 0.0, across, where(a < 0.0, along, parallel))


def _ellipsoid(geom: Geom, ray: Ray) -> Scalar:
    o, d = (Vector.of([x / h for x, h in zip(v, geom.sizes, strict=True)]) for v in (ray.origin, ray.direction))
    return _ball(Ray(o, d), 1.0).distance


def _hull(geom: Geom, ray: Ray) -> Scalar:
    inside = Interval(-FAR, FAR)
    for face in geom.faces:
        corners = [Vector(*geom.vertices[k]) for k in face]
        normal = reduce(add, (a.cross(b) for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)))
        inside = inside & half_space(ray, normal, corners[0].dot(normal))
    return inside.distance


def _pipe(geom: Geom, ray: Ray) -> Scalar:
    inner, outer, length = geom.sizes
    return first_outside(_cylinder_interval(ray, outer, length), _round_side(ray, inner)).distance


def _height_field(geom: Geom, ray: Ray) -> Scalar:
    (spacing, _), (middle, half) = geom.sizes, field_box(geom)
    x, y, z = (slab(o - m, d, h) for o, d, m, h in zip(ray.origin, ray.direction, middle, half, strict=True))
    inside = x & y & z
    grid = HeightGrid(np.array(geom.heights), spacing, -half.x, -half.y)
    start = Ray(ray.at(inside.distance), ray.direction)
    further = grid_distance(start, grid, dict(grid.numbers()), grid.table(), inside.leave - inside.distance)
    return where(inside.is_empty | (further >= FAR), FAR, inside.distance + further)


def _ball(ray: Ray, radius: Scalar) -> Interval:
    """Return the part of a ray inside a ball about the origin; the ray's direction may have any length."""
    o, d = ray.origin, ray.direction
    dd, od, distance = d.dot(d), o.dot(d), o.length()
    closest = (o - d * ratio(od, dd)).length()
    return between_roots(
        dd, od, (distance - radius) * (distance + radius), dd * ((radius - closest) * (radius + closest))
    )


def _round_side(ray: Ray, radius: Scalar) -> Interval:
    """Return the part of a ray inside an infinite cylinder about z."""
    flat = [Vector(v.x, v.y, 0.0) for v in (ray.origin, ray.direction)]
    return _ball(Ray(*flat), radius)


SOLID_RAYS: dict[str, Callable[[Geom, Ray], Scalar]] = {
    "sphere": _sphere,
    "capsule": _capsule,
    "box": _box,
    "cylinder": _cylinder,
    "frustum": _frustum,
    "ellipsoid": _ellipsoid,
    "hull": _hull,
    "pipe": _pipe,
    "height_field": _height_field,
}
"""The function for each kind of shape: it takes a geom and a ray in the geom's axes, and returns the distance [m]."""

"""The support function of shapes: their extent along a direction. Boxes, slabs and swept volumes follow from it.

h(d) = max d . x  over all points x of the shape          [Ericson 2005, section 9.5.4]
"""

from collections.abc import Callable
from typing import Any

from gambol.collide.convex import Geom, field_box, geom_of
from gambol.lanes import Scalar, maximum, sqrt
from gambol.spatial import Transform, Vector


def _box(geom: Geom, d: Vector) -> Scalar:
    x, y, z = geom.sizes
    return 0.5 * (abs(d.x) * x + abs(d.y) * y + abs(d.z) * z)


def _sphere(geom: Geom, d: Vector) -> Scalar:
    return geom.sizes[0] * d.length()


def _capsule(geom: Geom, d: Vector) -> Scalar:
    radius, length = geom.sizes
    return radius * d.length() + 0.5 * length * abs(d.z)


def _cylinder(geom: Geom, d: Vector) -> Scalar:
    radius, length = geom.sizes
    return radius * _across(d) + 0.5 * length * abs(d.z)


def _frustum(geom: Geom, d: Vector) -> Scalar:
    base, top, length = geom.sizes
    out, up = _across(d), 0.5 * length * d.z
    return maximum(base * out - up, top * out + up)


def _ellipsoid(geom: Geom, d: Vector) -> Scalar:
    x, y, z = geom.sizes
    return Vector(d.x * x, d.y * y, d.z * z).length()


def _hull(geom: Geom, d: Vector) -> Scalar:
    largest, *others = [d.dot(Vector(*vertex)) for vertex in geom.vertices]
    for height in others:
        largest = maximum(height, largest)
    return largest


def _field(geom: Geom, d: Vector) -> Scalar:
    middle, half = field_box(geom)
    return d.dot(middle) + abs(d.x) * half.x + abs(d.y) * half.y + abs(d.z) * half.z


def _across(d: Vector) -> Scalar:
    """Return the length of the part of d that is normal to the axis of a shape of revolution."""
    return sqrt(d.x * d.x + d.y * d.y)


EXTENTS: dict[str, Callable[[Geom, Vector], Scalar]] = {
    "box": _box,
    "sphere": _sphere,
    "capsule": _capsule,
    "cylinder": _cylinder,
    "frustum": _frustum,
    "ellipsoid": _ellipsoid,
    "hull": _hull,
    "pipe": lambda geom, d: _cylinder(Geom("cylinder", geom.sizes[1:]), d),  # its outer cylinder
    "height_field": _field,
}


def local_extent(shape: Any, direction: Vector) -> Scalar:
    """Return the extent of a shape from its origin along a direction in its frame [m, times the direction's length].

    shape: a shape of a figure, or a Geom, whose sizes may be traced. direction: direction of any length.
    """
    geom = geom_of(shape)
    return EXTENTS[geom.kind](geom, direction)


def support_extent(shape: Any, pose: Transform, direction: Vector) -> Scalar:
    """Return the greatest direction . x over the points x of a shape in a pose [m, times the direction's length].

    shape, pose: the shape and its pose. direction: in world axes. The shape lies between -support_extent(-d) and
    support_extent(d).
    """
    return local_extent(shape, pose.rotation.transpose @ direction) + direction.dot(pose.position)

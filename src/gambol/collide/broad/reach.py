"""How far shapes reach along a direction: the support function, from which every box, slab and swept volume follows.

h(d) = max over points x of the shape of d . x          [Ericson 2005, section 9.5.4]
"""

from collections.abc import Callable
from typing import Any

from gambol.collide.convex import Form, field_box, form_of
from gambol.lanes import Scalar, maximum, sqrt
from gambol.spatial import Transform, Vector


def _box(form: Form, d: Vector) -> Scalar:
    x, y, z = form.sizes
    return 0.5 * (abs(d.x) * x + abs(d.y) * y + abs(d.z) * z)


def _sphere(form: Form, d: Vector) -> Scalar:
    return form.sizes[0] * d.length()


def _capsule(form: Form, d: Vector) -> Scalar:
    radius, length = form.sizes
    return radius * d.length() + 0.5 * length * abs(d.z)


def _cylinder(form: Form, d: Vector) -> Scalar:
    radius, length = form.sizes
    return radius * _across(d) + 0.5 * length * abs(d.z)


def _frustum(form: Form, d: Vector) -> Scalar:
    base, top, length = form.sizes
    out, up = _across(d), 0.5 * length * d.z
    return maximum(base * out - up, top * out + up)


def _ellipsoid(form: Form, d: Vector) -> Scalar:
    x, y, z = form.sizes
    return Vector(d.x * x, d.y * y, d.z * z).length()


def _hull(form: Form, d: Vector) -> Scalar:
    first, *rest = [d.dot(Vector(*vertex)) for vertex in form.vertices]
    for height in rest:
        first = maximum(height, first)
    return first


def _field(form: Form, d: Vector) -> Scalar:
    middle, half = field_box(form)
    return d.dot(middle) + abs(d.x) * half.x + abs(d.y) * half.y + abs(d.z) * half.z


def _across(d: Vector) -> Scalar:
    """The length of the part of d that is at right angles to the axis of a shape of revolution."""
    return sqrt(d.x * d.x + d.y * d.y)


REACHES: dict[str, Callable[[Form, Vector], Scalar]] = {
    "box": _box,
    "sphere": _sphere,
    "capsule": _capsule,
    "cylinder": _cylinder,
    "frustum": _frustum,
    "ellipsoid": _ellipsoid,
    "hull": _hull,
    "pipe": lambda form, d: _cylinder(Form("cylinder", form.sizes[1:]), d),
    "height_field": _field,
}


def own_reach(shape: Any, direction: Vector) -> Scalar:
    """How far a shape reaches from its own origin along a direction of its own frame [m times its length].

    shape: any of the figure's shapes, or a Form, whose sizes may be traced.
    """
    form = form_of(shape)
    return REACHES[form.kind](form, direction)


def reach(shape: Any, pose: Transform, direction: Vector) -> Scalar:
    """The greatest direction . x over the points x of a shape in a pose; direction in world axes [m times its length].

    The shape lies between -reach(-d) and reach(d) along d.
    """
    return own_reach(shape, pose.rotation.transpose @ direction) + direction.dot(pose.position)

"""Support points: the point of a convex form that lies furthest along a direction, in the form's own frame.

A form is a core, which these functions know, and a margin around it: a sphere is a point and a capsule a segment, with
their radius for a margin; the others are their own cores.
"""

from collections.abc import Callable

from gambol.collide.convex.direction import ratio
from gambol.collide.convex.form import Form
from gambol.collide.gap import chosen
from gambol.lanes import Scalar, sqrt, where
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

TILT = 0.02  # rad: faces within about a degree of each other touch by their corners; edges of a mesh bend by more


def margin(form: Form) -> Scalar:
    """How far a form reaches beyond its core [m]."""
    return form.sizes[0] if form.kind in ("sphere", "capsule") else 0.0


def centre(form: Form) -> Vector:
    """A point deep inside a form: the origin of its frame, or the mean of a hull's vertices [m]."""
    if form.kind != "hull":
        return ZERO
    total = ZERO
    for x, y, z in form.vertices:
        total = total + Vector(x, y, z)
    return total * (1.0 / len(form.vertices))


def support(form: Form, d: Vector) -> Vector:
    """The point of a form's core that is furthest along d, which need not be a unit vector [m]."""
    return CORES[form.kind](form, d)


def highest_vertex(form: Form, d: Vector) -> Vector:
    """The vertex of a hull that is furthest along d; of equals the first."""
    best = Vector(*form.vertices[0])
    furthest = best.dot(d)
    for corner in form.vertices[1:]:
        vertex = Vector(*corner)
        reach = vertex.dot(d)
        further = reach > furthest
        best, furthest = chosen(further, (vertex, reach), (best, furthest))
    return best


def tilted(d: Vector, u: Vector, v: Vector, by: float) -> tuple[Vector, Vector, Vector, Vector]:
    """A unit direction tilted by an angle [rad] towards u, v, -u and -v."""
    return d + u * by, d + v * by, d - u * by, d - v * by


def _along(length: Scalar, d: Scalar) -> Scalar:
    return where(d >= 0.0, 0.5 * length, -0.5 * length)


def _point(form: Form, d: Vector) -> Vector:
    return ZERO


def _segment(form: Form, d: Vector) -> Vector:
    return Vector(0.0, 0.0, _along(form.sizes[1], d.z))


def _box(form: Form, d: Vector) -> Vector:
    return Vector.of([_along(size, c) for size, c in zip(form.sizes, d, strict=True)])


def _frustum(form: Form, d: Vector) -> Vector:
    base, top, length = form.sizes
    rho = sqrt(d.x * d.x + d.y * d.y)
    up = top * rho + length * d.z >= base * rho
    scale = ratio(where(up, top, base), rho)
    return Vector(d.x * scale, d.y * scale, where(up, 0.5 * length, -0.5 * length))


def _cylinder(form: Form, d: Vector) -> Vector:
    scale = ratio(form.sizes[0], sqrt(d.x * d.x + d.y * d.y))
    return Vector(d.x * scale, d.y * scale, _along(form.sizes[1], d.z))


def _ellipsoid(form: Form, d: Vector) -> Vector:
    scaled = Vector.of([r * r * c for r, c in zip(form.sizes, d, strict=True)])
    return scaled * ratio(1.0, sqrt(scaled.dot(d)))


CORES: dict[str, Callable[[Form, Vector], Vector]] = {
    "sphere": _point,
    "capsule": _segment,
    "box": _box,
    "cylinder": _cylinder,
    "frustum": _frustum,
    "ellipsoid": _ellipsoid,
    "hull": highest_vertex,
}

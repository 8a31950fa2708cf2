"""The flat part of a form that faces a direction, as a quadrilateral or, where nothing is flat, as a line."""

from collections.abc import Callable
from dataclasses import dataclass

from gambol.collide.convex.direction import ratio, unit_or
from gambol.collide.convex.form import Form
from gambol.collide.convex.support import highest_vertex
from gambol.collide.gap import chosen
from gambol.lanes import Scalar, sqrt, where
from gambol.spatial import Transform, Vector
from gambol.spatial.vector import ZERO

THIN = 1e-6  # of a length: a cap of smaller radius is a cone's tip

Corners = tuple[Vector, Vector, Vector, Vector]


@dataclass(frozen=True, slots=True)
class Facet:
    """Four corners in order around it [m], and whether it is a line, from the first to the second (1, else 0)."""

    corners: Corners
    thin: Scalar

    @property
    def normal(self) -> Vector:
        """The unit normal about which the corners go anticlockwise; zero of a line."""
        p, q, r, s = self.corners
        return unit_or((r - p).cross(s - q), ZERO)[0]

    def moved(self, X: Transform) -> "Facet":
        """The facet in the axes that X leads to."""
        p, q, r, s = (X @ corner for corner in self.corners)
        return Facet((p, q, r, s), self.thin)


def facet(form: Form, d: Vector) -> Facet:
    """The facet of a form that faces a unit direction most, in the form's own frame.

    Of a capsule, its core: the line. Of a cylinder's end, four points of the rim. Of a hull's face of more corners than
    four, four of them. Spheres and ellipsoids have none.
    """
    return FACETS[form.kind](form, d)


def _line(p: Vector, q: Vector, thin: Scalar = 1.0) -> Facet:
    return Facet((p, q, q, p), thin)


def _capsule(form: Form, d: Vector) -> Facet:
    end = Vector(0.0, 0.0, 0.5 * form.sizes[1])
    return _line(-end, end)


def _box(form: Form, d: Vector) -> Facet:
    e = [Vector.axis(k, 0.5 * size) for k, size in enumerate(form.sizes)]
    by_x, by_y = (abs(d.x) > abs(d.y)) & (abs(d.x) > abs(d.z)), abs(d.y) > abs(d.z)
    up, u, v = chosen(by_x, (e[0], e[1], e[2]), chosen(by_y, (e[1], e[2], e[0]), (e[2], e[0], e[1])))
    middle = up * where(up.dot(d) >= 0.0, 1.0, -1.0)
    return Facet((middle + u + v, middle - u + v, middle - u - v, middle + u - v), 0.0)


def _cylinder(form: Form, d: Vector) -> Facet:
    radius, length = form.sizes
    return _frustum(Form("frustum", (radius, radius, length)), d)


def _frustum(form: Form, d: Vector) -> Facet:
    """A cap by four points of its rim, or the line of the side."""
    base, top, length = form.sizes
    rho = sqrt(d.x * d.x + d.y * d.y)
    outward = chosen(rho > 0.0, Vector(ratio(d.x, rho), ratio(d.y, rho), 0.0), Vector(1.0, 0.0, 0.0))
    up, h = d.z >= 0.0, 0.5 * length
    middle, radius = Vector(0.0, 0.0, where(up, h, -h)), where(up, top, base)
    u, v = outward * radius, Vector(-outward.y, outward.x, 0.0) * radius
    thin = where(radius <= THIN * length, 1.0, 0.0)
    cap = Facet((middle + u, middle + v, middle - u, middle - v), thin)
    side = _line(outward * base + Vector(0.0, 0.0, -h), outward * top + Vector(0.0, 0.0, h))
    taper = base - top
    sideways = ratio(rho * length + d.z * taper, sqrt(length * length + taper * taper))
    return chosen(abs(d.z) >= sideways, cap, side)


def _hull(form: Form, d: Vector) -> Facet:
    """The face whose normal is nearest to d; of a hull without faces its furthest vertex."""
    if not form.faces:
        vertex = highest_vertex(form, d)
        return _line(vertex, vertex)
    facets = [_face(form, face) for face in form.faces]
    best, towards = facets[0], facets[0].normal.dot(d)
    for other in facets[1:]:
        turned = other.normal.dot(d)
        best, towards = chosen(turned > towards, (other, turned), (best, towards))
    return best


def _face(form: Form, face: tuple[int, ...]) -> Facet:
    """Four corners of a hull's face, evenly chosen; of a triangle, the last one twice."""
    four = [face[k * len(face) // 4] for k in range(4)] if len(face) > 3 else [*face, *face[2:]]
    p, q, r, s = (Vector(*form.vertices[number]) for number in four)
    return Facet((p, q, r, s), 0.0)


FACETS: dict[str, Callable[[Form, Vector], Facet]] = {
    "capsule": _capsule,
    "box": _box,
    "cylinder": _cylinder,
    "frustum": _frustum,
    "hull": _hull,
}
"""What each kind of form that has flat or straight parts turns to a direction."""

"""The facet of a geom that faces a direction: a quadrilateral or, for curved surfaces, a line."""

from collections.abc import Callable
from dataclasses import dataclass

from gambol.collide.convex.direction import ratio, unit_or
from gambol.collide.convex.geom import Geom
from gambol.collide.convex.support import highest_vertex
from gambol.collide.gap import select
from gambol.lanes import Scalar, sqrt, where
from gambol.spatial import Transform, Vector
from gambol.spatial.vector import ZERO

MIN_CAP_RADIUS = 1e-6  # fraction of the length: a cap of smaller radius is the tip of a cone

Corners = tuple[Vector, Vector, Vector, Vector]


@dataclass(frozen=True, slots=True)
class Facet:
    """Four corners in order [m]. thin: 1 if the facet is a line, from the first corner to the second, else 0."""

    corners: Corners
    thin: Scalar

    @property
    def normal(self) -> Vector:
        """The unit normal, about which the corners are anticlockwise; zero if the facet is a line."""
        p, q, r, s = self.corners
        return unit_or((r - p).cross(s - q), ZERO)[0]

    def moved(self, X: Transform) -> "Facet":
        """Return the facet of frame B in frame A. X: X_AB."""
        p, q, r, s = (X @ corner for corner in self.corners)
        return Facet((p, q, r, s), self.thin)


def facet(geom: Geom, d: Vector) -> Facet:
    """Return the facet of a geom that faces a unit direction most, in the geom's frame.

    For a capsule it is the line of its core; for the end of a cylinder, four points of the rim; for a face of a hull
    with more than four corners, four of them. Spheres and ellipsoids have no facets.
    """
    return FACETS[geom.kind](geom, d)


def _line(p: Vector, q: Vector, thin: Scalar = 1.0) -> Facet:
    return Facet((p, q, q, p), thin)


def _capsule(geom: Geom, d: Vector) -> Facet:
    end = Vector(0.0, 0.0, 0.5 * geom.sizes[1])
    return _line(-end, end)


def _box(geom: Geom, d: Vector) -> Facet:
    e = [Vector.axis(k, 0.5 * size) for k, size in enumerate(geom.sizes)]
    by_x, by_y = (abs(d.x) > abs(d.y)) & (abs(d.x) > abs(d.z)), abs(d.y) > abs(d.z)
    up, u, v = select(by_x, (e[0], e[1], e[2]), select(by_y, (e[1], e[2], e[0]), (e[2], e[0], e[1])))
    middle = up * where(up.dot(d) >= 0.0, 1.0, -1.0)
    return Facet((middle + u + v, middle - u + v, middle - u - v, middle + u - v), 0.0)


def _cylinder(geom: Geom, d: Vector) -> Facet:
    radius, length = geom.sizes
    return _frustum(Geom("frustum", (radius, radius, length)), d)


def _frustum(geom: Geom, d: Vector) -> Facet:
    """Return four points of the rim of a cap, or a line of the side."""
    base, top, length = geom.sizes
    rho = sqrt(d.x * d.x + d.y * d.y)
    outward = select(rho > 0.0, Vector(ratio(d.x, rho), ratio(d.y, rho), 0.0), Vector(1.0, 0.0, 0.0))
    up, h = d.z >= 0.0, 0.5 * length
    middle, radius = Vector(0.0, 0.0, where(up, h, -h)), where(up, top, base)
    u, v = outward * radius, Vector(-outward.y, outward.x, 0.0) * radius
    thin = where(radius <= MIN_CAP_RADIUS * length, 1.0, 0.0)
    cap = Facet((middle + u, middle + v, middle - u, middle - v), thin)
    side = _line(outward * base + Vector(0.0, 0.0, -h), outward * top + Vector(0.0, 0.0, h))
    taper = base - top
    side_cosine = ratio(rho * length + d.z * taper, sqrt(length * length + taper * taper))
    return select(abs(d.z) >= side_cosine, cap, side)


def _hull(geom: Geom, d: Vector) -> Facet:
    """Return the face whose normal is nearest to d; for a hull without faces, its furthest vertex."""
    if not geom.faces:
        vertex = highest_vertex(geom, d)
        return _line(vertex, vertex)
    facets = [_face(geom, face) for face in geom.faces]
    best, best_cosine = facets[0], facets[0].normal.dot(d)
    for other in facets[1:]:
        cosine = other.normal.dot(d)
        best, best_cosine = select(cosine > best_cosine, (other, cosine), (best, best_cosine))
    return best


def _face(geom: Geom, face: tuple[int, ...]) -> Facet:
    """Return four corners of a hull's face, see face_indices()."""
    points = geom.points
    p, q, r, s = (Vector(*points[index]) for index in face_indices(face))
    return Facet((p, q, r, s), 0.0)


def face_indices(face: tuple[int, ...]) -> list[int]:
    """Return the indices of four corners of a hull's face, evenly chosen; for a triangle, the last one twice."""
    return [face[k * len(face) // 4] for k in range(4)] if len(face) > 3 else [*face, *face[2:]]


FACETS: dict[str, Callable[[Geom, Vector], Facet]] = {
    "capsule": _capsule,
    "box": _box,
    "cylinder": _cylinder,
    "frustum": _frustum,
    "hull": _hull,
}
"""The facet functions of the kinds of geoms that have flat or straight parts."""

"""Support points: the point of a convex geom that lies furthest along a direction, in the geom's own frame.

A geom is a core with a margin around it. The core of a sphere is a point, the core of a capsule a segment, with the
radius as margin; other geoms have no margin. These functions return points of cores.
"""

from collections.abc import Callable

from gambol.collide.convex.direction import ratio
from gambol.collide.convex.geom import Geom
from gambol.collide.gap import select
from gambol.lanes import Scalar, sqrt, where
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

TILT = 0.02
"""Angle for tilted() [rad]: it finds all corners of a face within about a degree of a plane, and of no other face."""


def margin(geom: Geom) -> Scalar:
    """Return the thickness of a geom around its core [m]."""
    return geom.sizes[0] if geom.kind in ("sphere", "capsule") else 0.0


def centre(geom: Geom) -> Vector:
    """Return a point deep inside a geom: the origin of its frame, or the mean of a hull's vertices [m]."""
    if geom.kind != "hull":
        return ZERO
    if geom.bounds:
        return Vector.of(geom.bounds[-3:])
    total = ZERO
    for x, y, z in geom.vertices:
        total = total + Vector(x, y, z)
    return total * (1.0 / len(geom.vertices))


def support(geom: Geom, d: Vector) -> Vector:
    """Return the point of a geom's core that is furthest along a vector d of any length [m]."""
    return CORES[geom.kind](geom, d)


def highest_vertex(geom: Geom, d: Vector) -> Vector:
    """Return the vertex of a hull that is furthest along d; of equally far vertices, the first."""
    best = Vector(*geom.vertices[0])
    furthest = best.dot(d)
    for coordinates in geom.vertices[1:]:
        vertex = Vector(*coordinates)
        height = vertex.dot(d)
        further = height > furthest
        best, furthest = select(further, (vertex, height), (best, furthest))
    return best


def tilted(d: Vector, u: Vector, v: Vector, angle: float) -> tuple[Vector, Vector, Vector, Vector]:
    """Return four directions: the unit vector d tilted by an angle [rad] towards u, v, -u and -v."""
    return d + u * angle, d + v * angle, d - u * angle, d - v * angle


def _signed_half(length: Scalar, d: Scalar) -> Scalar:
    """Return half of a length, with the sign of d."""
    return where(d >= 0.0, 0.5 * length, -0.5 * length)


def _point(geom: Geom, d: Vector) -> Vector:
    return ZERO


def _segment(geom: Geom, d: Vector) -> Vector:
    return Vector(0.0, 0.0, _signed_half(geom.sizes[1], d.z))


def _box(geom: Geom, d: Vector) -> Vector:
    return Vector.of([_signed_half(size, c) for size, c in zip(geom.sizes, d, strict=True)])


def _frustum(geom: Geom, d: Vector) -> Vector:
    base, top, length = geom.sizes
    rho = sqrt(d.x * d.x + d.y * d.y)
    up = top * rho + length * d.z >= base * rho
    scale = ratio(where(up, top, base), rho)
    return Vector(d.x * scale, d.y * scale, where(up, 0.5 * length, -0.5 * length))


def _cylinder(geom: Geom, d: Vector) -> Vector:
    scale = ratio(geom.sizes[0], sqrt(d.x * d.x + d.y * d.y))
    return Vector(d.x * scale, d.y * scale, _signed_half(geom.sizes[1], d.z))


def _ellipsoid(geom: Geom, d: Vector) -> Vector:
    scaled = Vector.of([r * r * c for r, c in zip(geom.sizes, d, strict=True)])
    return scaled * ratio(1.0, sqrt(scaled.dot(d)))


CORES: dict[str, Callable[[Geom, Vector], Vector]] = {
    "sphere": _point,
    "capsule": _segment,
    "box": _box,
    "cylinder": _cylinder,
    "frustum": _frustum,
    "ellipsoid": _ellipsoid,
    "hull": highest_vertex,
}

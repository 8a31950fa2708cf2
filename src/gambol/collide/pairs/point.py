"""A point and a solid: the nearest point of the surface to a point outside or inside it, in closed form.

The gap between a ball and such a solid follows exactly, since a ball is a point with a radius.
"""

from collections.abc import Callable
from dataclasses import dataclass

from gambol.collide.convex.direction import ratio, unit_or
from gambol.collide.convex.geom import Geom
from gambol.collide.gap import Gap, select
from gambol.collide.pairs.ellipsoid import nearest_on_ellipsoid
from gambol.lanes import Scalar, clamp, minimum, sqrt, where, working_precision
from gambol.spatial import Transform, Vector
from gambol.spatial.rotation import is_constant

SURFACE_TOLERANCE = {"float64": 1e-9, "float32": 1e-4}
"""Distance, divided by the size of the solid, below which the more accurate normal of the face is used."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """The nearest point of a solid's surface, its outward normal there, and the distance [m], negative inside."""

    point: Vector
    normal: Vector
    distance: Scalar


def sphere_solid(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the gap of a sphere a and a solid b; exact whether the sphere's centre is outside or inside."""
    return [ball_on_solid(A.position, a.sizes[0], b, B)]


def ball_on_solid(p: Vector, radius: Scalar, solid: Geom, pose: Transform) -> Gap:
    """Return the gap between a ball and a solid.

    p: centre of the ball, in world axes [m]. radius: radius of the ball [m]. solid, pose: the solid and its pose.
    """
    nearest = NEAREST[solid.kind](solid, pose.rotation.transpose @ (p - pose.position))
    n = pose.rotation @ nearest.normal
    return Gap(p - n * radius, pose @ nearest.point, n, nearest.distance - radius)


def nearest_on_box(box: Geom, p: Vector) -> Nearest:
    """Return the point of a box's surface nearest to p; for a p inside, on the nearest face."""
    h = Vector.of([0.5 * size for size in box.sizes])
    clamped = Vector.of([clamp(x, -e, e) for x, e in zip(p, h, strict=True)])
    depths = [e - abs(x) for x, e in zip(p, h, strict=True)]
    normals = [Vector.axis(k, where(x >= 0.0, 1.0, -1.0)) for k, x in enumerate(p)]
    least, face = select(depths[1] < depths[0], (depths[1], normals[1]), (depths[0], normals[0]))
    least, face = select(depths[2] < least, (depths[2], normals[2]), (least, face))
    n, distance = unit_or(p - clamped, face)
    inside = least >= 0.0
    return Nearest(select(inside, p + face * least, clamped), select(inside, face, n), where(inside, -least, distance))


def nearest_on_cylinder(cylinder: Geom, p: Vector) -> Nearest:
    """Return the point of a cylinder's surface nearest to p."""
    radius, length = cylinder.sizes
    return nearest_on_frustum(Geom("frustum", (radius, radius, length)), p)


def nearest_on_frustum(frustum: Geom, p: Vector) -> Nearest:
    """Return the point of a frustum's surface nearest to p.

    It is the nearest point of a trapezoid, the section of the frustum by the half plane through p and the axis.
    """
    base, top, length = frustum.sizes
    h = 0.5 * length
    rho = sqrt(p.x * p.x + p.y * p.y)
    radial = select(rho > 0.0, Vector(ratio(p.x, rho), ratio(p.y, rho), 0.0), Vector(1.0, 0.0, 0.0))
    taper = base - top
    inverse_slant = ratio(1.0, sqrt(length * length + taper * taper))
    disc = is_constant(length, 0.0)  # a disc has no side; its rim is treated as one
    along = ((p.z + h) * length - (rho - base) * taper) * inverse_slant * inverse_slant
    along = clamp(along, 0.0, 1.0)
    on_side = (base - taper * along, along * length - h)
    off_side = rho - base if disc else ((rho - base) * length + (p.z + h) * taper) * inverse_slant
    side = _edge_candidate((rho, p.z), on_side, (1.0, 0.0) if disc else (length * inverse_slant, taper * inverse_slant))
    floor = _edge_candidate((rho, p.z), (minimum(rho, base), -h), (0.0, -1.0))
    roof = _edge_candidate((rho, p.z), (minimum(rho, top), h), (0.0, 1.0))
    best = select(floor[0] < side[0], floor, side)
    squared, r, z, face_r, face_z = select(roof[0] < best[0], roof, best)
    inside = (off_side <= 0.0) & (abs(p.z) <= h)
    distance = where(inside, -1.0, 1.0) * sqrt(squared)
    off_surface = abs(distance) > SURFACE_TOLERANCE[working_precision()] * (base if disc else length)
    inverse = ratio(1.0, where(off_surface, abs(distance), 0.0)) * where(inside, -1.0, 1.0)
    n_r, n_z = where(off_surface, (rho - r) * inverse, face_r), where(off_surface, (p.z - z) * inverse, face_z)
    return Nearest(radial * r + Vector(0.0, 0.0, z), radial * n_r + Vector(0.0, 0.0, n_z), distance)


def _edge_candidate(
    p: tuple[Scalar, Scalar], q: tuple[Scalar, Scalar], face: tuple[Scalar, Scalar]
) -> tuple[Scalar, Scalar, Scalar, Scalar, Scalar]:
    """Return the squared distance from p to a point q of an edge, that point, and the edge's outward normal."""
    dr, dz = p[0] - q[0], p[1] - q[1]
    return dr * dr + dz * dz, q[0], q[1], face[0], face[1]


def _on_ellipsoid(ellipsoid: Geom, p: Vector) -> Nearest:
    x, n, distance = nearest_on_ellipsoid(ellipsoid.sizes, p)
    return Nearest(x, n, distance)


NEAREST: dict[str, Callable[[Geom, Vector], Nearest]] = {
    "box": nearest_on_box,
    "cylinder": nearest_on_cylinder,
    "frustum": nearest_on_frustum,
    "ellipsoid": _on_ellipsoid,
}
"""The function for the nearest surface point of each kind of solid; the given point is in the frame of the solid."""

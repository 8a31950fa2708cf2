"""Gaps between any shape and a ground: exact for a plane, and at selected balls and points of the shape for a grid.

On a height grid, spheres and the two end balls of capsules are tested against the triangles around them. For shapes
with corners, rims or vertices, the lowest points over the plane of the triangle below the shape's origin are found
first; then each point is tested against the triangle below it. The lowest point of an ellipsoid is found a second time,
over the triangle below the first lowest point. Ground that rises between these points is missed.

A body first touches a plane with normal n at its lowest point, the point with the largest -n . p; it is computed in
closed form. Bodies that can rest on several points have a gap for each of these points.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from gambol.collide.convex import PLANE, geom_of
from gambol.collide.convex.ball_hull import BALL_HULLS, balls_of
from gambol.collide.convex.direction import ratio, unit_or
from gambol.collide.convex.geom import Geom, outer_geom
from gambol.collide.convex.support import TILT, highest_vertex, tilted
from gambol.collide.gap import FAR, Gap, select
from gambol.collide.ground import Ground, Plane, Surface
from gambol.collide.height_grid import HeightGrid
from gambol.collide.pairs.triangles import ball_on_grid
from gambol.lanes import Scalar, sqrt, where
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.vector import tangent_basis

SIN_120 = 0.5 * 3.0**0.5  # of the angle between three points of a rim: no other three give a more stable contact


def point_plane_gap(n: Vector, origin: Vector, point: Vector) -> Gap:
    """Return the gap between a point and the plane through an origin with unit normal n."""
    size = (point - origin).dot(n)
    return Gap(point, point - n * size, n, size)


def sphere_plane(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the gap of a sphere and a half space."""
    n = B.rotation.columns[2]
    return [point_plane_gap(n, B.position, A.position - n * a.sizes[0])]


def capsule_plane(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the two gaps of a capsule and a half space: below each of its end balls."""
    n = B.rotation.columns[2]
    radius, length = a.sizes
    half, centre = A.rotation.columns[2] * (0.5 * length), A.position - n * radius
    return [point_plane_gap(n, B.position, centre - half), point_plane_gap(n, B.position, centre + half)]


def box_plane(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the four gaps of a box and a half space: at the corners of the lowest face.

    The lowest corner, edge or face of the box always belongs to the face whose normal points down most.
    """
    n = B.rotation.columns[2]
    e = [axis * (0.5 * size) for axis, size in zip(A.rotation.columns, a.sizes, strict=True)]
    x, y, z = (axis.dot(n) for axis in A.rotation.columns)
    by_x, by_z = (abs(x) > abs(y)) & (abs(x) > abs(z)), abs(z) >= abs(y)
    down, u = select(by_x, (e[0], e[1]), (e[1], e[0]))
    down, v = select(by_x, (down, e[2]), select(by_z, (e[2], e[1]), (e[1], e[2])))
    centre = A.position - down * where(down.dot(n) >= 0.0, 1.0, -1.0)
    return [point_plane_gap(n, B.position, centre + c) for c in (u + v, v - u, -u - v, u - v)]


def frustum_plane(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the four gaps of a frustum and a half space: at the lowest point of each rim, and at two more points.

    These two are on the lower rim, 120 degrees from its lowest point. The lowest point of a rim of radius r about the
    axis w is at -r (n - (n . w) w) / |n - (n . w) w| from its centre.
    """
    n = B.rotation.columns[2]
    x, _, w = A.rotation.columns
    base, top, length = a.sizes
    s = n.dot(w)
    outward, _ = unit_or(w * s - n, x)
    low, high = (
        A.position - w * (0.5 * length) + outward * base,
        A.position + w * (0.5 * length) + outward * top,
    )
    first, second = select(low.dot(n) <= high.dot(n), (low, high), (high, low))
    radius = where(low.dot(n) <= high.dot(n), base, top)
    sideways = w.cross(outward) * (SIN_120 * radius)
    third = first - outward * (1.5 * radius)
    return [point_plane_gap(n, B.position, p) for p in (first, second, third + sideways, third - sideways)]


def cylinder_plane(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the four gaps of a cylinder and a half space, as a frustum with equal rims."""
    radius, length = a.sizes
    return frustum_plane(Geom("frustum", (radius, radius, length)), A, b, B)


def ellipsoid_plane(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the gap of an ellipsoid and a half space: at -D n / sqrt(n . D n), D the squared half axes."""
    n = B.rotation.columns[2]
    local = A.rotation.transpose @ n
    scaled = Vector.of([r * r * c for r, c in zip(a.sizes, local, strict=True)])
    lowest = scaled * -ratio(1.0, sqrt(scaled.dot(local)))
    return [point_plane_gap(n, B.position, A @ lowest)]


def hull_plane(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the five gaps of a hull and a half space: at the lowest vertices along the normal and four tilted normals.

    A vertex that appears twice counts once.
    """
    n = B.rotation.columns[2]
    down = -(A.rotation.transpose @ n)
    u, v = tangent_basis(down)
    vertices = [highest_vertex(a, d) for d in (down, *tilted(down, u, v, TILT))]
    gaps: list[Gap] = []
    for k, p in enumerate(vertices):
        gap = point_plane_gap(n, B.position, A @ p)
        for q in vertices[:k]:
            gap = gap.masked((p.x != q.x) | (p.y != q.y) | (p.z != q.z))
        gaps.append(gap)
    return gaps


GapFinder: TypeAlias = Callable[[Geom, Transform, Geom, Transform], list[Gap]]


class PairMethod(NamedTuple):
    """A collision method for two kinds of geoms: the function that finds their gaps, and the number of gaps."""

    find_gaps: GapFinder
    slots: int


ON_PLANE: dict[str, PairMethod] = {
    "sphere": PairMethod(sphere_plane, 1),
    "capsule": PairMethod(capsule_plane, 2),
    "box": PairMethod(box_plane, 4),
    "cylinder": PairMethod(cylinder_plane, 4),
    "frustum": PairMethod(frustum_plane, 4),
    "ellipsoid": PairMethod(ellipsoid_plane, 1),
    "hull": PairMethod(hull_plane, 5),
}
"""The collision methods of each convex kind of geom with a half space."""


def ground_gaps(shape: Any, pose: Transform, ground: Ground, numbers: dict[str, Scalar], table: Any) -> list[Gap]:
    """Return the gaps of a shape and the ground; normals point out of the ground.

    Their number depends only on the kind of the shape: as many as for a plane, including unused ones. shape: a shape of
    a figure, or a Geom; a hollow one counts as solid. pose: pose of the shape in the world. ground: the ground.
    numbers, table: its numbers and its table of heights, as inputs of a program.
    """
    geom, pose = outer_geom(geom_of(shape), pose)
    if isinstance(ground, HeightGrid) and geom.kind in ("sphere", "capsule"):
        return [ball_on_grid(p, geom.sizes[0], ground, numbers, table) for p in _balls(geom, pose)]
    if isinstance(ground, HeightGrid) and geom.kind in BALL_HULLS:
        return [ball_on_grid(pose @ p, radius, ground, numbers, table) for p, radius in balls_of(geom)]
    surface_below = ground.surface(numbers, table, pose.position.x, pose.position.y)
    on_plane = ON_PLANE[geom.kind].find_gaps
    gaps = on_plane(geom, pose, PLANE, plane_at(surface_below, pose))
    if isinstance(ground, Plane):
        return gaps
    if geom.kind == "ellipsoid":
        surface_at_point = ground.surface(numbers, table, gaps[0].point_a.x, gaps[0].point_a.y)
        return on_plane(geom, pose, PLANE, plane_at(surface_at_point, Transform(pose.rotation, gaps[0].point_a)))
    return [
        gap_to_surface(gap, ground.surface(numbers, table, gap.point_a.x, gap.point_a.y)).masked(gap.size < FAR)
        for gap in gaps
    ]


def _balls(geom: Geom, pose: Transform) -> list[Vector]:
    """Return the centre of a sphere, or of the two end balls of a capsule, in the world [m]."""
    if geom.kind == "sphere":
        return [pose.position]
    half = pose.rotation.columns[2] * (0.5 * geom.sizes[1])
    return [pose.position - half, pose.position + half]


def plane_at(surface: Surface, pose: Transform) -> Transform:
    """Return the plane of the surface below the origin of a pose, as a frame with z out of the ground."""
    return Transform(Rotation.with_z_axis(surface.normal), Vector(pose.position.x, pose.position.y, surface.height))


def gap_to_surface(gap: Gap, surface: Surface) -> Gap:
    """Return the gap between the point of a shape and the plane of the surface below that point."""
    size = -surface.depth(gap.point_a.z)
    return Gap(gap.point_a, gap.point_a - surface.normal * size, surface.normal, size)

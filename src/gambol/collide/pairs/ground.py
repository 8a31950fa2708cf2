"""Gaps between any shape and a ground: exact for a plane, and at selected balls and points of the shape for a grid.

On a height grid, spheres and the two end balls of capsules are tested against the triangles around them. For shapes
with corners, rims or vertices, the lowest points over the plane of the triangle below the shape's origin are found
first; then each point is tested against the triangle below it. The lowest point of an ellipsoid is found once more,
over the triangle below the first one. Ground that rises between these points is missed.
"""

from typing import Any

from gambol.collide.convex import PLANE, Geom, geom_of
from gambol.collide.gap import FAR, Gap
from gambol.collide.ground import Ground, Surface
from gambol.collide.height_grid import HeightGrid
from gambol.collide.pairs.outer_geom import outer_geom
from gambol.collide.pairs.plane import ON_PLANE
from gambol.collide.pairs.triangles import ball_on_grid
from gambol.collide.plane import Plane
from gambol.lanes import Scalar
from gambol.spatial import Rotation, Transform, Vector


def ground_gaps(shape: Any, pose: Transform, ground: Ground, numbers: dict[str, Scalar], table: Any) -> list[Gap]:
    """Return the gaps of a shape and the ground; normals point out of the ground.

    Their number depends only on the kind of the shape: as many as for a plane, including unused ones.
    shape: a shape of a figure, or a Geom; a hollow one counts as solid. pose: of the shape in the world. ground: the
    ground. numbers, table: its numbers and its table of heights, as inputs of a program.
    """
    geom, pose = outer_geom(geom_of(shape), pose)
    if isinstance(ground, HeightGrid) and geom.kind in ("sphere", "capsule"):
        return [ball_on_grid(p, geom.sizes[0], ground, numbers, table) for p in _balls(geom, pose)]
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

"""Any shape over a ground: over a plane exactly, over a height grid by its balls and points.

Balls and the ends of capsules meet the nearest of the triangles around them. Corners, rims and vertices are those that
would be lowest over the plane below the shape's middle, and each is measured against the triangle below itself; an
ellipsoid meets the plane below the point that it would touch. What stands up between these points is not seen.
"""

from typing import Any

from gambol.collide.convex import PLANE, Form, form_of
from gambol.collide.gap import FAR, Gap
from gambol.collide.ground import Ground, Surface
from gambol.collide.height_grid import HeightGrid
from gambol.collide.pairs.outside import outside
from gambol.collide.pairs.plane import ON_PLANE
from gambol.collide.pairs.triangles import ball_on_grid
from gambol.collide.plane import Plane
from gambol.lanes import Scalar
from gambol.spatial import Rotation, Transform, Vector


def ground_gaps(shape: Any, pose: Transform, ground: Ground, numbers: dict[str, Scalar], table: Any) -> list[Gap]:
    """The gaps between a shape and the ground, as many as `slots(kind, "plane")`; normals point out of the ground.

    shape: of a figure, or a Form; of a hollow one its outside counts. pose: in the world. numbers, table: of the
    ground, as a program is given them.
    """
    form, pose = outside(form_of(shape), pose)
    if isinstance(ground, HeightGrid) and form.kind in ("sphere", "capsule"):
        return [ball_on_grid(p, form.sizes[0], ground, numbers, table) for p in _balls(form, pose)]
    middle = ground.surface(numbers, table, pose.position.x, pose.position.y)
    on_plane = ON_PLANE[form.kind].find
    found = on_plane(form, pose, PLANE, plane_at(middle, pose))
    if isinstance(ground, Plane):
        return found
    if form.kind == "ellipsoid":
        touched = ground.surface(numbers, table, found[0].here.x, found[0].here.y)
        return on_plane(form, pose, PLANE, plane_at(touched, Transform(pose.rotation, found[0].here)))
    return [measured(gap, ground.surface(numbers, table, gap.here.x, gap.here.y)).only(gap.size < FAR) for gap in found]


def _balls(form: Form, pose: Transform) -> list[Vector]:
    """The centre of a sphere, or of the two end balls of a capsule, in the world [m]."""
    if form.kind == "sphere":
        return [pose.position]
    half = pose.rotation.columns[2] * (0.5 * form.sizes[1])
    return [pose.position - half, pose.position + half]


def plane_at(surface: Surface, pose: Transform) -> Transform:
    """The plane of a surface below a pose's origin, as a frame with z out of the ground."""
    return Transform(Rotation.facing(surface.normal), Vector(pose.position.x, pose.position.y, surface.height))


def measured(gap: Gap, surface: Surface) -> Gap:
    """The gap between the point of a shape and the plane of the surface below that point."""
    size = -surface.depth(gap.here.z)
    return Gap(gap.here, gap.here - surface.normal * size, surface.normal, size)

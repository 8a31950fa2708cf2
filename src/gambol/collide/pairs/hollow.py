"""Hollow shapes, which may contain other shapes: a pipe, and a height field. Their gaps to a ball are exact.

For any other shape inside a pipe or over a field, the deepest points below the tangent plane at the nearest surface
point are found; then the gap of each of these points to the surface itself is computed. For capsules the two end balls
are used instead. From outside, a pipe is a solid cylinder. Contacts at other points are missed, such as that of the
middle of a box with a bump of a field.
"""

from functools import lru_cache, reduce

import numpy as np

from gambol.collide.convex import PLANE, Geom, convex_convex, convex_slots
from gambol.collide.convex.ball_hull import BALL_HULLS, balls_of
from gambol.collide.convex.direction import ratio, unit_or
from gambol.collide.convex.geom import outer_geom
from gambol.collide.gap import FAR, Gap, select
from gambol.collide.height_grid import HeightGrid
from gambol.collide.pairs.ground import ON_PLANE, ground_gaps
from gambol.collide.pairs.point import Nearest
from gambol.lanes import Scalar, maximum, sqrt, where
from gambol.spatial import Rotation, Transform, Vector

SOLIDS = ("sphere", "capsule", "box", "cylinder", "frustum", "ellipsoid", "hull")
"""Kinds of shapes that may be inside a pipe or over a field."""


def pipe_slots(kind: str) -> int:
    """Return the number of gaps between a shape of some kind and a pipe."""
    return 1 if kind == "sphere" else max(ON_PLANE[kind].slots, convex_slots(kind, "cylinder"))


def solid_pipe(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the gaps of a solid a and a pipe b: with a inside the bore, or outside the pipe."""
    if a.kind == "sphere":
        return [ball_on_pipe(A.position, a.sizes[0], b, B)]
    inner, outer, length = b.sizes
    p = B.rotation.transpose @ (A.position - B.position)
    rho = sqrt(p.x * p.x + p.y * p.y)
    is_inside = (rho < 0.5 * (inner + outer)) & ((abs(p.z) < 0.5 * length) | (_bounding_radius(a) < inner))
    slots, alternatives = pipe_slots(a.kind), (_in_bore(a, A, b, B), convex_convex(a, A, *outer_geom(b, B)))
    inside, outside = ([*gaps, *[gaps[0].masked(False)] * (slots - len(gaps))] for gaps in alternatives)
    return [select(is_inside, inner_gap, outer_gap) for inner_gap, outer_gap in zip(inside, outside, strict=True)]


def pipe_pipe(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the gaps of two pipes. The wider one is hollow; the other counts as a solid cylinder."""
    a_solid = solid_pipe(*outer_geom(a, A), b, B)
    b_solid = [gap.flipped for gap in solid_pipe(*outer_geom(b, B), a, A)]
    return [select(a.sizes[1] < b.sizes[1], gap_a, gap_b) for gap_a, gap_b in zip(a_solid, b_solid, strict=True)]


def ball_on_pipe(p: Vector, radius: Scalar, pipe: Geom, pose: Transform) -> Gap:
    """Return the gap between a ball with centre p [m], in world axes, and a pipe in its pose."""
    nearest = nearest_on_pipe(pipe, pose.rotation.transpose @ (p - pose.position))
    n = pose.rotation @ nearest.normal
    return Gap(p - n * radius, pose @ nearest.point, n, nearest.distance - radius)


def nearest_on_pipe(pipe: Geom, p: Vector) -> Nearest:
    """Return the point of a pipe's surface nearest to p.

    It is the nearest point of a rectangle, the section of the pipe by the half plane through p and the axis.
    """
    inner, outer, length = pipe.sizes
    h, t, middle = 0.5 * length, 0.5 * (outer - inner), 0.5 * (outer + inner)
    rho = sqrt(p.x * p.x + p.y * p.y)
    radial = select(rho > 0.0, Vector(ratio(p.x, rho), ratio(p.y, rho), 0.0), Vector(1.0, 0.0, 0.0))
    x = rho - middle
    clamped_x, clamped_z = where(abs(x) < t, x, _with_sign_of(x, t)), where(abs(p.z) < h, p.z, _with_sign_of(p.z, h))
    depth_x, depth_z = t - abs(x), h - abs(p.z)
    x_is_nearer = depth_x <= depth_z
    face_normal = Vector(
        where(x_is_nearer, _with_sign_of(x, 1.0), 0.0), 0.0, where(x_is_nearer, 0.0, _with_sign_of(p.z, 1.0))
    )
    outward, distance = unit_or(Vector(x - clamped_x, 0.0, p.z - clamped_z), face_normal)
    inside = (depth_x >= 0.0) & (depth_z >= 0.0)
    depth = where(x_is_nearer, depth_x, depth_z)
    n = select(inside, face_normal, outward)
    q = select(inside, (x + face_normal.x * depth, p.z + face_normal.z * depth), (clamped_x, clamped_z))
    up = Vector(0.0, 0.0, 1.0)
    point = radial * (middle + q[0]) + up * q[1]
    return Nearest(point, radial * n.x + up * n.z, where(inside, -depth, distance))


def _with_sign_of(x: Scalar, size: Scalar) -> Scalar:
    return where(x < 0.0, -size, size)


def _bounding_radius(geom: Geom) -> Scalar:
    """Return the radius of a shape about its axis, or about its origin if it has no axis [m].

    A shape fits into a bore of a larger radius.
    """
    if geom.kind in BALL_HULLS:
        return reduce(maximum, [p.length() + radius for p, radius in balls_of(geom)])
    match geom.kind:
        case "capsule" | "cylinder":
            return geom.sizes[0]
        case "frustum":
            return maximum(geom.sizes[0], geom.sizes[1])
        case "hull":
            return max(sqrt(sum((x * x for x in vertex), 0.0)) for vertex in geom.vertices)
        case "box":
            return 0.5 * Vector.of(geom.sizes).length()
        case _:
            return maximum(maximum(geom.sizes[0], geom.sizes[-1]), geom.sizes[len(geom.sizes) // 2])


def _in_bore(a: Geom, A: Transform, pipe: Geom, B: Transform) -> list[Gap]:
    """Return the gaps of a shape inside a pipe."""
    if a.kind == "capsule":
        half = A.rotation.columns[2] * (0.5 * a.sizes[1])
        return [ball_on_pipe(A.position + half * s, a.sizes[0], pipe, B) for s in (-1.0, 1.0)]
    p = B.rotation.transpose @ (A.position - B.position)
    outward = unit_or(Vector(p.x, p.y, 0.0), Vector(1.0, 0.0, 0.0))[0]
    wall = B @ Vector(outward.x * pipe.sizes[0], outward.y * pipe.sizes[0], p.z)
    plane = Transform(Rotation.with_z_axis(-(B.rotation @ outward)), wall)
    return [_gap_to_pipe(gap, pipe, B) for gap in ON_PLANE[a.kind].find_gaps(a, A, PLANE, plane)]


def _gap_to_pipe(gap: Gap, pipe: Geom, B: Transform) -> Gap:
    """Return the gap between point_a of a gap and the pipe; unused if that gap is unused."""
    return ball_on_pipe(gap.point_a, 0.0, pipe, B).masked(gap.size < FAR)


@lru_cache(maxsize=64)
def grid_of(field: Geom) -> HeightGrid:
    """Return the grid of a height field, in the field's own frame."""
    spacing, _ = (float(size) for size in field.sizes)
    rows, columns = len(field.heights), len(field.heights[0])
    x0, y0 = -0.5 * spacing * (rows - 1), -0.5 * spacing * (columns - 1)
    return HeightGrid(np.array(field.heights), spacing, x0, y0)


def solid_field(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the gaps of a solid a and a height field b."""
    grid, X = grid_of(b), B.inverse @ A
    local_gaps = ground_gaps(a, X, grid, grid.numbers(), grid.table())
    bottom = float(grid.heights.min()) - b.sizes[1]
    return [_in_world(gap, a, grid, bottom, B) for gap in local_gaps]


def _in_world(gap: Gap, a: Geom, grid: HeightGrid, bottom: Scalar, B: Transform) -> Gap:
    """Return a gap in the world, from a gap in the field's frame.

    It is unused where the shape's point, or the centre of a ball, is not over the field or is below its bottom.
    """
    radius = a.sizes[0] if a.kind in ("sphere", "capsule") else 0.0
    middle = gap.point_a + gap.normal * radius
    is_over_field = (abs(middle.x) <= -grid.x0) & (abs(middle.y) <= -grid.y0) & (middle.z >= bottom)
    gap_in_world = Gap(B @ gap.point_a, B @ gap.point_b, B.rotation @ gap.normal, gap.size, gap.residual)
    return gap_in_world.masked(is_over_field)


def hollow_plane(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the gaps between the outer surface of a hollow shape a and a half space b."""
    solid, pose = outer_geom(a, A)
    return ON_PLANE[solid.kind].find_gaps(solid, pose, b, B)


def hollow_field(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the gaps between the outer surface of a pipe or height field a and another height field b."""
    return solid_field(*outer_geom(a, A), b, B)

"""Shapes that others can be inside of: a pipe, and a field of heights. A ball meets either exactly.

Within a pipe, and over a field, any other shape meets the plane at the nearest place of the surface first, which says
which of its points lie deepest; each of these is then measured against the surface itself. Of capsules the two ends
are. A pipe is met from outside as the solid cylinder that it is there. What touches between the points that are
measured, such as a bump of a field under the middle of a box, is not seen.
"""

from functools import lru_cache

import numpy as np

from gambol.collide.convex import PLANE, Form, convex_convex, convex_slots
from gambol.collide.convex.direction import ratio, unit_or
from gambol.collide.gap import FAR, Gap, chosen
from gambol.collide.height_grid import HeightGrid
from gambol.collide.pairs.ground import ground_gaps
from gambol.collide.pairs.outside import outside
from gambol.collide.pairs.plane import ON_PLANE
from gambol.collide.pairs.point import Nearest
from gambol.lanes import Scalar, maximum, sqrt, where
from gambol.spatial import Rotation, Transform, Vector

SOLIDS = ("sphere", "capsule", "box", "cylinder", "frustum", "ellipsoid", "hull")
"""What may be inside a pipe or over a field."""


def pipe_slots(kind: str) -> int:
    """How many gaps a shape of some kind and a pipe have."""
    return 1 if kind == "sphere" else max(ON_PLANE[kind].slots, convex_slots(kind, "cylinder"))


def solid_pipe(a: Form, A: Transform, b: Form, B: Transform) -> list[Gap]:
    """A shape and a pipe: inside its bore, or beside it."""
    if a.kind == "sphere":
        return [ball_on_pipe(A.position, a.sizes[0], b, B)]
    inner, outer, length = b.sizes
    p = B.rotation.transpose @ (A.position - B.position)
    rho = sqrt(p.x * p.x + p.y * p.y)
    within = (rho < 0.5 * (inner + outer)) & ((abs(p.z) < 0.5 * length) | (_thickness(a) < inner))
    count, both = pipe_slots(a.kind), (_in_bore(a, A, b, B), convex_convex(a, A, *outside(b, B)))
    inside, beside = ([*found, *[found[0].only(False)] * (count - len(found))] for found in both)
    return [chosen(within, one, other) for one, other in zip(inside, beside, strict=True)]


def pipe_pipe(a: Form, A: Transform, b: Form, B: Transform) -> list[Gap]:
    """Two pipes: the wider one as it is, and the other as a solid cylinder."""
    inside = solid_pipe(*outside(a, A), b, B)
    around = [gap.flipped for gap in solid_pipe(*outside(b, B), a, A)]
    return [chosen(a.sizes[1] < b.sizes[1], one, other) for one, other in zip(inside, around, strict=True)]


def ball_on_pipe(p: Vector, radius: Scalar, pipe: Form, pose: Transform) -> Gap:
    """The gap between a ball about p [m], in world axes, and a pipe in its pose."""
    near = nearest_on_pipe(pipe, pose.rotation.transpose @ (p - pose.position))
    n = pose.rotation @ near.normal
    return Gap(p - n * radius, pose @ near.point, n, near.distance - radius)


def nearest_on_pipe(pipe: Form, p: Vector) -> Nearest:
    """The point of a pipe's surface nearest to p: of a rectangle, in the half plane through p and the axis."""
    inner, outer, length = pipe.sizes
    h, t, middle = 0.5 * length, 0.5 * (outer - inner), 0.5 * (outer + inner)
    rho = sqrt(p.x * p.x + p.y * p.y)
    radial = chosen(rho > 0.0, Vector(ratio(p.x, rho), ratio(p.y, rho), 0.0), Vector(1.0, 0.0, 0.0))
    x = rho - middle
    held_x, held_z = where(abs(x) < t, x, _signed(x, t)), where(abs(p.z) < h, p.z, _signed(p.z, h))
    room_x, room_z = t - abs(x), h - abs(p.z)
    across = room_x <= room_z
    face = Vector(where(across, _signed(x, 1.0), 0.0), 0.0, where(across, 0.0, _signed(p.z, 1.0)))
    out, distance = unit_or(Vector(x - held_x, 0.0, p.z - held_z), face)
    inside = (room_x >= 0.0) & (room_z >= 0.0)
    depth = where(across, room_x, room_z)
    n = chosen(inside, face, out)
    q = chosen(inside, (x + face.x * depth, p.z + face.z * depth), (held_x, held_z))
    up = Vector(0.0, 0.0, 1.0)
    point = radial * (middle + q[0]) + up * q[1]
    return Nearest(point, radial * n.x + up * n.z, where(inside, -depth, distance))


def _signed(x: Scalar, size: Scalar) -> Scalar:
    return where(x < 0.0, -size, size)


def _thickness(form: Form) -> Scalar:
    """The radius of a ball about a shape's own origin that holds half of its least extent, at most."""
    match form.kind:
        case "capsule" | "cylinder":
            return form.sizes[0]
        case "frustum":
            return maximum(form.sizes[0], form.sizes[1])
        case "hull":
            return max(sqrt(sum((x * x for x in vertex), 0.0)) for vertex in form.vertices)
        case "box":
            return 0.5 * Vector.of(form.sizes).length()
        case _:
            return maximum(maximum(form.sizes[0], form.sizes[-1]), form.sizes[len(form.sizes) // 2])


def _in_bore(a: Form, A: Transform, pipe: Form, B: Transform) -> list[Gap]:
    """The gaps of a shape inside a pipe."""
    if a.kind == "capsule":
        half = A.rotation.columns[2] * (0.5 * a.sizes[1])
        return [ball_on_pipe(A.position + half * s, a.sizes[0], pipe, B) for s in (-1.0, 1.0)]
    p = B.rotation.transpose @ (A.position - B.position)
    outward = unit_or(Vector(p.x, p.y, 0.0), Vector(1.0, 0.0, 0.0))[0]
    wall = B @ Vector(outward.x * pipe.sizes[0], outward.y * pipe.sizes[0], p.z)
    plane = Transform(Rotation.facing(-(B.rotation @ outward)), wall)
    return [_measured(gap, pipe, B) for gap in ON_PLANE[a.kind].find(a, A, PLANE, plane)]


def _measured(gap: Gap, pipe: Form, B: Transform) -> Gap:
    """The gap between the point of a shape and the pipe."""
    return ball_on_pipe(gap.here, 0.0, pipe, B).only(gap.size < FAR)


@lru_cache(maxsize=64)
def grid_of(field: Form) -> HeightGrid:
    """The grid of a height field, in the field's own frame."""
    spacing, _ = (float(size) for size in field.sizes)
    rows, columns = len(field.heights), len(field.heights[0])
    x0, y0 = -0.5 * spacing * (rows - 1), -0.5 * spacing * (columns - 1)
    return HeightGrid(np.array(field.heights), spacing, x0, y0)


def solid_field(a: Form, A: Transform, b: Form, B: Transform) -> list[Gap]:
    """A shape over a field of heights."""
    grid, X = grid_of(b), B.inverse @ A
    found = ground_gaps(a, X, grid, grid.numbers(), grid.table())
    bottom = float(grid.heights.min()) - b.sizes[1]
    return [_over(gap, a, grid, bottom, B) for gap in found]


def _over(gap: Gap, a: Form, grid: HeightGrid, bottom: Scalar, B: Transform) -> Gap:
    """A gap of the field's frame in the world; FAR where its middle is not over the field."""
    radius = a.sizes[0] if a.kind in ("sphere", "capsule") else 0.0
    middle = gap.here + gap.normal * radius
    within = (abs(middle.x) <= -grid.x0) & (abs(middle.y) <= -grid.y0) & (middle.z >= bottom)
    there = Gap(B @ gap.here, B @ gap.there, B.rotation @ gap.normal, gap.size, gap.residual)
    return there.only(within)


def hollow_plane(a: Form, A: Transform, b: Form, B: Transform) -> list[Gap]:
    """A hollow shape over a half space: its outside."""
    solid, pose = outside(a, A)
    return ON_PLANE[solid.kind].find(solid, pose, b, B)


def hollow_field(a: Form, A: Transform, b: Form, B: Transform) -> list[Gap]:
    """A pipe or a field of heights over another field: its outside."""
    return solid_field(*outside(a, A), b, B)

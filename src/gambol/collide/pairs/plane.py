"""A half space against everything: support points in closed form.

A body touches the plane with normal n first at its lowest point, the one of largest -n . p. Bodies that can rest on
more than one point have a gap for each of those that they rest on.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from gambol.collide.convex.direction import ratio, unit_or
from gambol.collide.convex.form import Form
from gambol.collide.convex.support import TILT, highest_vertex, tilted
from gambol.collide.gap import Gap, chosen
from gambol.lanes import sqrt, where
from gambol.spatial import Transform, Vector
from gambol.spatial.vector import across

HALF = 0.5
SIDE = 0.5 * 3.0**0.5  # sine of 120 degrees: three points of a rim stand as steadily as any three can


def above(n: Vector, origin: Vector, point: Vector) -> Gap:
    """The gap between a point and the plane through an origin with unit normal n."""
    size = (point - origin).dot(n)
    return Gap(point, point - n * size, n, size)


def sphere_plane(a: Form, A: Transform, b: Form, B: Transform) -> list[Gap]:
    """A ball over a half space: one gap."""
    n = B.rotation.columns[2]
    return [above(n, B.position, A.position - n * a.sizes[0])]


def capsule_plane(a: Form, A: Transform, b: Form, B: Transform) -> list[Gap]:
    """A capsule over a half space: a gap below each of its end balls."""
    n = B.rotation.columns[2]
    radius, length = a.sizes
    half, centre = A.rotation.columns[2] * (HALF * length), A.position - n * radius
    return [above(n, B.position, centre - half), above(n, B.position, centre + half)]


def box_plane(a: Form, A: Transform, b: Form, B: Transform) -> list[Gap]:
    """A box over a half space: the four corners of the face that looks down most.

    Whatever corner, edge or face of the box is lowest belongs to that face.
    """
    n = B.rotation.columns[2]
    e = [axis * (HALF * size) for axis, size in zip(A.rotation.columns, a.sizes, strict=True)]
    x, y, z = (axis.dot(n) for axis in A.rotation.columns)
    by_x, by_z = (abs(x) > abs(y)) & (abs(x) > abs(z)), abs(z) >= abs(y)
    down, u = chosen(by_x, (e[0], e[1]), (e[1], e[0]))
    down, v = chosen(by_x, (down, e[2]), chosen(by_z, (e[2], e[1]), (e[1], e[2])))
    centre = A.position - down * where(down.dot(n) >= 0.0, 1.0, -1.0)
    return [above(n, B.position, centre + c) for c in (u + v, v - u, -u - v, u - v)]


def frustum_plane(a: Form, A: Transform, b: Form, B: Transform) -> list[Gap]:
    """A frustum over a half space: the lowest point of either rim, and two more of the lower rim, 120 degrees on.

    The lowest point of a rim of radius r about the axis w lies at -r (n - (n . w) w) / |n - (n . w) w| from its centre.
    """
    n = B.rotation.columns[2]
    x, _, w = A.rotation.columns
    base, top, length = a.sizes
    s = n.dot(w)
    outward, _ = unit_or(w * s - n, x)
    low, high = (
        A.position - w * (HALF * length) + outward * base,
        A.position + w * (HALF * length) + outward * top,
    )
    first, second = chosen(low.dot(n) <= high.dot(n), (low, high), (high, low))
    radius = where(low.dot(n) <= high.dot(n), base, top)
    sideways = w.cross(outward) * (SIDE * radius)
    third = first - outward * (1.5 * radius)
    return [above(n, B.position, p) for p in (first, second, third + sideways, third - sideways)]


def cylinder_plane(a: Form, A: Transform, b: Form, B: Transform) -> list[Gap]:
    """A cylinder over a half space: a frustum of two equal rims."""
    radius, length = a.sizes
    return frustum_plane(Form("frustum", (radius, radius, length)), A, b, B)


def ellipsoid_plane(a: Form, A: Transform, b: Form, B: Transform) -> list[Gap]:
    """An ellipsoid over a half space: its lowest point, -D n / sqrt(n . D n) with D of the squared half axes."""
    n = B.rotation.columns[2]
    local = A.rotation.transpose @ n
    scaled = Vector.of([r * r * c for r, c in zip(a.sizes, local, strict=True)])
    lowest = scaled * -ratio(1.0, sqrt(scaled.dot(local)))
    return [above(n, B.position, A @ lowest)]


def hull_plane(a: Form, A: Transform, b: Form, B: Transform) -> list[Gap]:
    """A hull over a half space: its lowest vertex, and those lowest for normals tilted four ways.

    A vertex that is found twice counts once.
    """
    n = B.rotation.columns[2]
    down = -(A.rotation.transpose @ n)
    u, v = across(down)
    found = [highest_vertex(a, d) for d in (down, *tilted(down, u, v, TILT))]
    gaps: list[Gap] = []
    for k, p in enumerate(found):
        gap = above(n, B.position, A @ p)
        for q in found[:k]:
            gap = gap.only((p.x != q.x) | (p.y != q.y) | (p.z != q.z))
        gaps.append(gap)
    return gaps


Finder: TypeAlias = Callable[[Form, Transform, Form, Transform], list[Gap]]


class Pair(NamedTuple):
    """How two kinds of forms meet: what finds their gaps, and how many it gives."""

    find: Finder
    slots: int


ON_PLANE: dict[str, Pair] = {
    "sphere": Pair(sphere_plane, 1),
    "capsule": Pair(capsule_plane, 2),
    "box": Pair(box_plane, 4),
    "cylinder": Pair(cylinder_plane, 4),
    "frustum": Pair(frustum_plane, 4),
    "ellipsoid": Pair(ellipsoid_plane, 1),
    "hull": Pair(hull_plane, 5),
}
"""How each convex kind of form meets a half space."""

"""A half space and every convex kind of shape: support points in closed form.

A body touches the plane with normal n first at its lowest point, the one of largest -n . p. Bodies that can rest on
several points have a gap for each of them.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from gambol.collide.convex.direction import ratio, unit_or
from gambol.collide.convex.geom import Geom
from gambol.collide.convex.support import TILT, highest_vertex, tilted
from gambol.collide.gap import Gap, select
from gambol.lanes import sqrt, where
from gambol.spatial import Transform, Vector
from gambol.spatial.vector import tangent_basis

HALF = 0.5
SIN_120 = 0.5 * 3.0**0.5  # sine of the angle between three points of a rim: evenly spaced ones are the most stable


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
    half, centre = A.rotation.columns[2] * (HALF * length), A.position - n * radius
    return [point_plane_gap(n, B.position, centre - half), point_plane_gap(n, B.position, centre + half)]


def box_plane(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the four gaps of a box and a half space: at the corners of the lowest face.

    The lowest corner, edge or face of the box always belongs to the face whose normal points down most.
    """
    n = B.rotation.columns[2]
    e = [axis * (HALF * size) for axis, size in zip(A.rotation.columns, a.sizes, strict=True)]
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
        A.position - w * (HALF * length) + outward * base,
        A.position + w * (HALF * length) + outward * top,
    )
    first, second = select(low.dot(n) <= high.dot(n), (low, high), (high, low))
    radius = where(low.dot(n) <= high.dot(n), base, top)
    sideways = w.cross(outward) * (SIN_120 * radius)
    third = first - outward * (1.5 * radius)
    return [point_plane_gap(n, B.position, p) for p in (first, second, third + sideways, third - sideways)]


def cylinder_plane(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the four gaps of a cylinder and a half space: those of a frustum with equal rims."""
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
    """Return the five gaps of a hull and a half space: at the lowest vertex, and at the lowest for four tilted normals.

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
"""Takes geom a, its pose A in the world, geom b and its pose B; returns the gaps between a and b."""


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
"""The method of each convex kind of geom and a half space."""

"""Contact of any two convex geoms: their distance or penetration depth, and the points at which they touch."""

from functools import lru_cache
from typing import TypeAlias

from gambol.collide.convex.depth import penetration_depth
from gambol.collide.convex.direction import unit_or
from gambol.collide.convex.distance import Separation, SupportFunction, gjk
from gambol.collide.convex.facet import FACETS, facet
from gambol.collide.convex.geom import Geom, GeomTemplate, HullTemplate
from gambol.collide.convex.manifold import line_manifold, manifold
from gambol.collide.convex.simplex import Corner
from gambol.collide.convex.support import centre, margin, support
from gambol.collide.gap import FAR, UP, Gap, select
from gambol.lanes import Scalar, Subprogram, maximum, minimum, when, where, working_precision
from gambol.spatial import Transform, Vector
from gambol.spatial.motion import IDENTITY_TRANSFORM

DEPTH_TOLERANCE = {"float64": 1e-10, "float32": 1e-5}
"""The deepest point replaces another if it is deeper by more than this fraction of the distance of the centres."""
AXES: dict[str, tuple[int, ...]] = {
    "box": (0, 1, 2),
    "ellipsoid": (0, 1, 2),
    "cylinder": (2,),
    "frustum": (2,),
    "capsule": (2,),
}
"""Axes of each kind of geom; the direction of least overlap is often along or normal to one of them."""
MAX_NORMALS = 32  # face normals of a hull that serve as initial directions of a descent


Numbers: TypeAlias = tuple[Scalar, ...]


def convex_slots(kind_a: str, kind_b: str) -> int:
    """Return the number of gaps of two convex geoms: 1 if one has no facets, 3 for a capsule and another, else 8.

    kind_a, kind_b: their kinds; a capsule must be the first.
    """
    if kind_a not in FACETS or kind_b not in FACETS:
        return 1
    return 3 if kind_a == "capsule" else 8


def convex_convex(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the gaps of two convex geoms, of any kinds except planes, at the points where they touch or are nearest.

    a, A: the first geom and its pose; a capsule must be the first. b, B: the second. The number of steps is bounded;
    the residual bounds the error of the sizes, also of a search that ended early. A program contains one copy of the
    search for each pair of kinds, and for each pair of hulls.
    """
    return _search(_template(a), _template(b))(a.numbers, A, b.numbers, B)


def _template(geom: Geom) -> GeomTemplate | HullTemplate:
    """Return a geom without its numbers."""
    return HullTemplate(len(geom.vertices), len(geom.faces)) if geom.bounds else geom.template


@lru_cache(maxsize=256)
def _search(a: GeomTemplate | HullTemplate, b: GeomTemplate | HullTemplate) -> Subprogram:
    """Return the contact search for two kinds of geoms, a subprogram of their numbers and poses."""

    def search(numbers_a: Numbers, A: Transform, numbers_b: Numbers, B: Transform) -> list[Gap]:
        return _contacts(a.geom(numbers_a), A, b.geom(numbers_b), B)

    return Subprogram(search)


def _contacts(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the gaps of two geoms; arguments: see convex_convex()."""
    X = A.inverse @ B  # in the frame of a, so that rounding does not grow with the distance from the world's origin
    nearest = separation(a, b, X)
    n, margins = nearest.normal, (margin(a), margin(b))
    deepest = Gap(nearest.point_a, nearest.point_b, n, nearest.distance, nearest.residual)
    if convex_slots(a.kind, b.kind) == 1:
        gaps = [deepest]
    else:
        facet_a, facet_b = facet(a, -n), facet(b, X.rotation.transpose @ n).moved(X)
        manifold_gaps = (
            manifold(n, facet_a, facet_b)
            if a.kind != "capsule"
            else [*line_manifold(n, facet_a, facet_b), _unused(deepest)]
        )
        gaps = _with_deepest(manifold_gaps, deepest, X.position.length())
    return [_in_world(gap, A, margins) for gap in gaps]


def separation(a: Geom, b: Geom, X: Transform) -> Separation:
    """Return the distance between the cores of two geoms, or the depth of their overlap as a negative distance.

    a, b: the geoms. X: pose of the second in the frame of the first, which is the frame of the result.
    """

    def corner(d: Vector) -> Corner:
        p = support(a, d)
        return Corner(p - X @ support(b, -(X.rotation.transpose @ d)), p)

    support_corner: SupportFunction = Subprogram(corner)
    centre_line = X @ centre(b) - centre(a)
    nearest = gjk(support_corner, -centre_line)

    def overlapping(hint: Vector) -> Separation:
        return penetration_depth(support_corner, -centre_line, [*_escape_directions(a, b, X, centre_line), hint])

    return when(nearest.overlap > 0.5, overlapping, -nearest.normal, otherwise=nearest)


def _escape_directions(a: Geom, b: Geom, X: Transform, centre_line: Vector) -> list[Vector]:
    """Return directions out of an overlap: between centres, along and normal to axes, normal to edges and faces.

    a, b, X: as for separation(). centre_line: from the centre of a to the centre of b [m].
    """
    central = unit_or(centre_line, UP)[0]
    axes_a = [IDENTITY_TRANSFORM.rotation.columns[k] for k in AXES.get(a.kind, ())]
    axes_b = [X.rotation.columns[k] for k in AXES.get(b.kind, ())]
    directions = [*axes_a, *axes_b, *(unit_or(u.cross(w), central)[0] for u in axes_a for w in axes_b)]
    for axes in (axes_a, axes_b):
        if len(axes) == 1:
            directions.append(unit_or(centre_line - axes[0] * axes[0].dot(centre_line), central)[0])
    aligned = [direction * where(direction.dot(centre_line) >= 0.0, 1.0, -1.0) for direction in directions]
    return [central, *aligned, *_normals(a), *(-(X.rotation @ n) for n in _normals(b))]


def _normals(geom: Geom) -> list[Vector]:
    """Return outward unit normals of a hull's faces, at most MAX_NORMALS of them, evenly chosen.

    Faces of a hull as numbers are in the order of chosen_faces().
    """
    normals, points = list[Vector](), geom.points
    for p, q, r, *_ in geom.faces[:MAX_NORMALS] if geom.bounds else chosen_faces(geom):
        first, second, third = (Vector(*points[index]) for index in (p, q, r))
        normals.append(unit_or((second - first).cross(third - first), UP)[0])
    return normals


def chosen_faces(geom: Geom) -> tuple[tuple[int, ...], ...]:
    """Return at most MAX_NORMALS faces of a hull, evenly chosen."""
    return geom.faces[:: 1 + len(geom.faces) // MAX_NORMALS]


def _unused(gap: Gap) -> Gap:
    return Gap(gap.point_a, gap.point_b, gap.normal, FAR)


def _with_deepest(gaps: list[Gap], deepest: Gap, scale: Scalar) -> list[Gap]:
    """Return the gaps; if the deepest point is deeper than all of them, it replaces an unused gap or the largest one.

    scale: distance of the centres [m]. Gaps deeper than the deepest point are limited to its depth: they appear where
    edges cross, since facets extend beyond the point of contact.
    """
    gaps = [_limited_depth(gap, deepest.size) for gap in gaps]
    least, largest = gaps[0].size, gaps[0].size
    for gap in gaps[1:]:
        least, largest = minimum(gap.size, least), maximum(gap.size, largest)
    pending = where(deepest.size < least - DEPTH_TOLERANCE[working_precision()] * scale, 1.0, 0.0)
    result: list[Gap] = []
    for gap in gaps:
        replaced = (gap.size >= largest) & (pending > 0.5)
        chosen = select(replaced, deepest, gap)
        result.append(Gap(chosen.point_a, chosen.point_b, chosen.normal, chosen.size, deepest.residual))
        pending = where(replaced, 0.0, pending)
    return result


def _limited_depth(gap: Gap, least: Scalar) -> Gap:
    size = maximum(gap.size, least)
    point_b = select(gap.size < least, gap.point_a - gap.normal * size, gap.point_b)
    return Gap(gap.point_a, point_b, gap.normal, size)


def _in_world(gap: Gap, A: Transform, margins: tuple[Scalar, Scalar]) -> Gap:
    """Return a gap between geoms in the world, from a gap between their cores in the frame A of the first."""
    n = A.rotation @ gap.normal
    size = where(gap.size >= FAR, FAR, gap.size - (margins[0] + margins[1]))
    return Gap(A @ gap.point_a - n * margins[0], A @ gap.point_b + n * margins[1], n, size, gap.residual)

"""Any two convex forms: how far apart or how deep they are, and on which points they touch."""

from functools import lru_cache
from typing import TypeAlias

from gambol.collide.convex.depth import depth
from gambol.collide.convex.direction import unit_or
from gambol.collide.convex.distance import Apart, Supported, distance
from gambol.collide.convex.facet import FACETS, facet
from gambol.collide.convex.form import Form
from gambol.collide.convex.manifold import line_manifold, manifold
from gambol.collide.convex.simplex import Corner
from gambol.collide.convex.support import centre, margin, support
from gambol.collide.gap import FAR, UP, Gap, chosen
from gambol.lanes import Scalar, Subprogram, maximum, minimum, when, where, working_precision
from gambol.spatial import Transform, Vector
from gambol.spatial.transform import SAME

DEEPER = {"float64": 1e-10, "float32": 1e-5}
"""Of the way between the centres: the deepest point counts beside the corners where it is deeper by this."""
AXES: dict[str, tuple[int, ...]] = {
    "box": (0, 1, 2),
    "ellipsoid": (0, 1, 2),
    "cylinder": (2,),
    "frustum": (2,),
    "capsule": (2,),
}
"""The axes of each kind of form along which, and across which, others are likely to leave it by the shortest way."""
MOST_NORMALS = 32  # of a hull, that a descent may start from


Sizes: TypeAlias = tuple[Scalar, ...]
Fixed: TypeAlias = tuple[str, tuple[tuple[Scalar, Scalar, Scalar], ...], tuple[tuple[int, ...], ...]]


def convex_slots(kind_a: str, kind_b: str) -> int:
    """How many gaps two convex forms have: 1 where one of them is round, 3 of a capsule, else 8."""
    if kind_a not in FACETS or kind_b not in FACETS:
        return 1
    return 3 if kind_a == "capsule" else 8


def convex_convex(a: Form, A: Transform, b: Form, B: Transform) -> list[Gap]:
    """Two convex forms of any kinds but planes: the points on which they touch, or the nearest ones.

    The work is bounded; where a search ends early the residual tells. A capsule must be the first. A program holds the
    search once for each two kinds, and for each two hulls.
    """
    return _search((a.kind, a.vertices, a.faces), (b.kind, b.vertices, b.faces))(a.sizes, A, b.sizes, B)


@lru_cache(maxsize=256)
def _search(a: Fixed, b: Fixed) -> Subprogram:
    """The search between two kinds of forms, as a function of their sizes and poses."""

    def search(sizes_a: Sizes, A: Transform, sizes_b: Sizes, B: Transform) -> list[Gap]:
        return _touching(Form(a[0], sizes_a, *a[1:]), A, Form(b[0], sizes_b, *b[1:]), B)

    return Subprogram(search)


def _touching(a: Form, A: Transform, b: Form, B: Transform) -> list[Gap]:
    X = A.inverse @ B  # the frame of the first: where both of them are in the world matters nothing
    found = separation(a, b, X)
    n, thickness = found.normal, (margin(a), margin(b))
    deepest = Gap(found.here, found.there, n, found.distance, found.residual)
    if convex_slots(a.kind, b.kind) == 1:
        touching = [deepest]
    else:
        over, under = facet(a, -n), facet(b, X.rotation.transpose @ n).moved(X)
        apart = manifold(n, over, under) if a.kind != "capsule" else [*line_manifold(n, over, under), _unused(deepest)]
        touching = _with_deepest(apart, deepest, X.position.length())
    return [_in_world(gap, A, thickness) for gap in touching]


def separation(a: Form, b: Form, X: Transform) -> Apart:
    """How far the cores of two forms are apart, or how deep they overlap: a negative distance.

    X: the pose of the second in the frame of the first, in which the answer is told.
    """

    def corner(d: Vector) -> Corner:
        p = support(a, d)
        return Corner(p - X @ support(b, -(X.rotation.transpose @ d)), p)

    supported: Supported = Subprogram(corner)
    between = X @ centre(b) - centre(a)
    apart = distance(supported, -between)

    def overlapping(hint: Vector) -> Apart:
        return depth(supported, -between, [*_ways_out(a, b, X, between), hint])

    return when(apart.overlap > 0.5, overlapping, -apart.normal, otherwise=apart)


def _ways_out(a: Form, b: Form, X: Transform, between: Vector) -> list[Vector]:
    """Directions from the first to the second: between centres, along and around axes, across edges, out of faces."""
    straight = unit_or(between, UP)[0]
    of_a = [SAME.rotation.columns[k] for k in AXES.get(a.kind, ())]
    of_b = [X.rotation.columns[k] for k in AXES.get(b.kind, ())]
    ways = [*of_a, *of_b, *(unit_or(u.cross(w), straight)[0] for u in of_a for w in of_b)]
    for axes in (of_a, of_b):
        if len(axes) == 1:
            ways.append(unit_or(between - axes[0] * axes[0].dot(between), straight)[0])
    towards = [way * where(way.dot(between) >= 0.0, 1.0, -1.0) for way in ways]
    return [straight, *towards, *_normals(a), *(-(X.rotation @ n) for n in _normals(b))]


def _normals(form: Form) -> list[Vector]:
    """Outward unit normals of a hull's faces, evenly chosen from more than enough."""
    normals: list[Vector] = []
    for p, q, r, *_ in form.faces[:: 1 + len(form.faces) // MOST_NORMALS]:
        origin, along, beyond = (Vector(*form.vertices[number]) for number in (p, q, r))
        normals.append(unit_or((along - origin).cross(beyond - origin), UP)[0])
    return normals


def _unused(gap: Gap) -> Gap:
    return Gap(gap.here, gap.there, gap.normal, FAR)


def _with_deepest(gaps: list[Gap], deepest: Gap, scale: Scalar) -> list[Gap]:
    """The gaps, with the deepest point in place of the furthest or an unused one, if it is deeper than all of them.

    No gap is deeper than the deepest: lines that cross aslant touch at a point, and only their planes go deeper.
    """
    gaps = [_no_deeper(gap, deepest.size) for gap in gaps]
    least, most = gaps[0].size, gaps[0].size
    for gap in gaps[1:]:
        least, most = minimum(gap.size, least), maximum(gap.size, most)
    waiting = where(deepest.size < least - DEEPER[working_precision()] * scale, 1.0, 0.0)
    made: list[Gap] = []
    for gap in gaps:
        takes = (gap.size >= most) & (waiting > 0.5)
        place = chosen(takes, deepest, gap)
        made.append(Gap(place.here, place.there, place.normal, place.size, deepest.residual))
        waiting = where(takes, 0.0, waiting)
    return made


def _no_deeper(gap: Gap, least: Scalar) -> Gap:
    size = maximum(gap.size, least)
    there = chosen(gap.size < least, gap.here - gap.normal * size, gap.there)
    return Gap(gap.here, there, gap.normal, size)


def _in_world(gap: Gap, A: Transform, thickness: tuple[Scalar, Scalar]) -> Gap:
    """A gap between cores in the frame of the first as a gap between forms in the world."""
    n = A.rotation @ gap.normal
    size = where(gap.size >= FAR, FAR, gap.size - (thickness[0] + thickness[1]))
    return Gap(A @ gap.here - n * thickness[0], A @ gap.there + n * thickness[1], n, size, gap.residual)

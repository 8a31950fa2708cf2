"""The table of pairs: which function finds the gaps between which two kinds of forms."""

from itertools import combinations_with_replacement
from typing import Any

from gambol.collide.convex import convex_convex, convex_slots, form_of
from gambol.collide.gap import Gap
from gambol.collide.pairs.capsule_box import capsule_box
from gambol.collide.pairs.hollow import (
    SOLIDS,
    hollow_field,
    hollow_plane,
    pipe_pipe,
    pipe_slots,
    solid_field,
    solid_pipe,
)
from gambol.collide.pairs.plane import ON_PLANE, Pair
from gambol.collide.pairs.point import sphere_solid
from gambol.collide.pairs.round import capsule_capsule, sphere_capsule, sphere_sphere
from gambol.errors import FigureError
from gambol.spatial import Transform

GENERAL = ("box", "cylinder", "frustum", "ellipsoid", "hull")
CONVEX = [
    ("sphere", "hull"),
    *(("capsule", kind) for kind in GENERAL if kind != "box"),
    *combinations_with_replacement(GENERAL, 2),
]

PAIRS: dict[tuple[str, str], Pair] = {
    **{(kind, "plane"): pair for kind, pair in ON_PLANE.items()},
    **{(kind, "pipe"): Pair(solid_pipe, pipe_slots(kind)) for kind in SOLIDS},
    **{(kind, "height_field"): Pair(solid_field, ON_PLANE[kind].slots) for kind in SOLIDS},
    **{(kind, "plane"): Pair(hollow_plane, 4) for kind in ("pipe", "height_field")},
    **{(kind, "height_field"): Pair(hollow_field, 4) for kind in ("pipe", "height_field")},
    ("pipe", "pipe"): Pair(pipe_pipe, pipe_slots("cylinder")),
    ("sphere", "sphere"): Pair(sphere_sphere, 1),
    ("sphere", "capsule"): Pair(sphere_capsule, 1),
    ("sphere", "box"): Pair(sphere_solid, 1),
    ("sphere", "cylinder"): Pair(sphere_solid, 1),
    ("sphere", "frustum"): Pair(sphere_solid, 1),
    ("sphere", "ellipsoid"): Pair(sphere_solid, 1),
    ("capsule", "capsule"): Pair(capsule_capsule, 2),
    ("capsule", "box"): Pair(capsule_box, 2),
    **{kinds: Pair(convex_convex, convex_slots(*kinds)) for kinds in CONVEX},
}
"""For each two kinds, in one order of them, how they meet."""


def gaps(shape_a: Any, pose_a: Transform, shape_b: Any, pose_b: Transform) -> list[Gap]:
    """The gaps between two shapes in their poses in the world, as many as `slots` says; unused ones have size FAR.

    shape_a, shape_b: shapes of a figure, or Forms. Normals point from the second to the first.
    Raises FigureError for two kinds that cannot meet, such as two planes.
    """
    a, b = form_of(shape_a), form_of(shape_b)
    if (a.kind, b.kind) in PAIRS:
        return PAIRS[a.kind, b.kind].find(a, pose_a, b, pose_b)
    return [gap.flipped for gap in _known(b.kind, a.kind).find(b, pose_b, a, pose_a)]


def slots(kind_a: str, kind_b: str) -> int:
    """How many gaps there are between shapes of two kinds, in either order, used or not.

    Raises FigureError for two kinds that cannot meet.
    """
    return PAIRS[kind_a, kind_b].slots if (kind_a, kind_b) in PAIRS else _known(kind_b, kind_a).slots


def _known(kind_a: str, kind_b: str) -> Pair:
    pair = PAIRS.get((kind_a, kind_b))
    if pair is None:
        raise FigureError(f"a {kind_b} and a {kind_a} cannot meet: no pair of theirs is known")
    return pair

"""The table of collision methods: the function that finds the gaps of each pair of kinds of geoms."""

from itertools import combinations_with_replacement
from typing import Any

from gambol.collide.convex import convex_convex, convex_slots, geom_of
from gambol.collide.gap import Gap
from gambol.collide.pairs.capsule_box import capsule_box
from gambol.collide.pairs.ground import ON_PLANE, PairMethod
from gambol.collide.pairs.hollow import (
    SOLIDS,
    hollow_field,
    hollow_plane,
    pipe_pipe,
    pipe_slots,
    solid_field,
    solid_pipe,
)
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

PAIRS: dict[tuple[str, str], PairMethod] = {
    **{(kind, "plane"): method for kind, method in ON_PLANE.items()},
    **{(kind, "pipe"): PairMethod(solid_pipe, pipe_slots(kind)) for kind in SOLIDS},
    **{(kind, "height_field"): PairMethod(solid_field, ON_PLANE[kind].slots) for kind in SOLIDS},
    **{(kind, "plane"): PairMethod(hollow_plane, 4) for kind in ("pipe", "height_field")},
    **{(kind, "height_field"): PairMethod(hollow_field, 4) for kind in ("pipe", "height_field")},
    ("pipe", "pipe"): PairMethod(pipe_pipe, pipe_slots("cylinder")),
    ("sphere", "sphere"): PairMethod(sphere_sphere, 1),
    ("sphere", "capsule"): PairMethod(sphere_capsule, 1),
    ("sphere", "box"): PairMethod(sphere_solid, 1),
    ("sphere", "cylinder"): PairMethod(sphere_solid, 1),
    ("sphere", "frustum"): PairMethod(sphere_solid, 1),
    ("sphere", "ellipsoid"): PairMethod(sphere_solid, 1),
    ("capsule", "capsule"): PairMethod(capsule_capsule, 2),
    ("capsule", "box"): PairMethod(capsule_box, 2),
    **{kinds: PairMethod(convex_convex, convex_slots(*kinds)) for kinds in CONVEX},
}
"""The collision method of each pair of kinds, which is listed in one order only."""


def gaps(shape_a: Any, pose_a: Transform, shape_b: Any, pose_b: Transform) -> list[Gap]:
    """Return the gaps between two shapes in their poses; `slots` is their number; unused ones have size FAR.

    shape_a, shape_b: shapes of a figure, or Geoms. pose_a, pose_b: their poses in the world. Normals point from the
    second to the first. Raises FigureError for two kinds without a method, such as two planes.
    """
    a, b = geom_of(shape_a), geom_of(shape_b)
    if (a.kind, b.kind) in PAIRS:
        return PAIRS[a.kind, b.kind].find_gaps(a, pose_a, b, pose_b)
    return [gap.flipped for gap in _method_of(b.kind, a.kind).find_gaps(b, pose_b, a, pose_a)]


def slots(kind_a: str, kind_b: str) -> int:
    """Return the number of gaps between shapes of two kinds, in either order, including unused ones.

    Raises FigureError for two kinds without a method.
    """
    return PAIRS[kind_a, kind_b].slots if (kind_a, kind_b) in PAIRS else _method_of(kind_b, kind_a).slots


def is_searched(kind_a: str, kind_b: str) -> bool:
    """Return True if the gaps between shapes of two kinds, in either order, are found by a search."""
    return (kind_a, kind_b) in CONVEX or (kind_b, kind_a) in CONVEX


def _method_of(kind_a: str, kind_b: str) -> PairMethod:
    method = PAIRS.get((kind_a, kind_b))
    if method is None:
        raise FigureError(f"a {kind_b} and a {kind_a} cannot collide: there is no method for this pair")
    return method

"""Adding a kind of shape from another package: one call enters it into all tables of collision detection."""

from dataclasses import fields, is_dataclass
from typing import Any, cast

from gambol.collide.broad.balls import BALLS, Ball
from gambol.collide.broad.oriented import BOXES
from gambol.collide.broad.support_extent import EXTENTS
from gambol.collide.convex import SIZES, Geom, convex_convex, convex_slots
from gambol.collide.convex.ball_hull import (
    BALL_HULLS,
    balls_of,
    bounding_ball,
    bounding_box,
    extent,
    highest_point,
)
from gambol.collide.convex.support import CORES
from gambol.collide.gap import Gap
from gambol.collide.pairs.ground import ON_PLANE, PairMethod, point_plane_gap
from gambol.collide.pairs.hollow import pipe_slots, solid_field, solid_pipe
from gambol.collide.pairs.table import GENERAL, PAIRS
from gambol.errors import FigureError
from gambol.figure import SHAPES
from gambol.figure.shapes import BallHull
from gambol.spatial import Transform

NEEDED = ("kind", "sizes", "volume", "balls", "mass_properties", "contact_points", "mirrored")
"""Attributes that the class of an added shape must have; see figure.shapes.BallHull."""


def add_shape(shape: Any) -> None:
    """Add a kind of shape: the class of a convex hull of balls, see figure.shapes.BallHull.

    Figures, files, collisions with all other kinds, films and pictures can then use it. A process that reads figures or
    films with such shapes must have added the kind as well. Raises FigureError for a class that lacks an attribute, and
    for a kind that exists already.
    """
    name = getattr(shape, "__name__", repr(shape))
    if missing := [attribute for attribute in NEEDED if not hasattr(shape, attribute)]:
        raise FigureError(f'the shape "{name}" lacks {", ".join(missing)}; see docs/extend/shape.md')
    kind = cast(str, shape.kind)
    if not is_dataclass(shape) or any(field.type not in (float, "float") for field in fields(shape)):
        raise FigureError(f'the shape "{kind}" must be a frozen dataclass whose fields are floats: its sizes')
    if SHAPES.get(kind, shape) is not shape or (kind in SIZES and kind not in BALL_HULLS):
        raise FigureError(f'there is a shape of kind "{kind}" already; give yours another name')
    known = cast("type[BallHull]", shape)
    SHAPES[kind] = known
    _add_geom(kind, len(fields(known)), known.balls)


def _add_geom(kind: str, size_count: int, balls: Any) -> None:
    """Enter a kind into the tables of collision detection."""
    others = [other for other in BALL_HULLS if other != kind]
    SIZES[kind], BALL_HULLS[kind] = size_count, balls
    CORES[kind], EXTENTS[kind], BOXES[kind] = highest_point, extent, bounding_box
    BALLS[kind] = lambda geom: Ball(*bounding_ball(geom))
    ON_PLANE[kind] = PAIRS[kind, "plane"] = PairMethod(_on_plane, len(balls((1.0,) * size_count)))
    PAIRS[kind, "pipe"] = PairMethod(solid_pipe, pipe_slots(kind))
    PAIRS[kind, "height_field"] = PairMethod(solid_field, ON_PLANE[kind].slots)
    for first in ("sphere", "capsule", *GENERAL, *others, kind):
        PAIRS[first, kind] = PairMethod(convex_convex, convex_slots(first, kind))


def _on_plane(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the gaps of a hull of balls and a half space: below each of its balls."""
    n = B.rotation.columns[2]
    return [point_plane_gap(n, B.position, A @ centre - n * radius) for centre, radius in balls_of(a)]

"""The programs that compute the gaps of a pile: between two bodies, and between a body's point and the ground.

They read the poses of bodies from the table by their numbers. A gap is a contact ("near") if the two bodies could close
it within the step, or if it is small compared to their radii: see "margin" in body_table.py.
"""

from typing import Any, TypeAlias

from gambol.collide import Ground
from gambol.collide.convex.geom import GeomTemplate
from gambol.collide.gap import Gap
from gambol.collide.pairs import gaps
from gambol.collide.witness import gaps_with_witness
from gambol.lanes import Precision, Program, ProgramSpec, Scalar, where
from gambol.rigid.body_frame import geom_in_body
from gambol.rigid.body_table import Column
from gambol.spatial import Vector

GAP_ROWS = 11  # of a gap: two points (0 to 5), the normal (6 to 8), the size (9), and 1 if it is near (10)
NEAR = 10
WITNESS_ROWS = 4  # of a pair: the normal of its plane (0 to 2), and 1 if the plane separated it in the last step (3)

Kind: TypeAlias = tuple[GeomTemplate, int]
"""A kind of geoms: the template, and how many numbers each has, see geom_in_body()."""

ZERO = (0.0, 0.0, 0.0)


def _rows(gap: Gap, first: Column, second: Column) -> tuple[Any, ...]:
    """Return the rows of a gap; first, second: the bodies. Columns without a candidate have the world as both."""
    margin = first.number("margin") + second.number("margin")
    near = where((gap.size <= margin) & (first.index > 0.0), 1.0, 0.0)
    return gap.point_a, gap.point_b, gap.normal, gap.size, near


def pair_program(
    kinds: tuple[Kind, Kind], precision: Precision, lanes: int | None, *, with_plane: bool = False
) -> Program:
    """Return the program for the gaps between shapes of two kinds.

    Its inputs are the indices of the bodies, the numbers of both geoms, and the stride of the table of bodies.
    with_plane: True for a separating plane of each pair: WITNESS_ROWS are a further input, and the last output.
    """
    kind_a, kind_b = kinds

    def pair_gaps(sides: Any, numbers_a: Any, numbers_b: Any, stride: Scalar, *others: Any) -> tuple[Any, ...]:
        first, second = (Column(others[-1], side, stride) for side in sides)
        pair = *geom_in_body(kind_a[0], numbers_a, first.pose()), *geom_in_body(kind_b[0], numbers_b, second.pose())
        if not with_plane:
            return tuple(_rows(gap, first, second) for gap in gaps(*pair))
        margin = first.number("margin") + second.number("margin")
        found = gaps_with_witness(*pair, Vector.of(others[0][:3]), margin)
        return (*(_rows(gap, first, second) for gap in found.gaps), (found.normal, found.separated))

    numbers = (0.0,) * kind_a[1], (0.0,) * kind_b[1]
    structures = ((0.0, 0.0), *numbers, 0.0, *[(0.0,) * WITNESS_ROWS] * with_plane)
    return Program(ProgramSpec("pile pair", pair_gaps, structures, 1, (*kinds, with_plane)), precision, lanes)


def ground_program(ground: Ground, precision: Precision, lanes: int | None) -> Program:
    """Return the program for the gap between a body's ball and the ground, along the normal below its centre.

    Its inputs are the number of the body and 0, centre and radius of the ball in the body, the numbers of the ground,
    and the stride of the table of bodies.
    """
    numbers = ground.numbers()

    def gap_below(sides: Any, point: Any, numbers: Any, stride: Scalar, *tables: Any) -> tuple[Any, ...]:
        first, second = (Column(tables[0], side, stride) for side in sides)
        centre = first.pose() @ Vector(*point[0])
        surface = ground.surface(numbers, tables[1] if len(tables) > 1 else None, centre.x, centre.y)
        lowest = centre - surface.normal * point[1]
        size = -surface.depth(centre.z) - point[1]
        return (_rows(Gap(lowest, lowest - surface.normal * size, surface.normal, size), first, second),)

    structures = ((0.0, 0.0), (ZERO, 0.0), dict.fromkeys(numbers, 0.0), 0.0)
    count = 1 if ground.table() is None else 2
    spec = ProgramSpec("pile over ground", gap_below, structures, count, type(ground).__name__)
    return Program(spec, precision, lanes)

"""The time of impact of a moving ball and a height grid: a test of every triangle near its path, cell by cell.

The cells below the path, widened by the ball's radius, are tested strip by strip: along the axis of the larger motion,
and in each strip across it. [Amanatides & Woo 1987, for a ray]
"""

from dataclasses import dataclass
from typing import Any

from gambol.collide.continuous.hit import NO_HIT, Hit, first_hit
from gambol.collide.continuous.mesh import Triangle
from gambol.collide.continuous.round import BallMotion
from gambol.collide.continuous.solid import triangle_hit
from gambol.collide.gap import select
from gambol.collide.height_grid import HeightGrid
from gambol.lanes import Scalar, clamp, floor, gather, is_finite, loop, maximum, minimum, when, where
from gambol.spatial import Vector

MAX_CELLS = 20000.0  # of one motion: cells after these are not tested
BORDER_TOLERANCE = 1e-5  # cells: a motion along the border of two cells tests both, for any rounding


@dataclass(frozen=True, slots=True)
class TraversalState:
    """The state of the traversal: strip, current and last cell in it, number of tested cells, and first hit."""

    strip: Scalar
    cell: Scalar
    last: Scalar
    tested: Scalar
    hit: Hit


@dataclass(frozen=True, slots=True)
class CellMotion:
    """The motion of a ball in units of cells: its start and its motion, along and across the main axis, and its radius.

    The main axis is the axis with the larger motion; strips follow each other along it. along_x: 1 if it is x, so that
    strips are rows of the grid, else 0. direction: -1 if the motion along it is towards lower coordinates, else 1;
    coordinates along it are multiplied by direction.
    """

    start_along: Scalar
    motion_along: Scalar
    start_across: Scalar
    motion_across: Scalar
    radius: Scalar
    along_x: Scalar
    direction: Scalar

    def strips(self) -> tuple[Scalar, Scalar]:
        """Return the first and the last strip."""
        return floor(self.start_along - self.radius), floor(self.start_along + self.motion_along + self.radius)

    def cells(self, strip: Scalar) -> tuple[Scalar, Scalar]:
        """Return the first and the last cell of a strip that the ball may pass over."""
        at_rest = self.motion_along <= 0.0
        speed = where(at_rest, 1.0, self.motion_along)
        enter = where(at_rest, 0.0, clamp((strip - self.radius - self.start_along) / speed, 0.0, 1.0))
        leave = where(at_rest, 1.0, clamp((strip + 1.0 + self.radius - self.start_along) / speed, 0.0, 1.0))
        at_entry, at_exit = (
            self.start_across + self.motion_across * enter,
            self.start_across + self.motion_across * leave,
        )
        return floor(minimum(at_entry, at_exit) - self.radius), floor(maximum(at_entry, at_exit) + self.radius)

    def row_and_column(self, strip: Scalar, cell: Scalar) -> tuple[Scalar, Scalar]:
        """Return the row and the column of a cell in the grid."""
        signed_strip = where(self.direction < 0.0, -1.0 - strip, strip)
        return where(self.along_x > 0.5, signed_strip, cell), where(self.along_x > 0.5, cell, signed_strip)


def grid_hit(ball: BallMotion, grid: HeightGrid, numbers: dict[str, Scalar], table: Any) -> Hit:
    """Return the first hit of a ball on a height grid; a ball whose centre starts below the ground hits at time 0.

    ball: its motion, in world axes. grid: the ground. numbers, table: inputs of the grid's program. Beyond its rim the
    grid is level. At most 20,000 cells of a motion are tested; a motion that is not finite hits nothing.
    """
    cell_motion = _cell_motion(ball, numbers)
    first, last = cell_motion.strips()

    def not_finished(w: TraversalState) -> Scalar:
        return (w.strip <= last) & (w.tested < MAX_CELLS)

    def step(w: TraversalState) -> TraversalState:
        row, column = cell_motion.row_and_column(w.strip, w.cell)
        hit = first_hit(w.hit, _cell_hit(ball, numbers, table, row, column))
        strip_done = w.cell >= w.last
        strip = where(strip_done, w.strip + 1.0, w.strip)
        low, high = cell_motion.cells(strip)
        return TraversalState(
            strip, where(strip_done, low, w.cell + 1.0), where(strip_done, high, w.last), w.tested + 1.0, hit
        )

    low, high = cell_motion.cells(first)
    finite = is_finite(ball.start.dot(ball.start) + ball.motion.dot(ball.motion))
    earliest = loop(not_finished, step, TraversalState(first, low, high, where(finite, 0.0, MAX_CELLS), NO_HIT)).hit
    surface = grid.surface(numbers, table, ball.start.x, ball.start.y)
    up = earliest.normal * where(earliest.normal.z < 0.0, -1.0, 1.0)  # the far side of a ridge faces down
    return select(surface.height > ball.start.z, Hit(0.0, surface.normal), Hit(maximum(earliest.time, 0.0), up))


def _cell_motion(ball: BallMotion, numbers: dict[str, Scalar]) -> CellMotion:
    spacing = numbers["spacing"]
    x, y = (ball.start.x - numbers["x0"]) / spacing, (ball.start.y - numbers["y0"]) / spacing
    along_x = abs(ball.motion.x) >= abs(ball.motion.y)
    start_along, start_across = select(along_x, (x, y), (y, x))
    motion_along, motion_across = select(along_x, (ball.motion.x, ball.motion.y), (ball.motion.y, ball.motion.x))
    direction = where(motion_along < 0.0, -1.0, 1.0)
    return CellMotion(
        start_along * direction,
        abs(motion_along) / spacing,
        start_across,
        motion_across / spacing,
        ball.radius / spacing + BORDER_TOLERANCE,
        where(along_x, 1.0, 0.0),
        direction,
    )


def _cell_hit(ball: BallMotion, numbers: dict[str, Scalar], table: Any, row: Scalar, column: Scalar) -> Hit:
    """Return the first hit of a ball that goes below the highest corner of a cell on the cell's two triangles."""
    corners = {(i, j): _corner(numbers, table, row + float(i), column + float(j)) for i in (0, 1) for j in (0, 1)}
    top = maximum(maximum(corners[0, 0].z, corners[0, 1].z), maximum(corners[1, 0].z, corners[1, 1].z))
    lowest = minimum(ball.start.z, ball.start.z + ball.motion.z) - ball.radius

    def triangle_hits() -> Hit:
        lower: Triangle = (corners[0, 0], corners[1, 0], corners[0, 1])
        upper: Triangle = (corners[1, 1], corners[0, 1], corners[1, 0])
        return first_hit(triangle_hit(ball, lower, deep=True), triangle_hit(ball, upper, deep=True))

    return when(lowest <= top, triangle_hits, otherwise=NO_HIT)


def _corner(numbers: dict[str, Scalar], table: Any, row: Scalar, column: Scalar) -> Vector:
    """Return a corner of a cell; beyond the rim it is as high as the nearest one on the rim."""
    i, j = clamp(row, 0.0, numbers["rows"] - 1.0), clamp(column, 0.0, numbers["columns"] - 1.0)
    height = gather(table, i * numbers["columns"] + j)
    spacing = numbers["spacing"]
    return Vector(numbers["x0"] + row * spacing, numbers["y0"] + column * spacing, height)

"""The time of impact of a moving ball and a height grid: a test of every triangle near its path, cell after cell.

The cells are those below the path, widened by the ball's radius: strip by strip along the axis of the larger motion,
and across in each strip. [Amanatides & Woo 1987, for a ray]
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

MAX_CELLS = 20000.0  # of one motion: later ones are not tested
SEAM = 1e-5  # cells: a motion along the border of two cells tests both, whatever the rounding


@dataclass(frozen=True, slots=True)
class TraversalState:
    """The state of the traversal: strip, cell in it, last cell of the strip, number of tested cells, and first hit."""

    strip: Scalar
    place: Scalar
    last: Scalar
    cells: Scalar
    hit: Hit


@dataclass(frozen=True, slots=True)
class CellMotion:
    """The motion of a ball in units of cells: its start and motion along and across the strips, and its radius.

    along_x: 1 if the strips are rows of the grid, one after the other along x, else 0. back: -1 if the motion is
    towards lower coordinates, else 1.
    """

    along: Scalar
    speed: Scalar
    across: Scalar
    drift: Scalar
    radius: Scalar
    along_x: Scalar
    back: Scalar

    def strips(self) -> tuple[Scalar, Scalar]:
        """Return the first and the last strip."""
        return floor(self.along - self.radius), floor(self.along + self.speed + self.radius)

    def places(self, strip: Scalar) -> tuple[Scalar, Scalar]:
        """Return the first and the last cell of a strip that the ball may come over."""
        still = self.speed <= 0.0
        speed = where(still, 1.0, self.speed)
        enter = where(still, 0.0, clamp((strip - self.radius - self.along) / speed, 0.0, 1.0))
        leave = where(still, 1.0, clamp((strip + 1.0 + self.radius - self.along) / speed, 0.0, 1.0))
        one, other = self.across + self.drift * enter, self.across + self.drift * leave
        return floor(minimum(one, other) - self.radius), floor(maximum(one, other) + self.radius)

    def cell(self, strip: Scalar, place: Scalar) -> tuple[Scalar, Scalar]:
        """Return row and column of the grid."""
        forth = where(self.back < 0.0, -1.0 - strip, strip)
        return where(self.along_x > 0.5, forth, place), where(self.along_x > 0.5, place, forth)


def grid_hit(ball: BallMotion, grid: HeightGrid, numbers: dict[str, Scalar], table: Any) -> Hit:
    """Return when a ball meets the ground of a height grid; one whose centre starts below it hits at once.

    ball: its motion, in world axes. grid: the ground. numbers, table: inputs of the grid's program. Beyond its rim the
    grid is level. At most 20,000 cells of a motion are tested, and none of a motion that is not finite.
    """
    route = _cell_motion(ball, numbers)
    first, last = route.strips()

    def goes_on(w: TraversalState) -> Scalar:
        return (w.strip <= last) & (w.cells < MAX_CELLS)

    def step(w: TraversalState) -> TraversalState:
        row, column = route.cell(w.strip, w.place)
        hit = first_hit(w.hit, _cell_hit(ball, numbers, table, row, column))
        done = w.place >= w.last
        strip = where(done, w.strip + 1.0, w.strip)
        low, high = route.places(strip)
        return TraversalState(strip, where(done, low, w.place + 1.0), where(done, high, w.last), w.cells + 1.0, hit)

    low, high = route.places(first)
    finite = is_finite(ball.start.dot(ball.start) + ball.motion.dot(ball.motion))
    found = loop(goes_on, step, TraversalState(first, low, high, where(finite, 0.0, MAX_CELLS), NO_HIT)).hit
    below = grid.surface(numbers, table, ball.start.x, ball.start.y)
    up = found.normal * where(found.normal.z < 0.0, -1.0, 1.0)  # the far side of a ridge faces down
    return select(below.height > ball.start.z, Hit(0.0, below.normal), Hit(maximum(found.time, 0.0), up))


def _cell_motion(ball: BallMotion, numbers: dict[str, Scalar]) -> CellMotion:
    spacing = numbers["spacing"]
    x, y = (ball.start.x - numbers["x0"]) / spacing, (ball.start.y - numbers["y0"]) / spacing
    along_x = abs(ball.motion.x) >= abs(ball.motion.y)
    along, across = select(along_x, (x, y), (y, x))
    speed, drift = select(along_x, (ball.motion.x, ball.motion.y), (ball.motion.y, ball.motion.x))
    back = where(speed < 0.0, -1.0, 1.0)
    return CellMotion(
        along * back,
        abs(speed) / spacing,
        across,
        drift / spacing,
        ball.radius / spacing + SEAM,
        where(along_x, 1.0, 0.0),
        back,
    )


def _cell_hit(ball: BallMotion, numbers: dict[str, Scalar], table: Any, row: Scalar, column: Scalar) -> Hit:
    """Return when the ball meets one of a cell's two triangles, if it comes below its highest corner at all."""
    corners = {(i, j): _corner(numbers, table, row + float(i), column + float(j)) for i in (0, 1) for j in (0, 1)}
    top = maximum(maximum(corners[0, 0].z, corners[0, 1].z), maximum(corners[1, 0].z, corners[1, 1].z))
    lowest = minimum(ball.start.z, ball.start.z + ball.motion.z) - ball.radius

    def both() -> Hit:
        lower: Triangle = (corners[0, 0], corners[1, 0], corners[0, 1])
        upper: Triangle = (corners[1, 1], corners[0, 1], corners[1, 0])
        return first_hit(triangle_hit(ball, lower, deep=True), triangle_hit(ball, upper, deep=True))

    return when(lowest <= top, both, otherwise=NO_HIT)


def _corner(numbers: dict[str, Scalar], table: Any, row: Scalar, column: Scalar) -> Vector:
    """Return a corner of a cell; beyond the rim it is as high as the nearest one on the rim."""
    i, j = clamp(row, 0.0, numbers["rows"] - 1.0), clamp(column, 0.0, numbers["columns"] - 1.0)
    height = gather(table, i * numbers["columns"] + j)
    spacing = numbers["spacing"]
    return Vector(numbers["x0"] + row * spacing, numbers["y0"] + column * spacing, height)

"""When a moving ball meets a grid of heights: every triangle that its way may come near, cell after cell.

The cells are those in the shadow of the way, widened by the ball's radius: strip by strip along the axis on which it
leads further, and in each strip across. [Amanatides & Woo 1987, for the walk of a point]
"""

from dataclasses import dataclass
from typing import Any

from gambol.collide.continuous.hit import NO_HIT, Hit, first_hit
from gambol.collide.continuous.mesh import Triangle
from gambol.collide.continuous.round import Way
from gambol.collide.continuous.solid import triangle_hit
from gambol.collide.gap import chosen
from gambol.collide.height_grid import HeightGrid
from gambol.lanes import Scalar, clamp, floor, gather, is_finite, loop, maximum, minimum, when, where
from gambol.spatial import Vector

MOST_CELLS = 20000.0  # along one way: what lies beyond these, in the order of the way, is not looked at
SEAM = 1e-5  # cells: a way along the seam of two cells looks at both, however it is rounded


@dataclass(frozen=True, slots=True)
class Walk:
    """Which cell comes next: strip, place in it, and the last place; how many were met; and the best hit so far."""

    strip: Scalar
    place: Scalar
    last: Scalar
    cells: Scalar
    hit: Hit


@dataclass(frozen=True, slots=True)
class Route:
    """A way in units of cells: where it starts and leads along and across its strips, and the ball's radius.

    along_x: 1 if the strips are rows of the grid, one after the other along x, else 0. back: -1 if it leads down.
    """

    along: Scalar
    speed: Scalar
    across: Scalar
    drift: Scalar
    radius: Scalar
    along_x: Scalar
    back: Scalar

    def strips(self) -> tuple[Scalar, Scalar]:
        """The first and the last strip."""
        return floor(self.along - self.radius), floor(self.along + self.speed + self.radius)

    def places(self, strip: Scalar) -> tuple[Scalar, Scalar]:
        """The first and the last place in a strip that the ball may come over."""
        still = self.speed <= 0.0
        speed = where(still, 1.0, self.speed)
        enter = where(still, 0.0, clamp((strip - self.radius - self.along) / speed, 0.0, 1.0))
        leave = where(still, 1.0, clamp((strip + 1.0 + self.radius - self.along) / speed, 0.0, 1.0))
        one, other = self.across + self.drift * enter, self.across + self.drift * leave
        return floor(minimum(one, other) - self.radius), floor(maximum(one, other) + self.radius)

    def cell(self, strip: Scalar, place: Scalar) -> tuple[Scalar, Scalar]:
        """Row and column of the grid."""
        forth = where(self.back < 0.0, -1.0 - strip, strip)
        return where(self.along_x > 0.5, forth, place), where(self.along_x > 0.5, place, forth)


def grid_hit(way: Way, grid: HeightGrid, numbers: dict[str, Scalar], table: Any) -> Hit:
    """When a ball meets the ground of a height grid; one whose centre starts below it hits at once.

    way: in world axes. numbers, table: the grid's own, as the program has them. Beyond its rim the grid goes on level.
    A way over more than 20,000 cells is only looked at that far, and one that is not finite not at all.
    """
    route = _route(way, numbers)
    first, last = route.strips()

    def goes_on(w: Walk) -> Scalar:
        return (w.strip <= last) & (w.cells < MOST_CELLS)

    def step(w: Walk) -> Walk:
        row, column = route.cell(w.strip, w.place)
        hit = first_hit(w.hit, _cell_hit(way, numbers, table, row, column))
        done = w.place >= w.last
        strip = where(done, w.strip + 1.0, w.strip)
        low, high = route.places(strip)
        return Walk(strip, where(done, low, w.place + 1.0), where(done, high, w.last), w.cells + 1.0, hit)

    low, high = route.places(first)
    finite = is_finite(way.start.dot(way.start) + way.motion.dot(way.motion))
    walked = loop(goes_on, step, Walk(first, low, high, where(finite, 0.0, MOST_CELLS), NO_HIT)).hit
    below = grid.surface(numbers, table, way.start.x, way.start.y)
    up = walked.normal * where(walked.normal.z < 0.0, -1.0, 1.0)  # a ridge that is grazed shows its far side
    return chosen(below.height > way.start.z, Hit(0.0, below.normal), Hit(maximum(walked.time, 0.0), up))


def _route(way: Way, numbers: dict[str, Scalar]) -> Route:
    spacing = numbers["spacing"]
    x, y = (way.start.x - numbers["x0"]) / spacing, (way.start.y - numbers["y0"]) / spacing
    along_x = abs(way.motion.x) >= abs(way.motion.y)
    along, across = chosen(along_x, (x, y), (y, x))
    speed, drift = chosen(along_x, (way.motion.x, way.motion.y), (way.motion.y, way.motion.x))
    back = where(speed < 0.0, -1.0, 1.0)
    return Route(
        along * back,
        abs(speed) / spacing,
        across,
        drift / spacing,
        way.radius / spacing + SEAM,
        where(along_x, 1.0, 0.0),
        back,
    )


def _cell_hit(way: Way, numbers: dict[str, Scalar], table: Any, row: Scalar, column: Scalar) -> Hit:
    """When the ball meets one of a cell's two triangles, if it comes down to its highest corner at all."""
    corners = {(i, j): _corner(numbers, table, row + float(i), column + float(j)) for i in (0, 1) for j in (0, 1)}
    top = maximum(maximum(corners[0, 0].z, corners[0, 1].z), maximum(corners[1, 0].z, corners[1, 1].z))
    lowest = minimum(way.start.z, way.start.z + way.motion.z) - way.radius

    def both() -> Hit:
        lower: Triangle = (corners[0, 0], corners[1, 0], corners[0, 1])
        upper: Triangle = (corners[1, 1], corners[0, 1], corners[1, 0])
        return first_hit(triangle_hit(way, lower, deep=True), triangle_hit(way, upper, deep=True))

    return when(lowest <= top, both, otherwise=NO_HIT)


def _corner(numbers: dict[str, Scalar], table: Any, row: Scalar, column: Scalar) -> Vector:
    """A corner of a cell, beyond the rim as high as the nearest one on it."""
    i, j = clamp(row, 0.0, numbers["rows"] - 1.0), clamp(column, 0.0, numbers["columns"] - 1.0)
    height = gather(table, i * numbers["columns"] + j)
    spacing = numbers["spacing"]
    return Vector(numbers["x0"] + row * spacing, numbers["y0"] + column * spacing, height)

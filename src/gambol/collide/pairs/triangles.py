"""A ball over a height grid: the nearest point of the triangles around it. [Ericson 2005, section 5.1.5]"""

from typing import Any, TypeAlias

from gambol.collide.convex.direction import MIN_LENGTH, unit_or
from gambol.collide.gap import FAR, Gap, select
from gambol.collide.height_grid import HeightGrid
from gambol.lanes import Scalar, clamp, floor, gather, loop, maximum, where, working_precision
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

CELLS_AROUND = 3.0  # cells each way: the cell below the centre and its neighbours
MAX_SEARCHES = 64.0  # further searches: enough for a ball with a radius of 64 cells in a bowl
SURFACE_TOLERANCE = {"float64": 1e-9, "float32": 1e-4}
"""Distance, divided by the spacing of the grid, below which the more accurate normal of the triangle is used."""


NearestPoint: TypeAlias = tuple[Scalar, Vector, Vector]
"""The squared distance of a point of the ground, the point, and the normal of its triangle."""


def ball_on_grid(p: Vector, radius: Scalar, grid: HeightGrid, numbers: dict[str, Scalar], table: Any) -> Gap:
    """Return the gap of a ball and a height grid.

    p, radius: centre and radius of the ball [m]. grid: the ground. numbers, table: inputs of the grid's program. For a
    centre below the ground the normal is the direction of the shortest way out. The search starts in the cells around
    the centre. It is repeated in the cells around the nearest point so far, as long as this finds a nearer one. It is
    exact for balls that are smaller than the ground's hollows, and for points within a cell of the centre; elsewhere
    the size may be too large.
    """
    surface = grid.surface(numbers, table, p.x, p.y)

    def search_around(middle: Vector, best: NearestPoint) -> NearestPoint:
        def search_cell(state: tuple[NearestPoint, Scalar]) -> tuple[NearestPoint, Scalar]:
            best, k = state
            for corners in _triangles(middle, k, numbers, table):
                best = _nearer(p, corners, best)
            return best, k + 1.0

        return loop(lambda s: s[1] < CELLS_AROUND * CELLS_AROUND, search_cell, (best, 0.0))[0]

    def search_on(state: tuple[NearestPoint, Scalar, Scalar]) -> tuple[NearestPoint, Scalar, Scalar]:
        best, _, count = state
        nearest = search_around(best[1], best)
        return nearest, where(nearest[0] < best[0], 1.0, 0.0), count + 1.0

    first = search_around(p, (FAR * FAR, Vector(p.x, p.y, surface.height), surface.normal))
    is_outside_first_cells = maximum(abs(first[1].x - p.x), abs(first[1].y - p.y)) > numbers["spacing"]
    (_, q, face), _, _ = loop(
        lambda s: (s[1] > 0.5) & (s[2] < MAX_SEARCHES), search_on, (first, where(is_outside_first_cells, 1.0, 0.0), 0.0)
    )
    side = where(p.z >= surface.height, 1.0, -1.0)
    n, distance = unit_or((p - q) * side, face)
    n = select(distance > SURFACE_TOLERANCE[working_precision()] * numbers["spacing"], n, face)
    return Gap(p - n * radius, q, n, side * distance - radius)


def _triangles(p: Vector, k: Scalar, numbers: dict[str, Scalar], table: Any) -> list[tuple[Vector, Vector, Vector]]:
    """Return the two triangles of the k-th of the nine cells around a point p."""
    spacing, columns = numbers["spacing"], numbers["columns"]
    row = floor(k / CELLS_AROUND)
    i = floor((p.x - numbers["x0"]) / spacing) + row - 1.0
    j = floor((p.y - numbers["y0"]) / spacing) + (k - CELLS_AROUND * row) - 1.0

    def node(a: Scalar, b: Scalar) -> Vector:
        index = clamp(a, 0.0, numbers["rows"] - 1.0) * columns + clamp(b, 0.0, columns - 1.0)
        return Vector(numbers["x0"] + a * spacing, numbers["y0"] + b * spacing, gather(table, index))

    corner, along_x, along_y, far = node(i, j), node(i + 1.0, j), node(i, j + 1.0), node(i + 1.0, j + 1.0)
    return [(corner, along_x, along_y), (far, along_y, along_x)]


def _nearer(p: Vector, corners: tuple[Vector, Vector, Vector], best: NearestPoint) -> NearestPoint:
    """Return the nearer one of the best point so far and the nearest point of a triangle, with the face normal."""
    a, b, c = corners
    normal = (b - a).cross(c - a)
    nn = normal.dot(normal)
    face = unit_or(normal, ZERO)[0]
    height = (p - a).dot(face)
    foot = p - face * height
    inside: Scalar = nn > MIN_LENGTH
    for start, end in ((a, b), (b, c), (c, a)):
        inside = inside & ((end - start).cross(foot - start).dot(normal) >= 0.0)
        best = _select_nearer(p, _nearest_on_edge(p, start, end), face, best)
    inside_point = (where(inside, height * height, FAR * FAR), foot, face)
    return select(inside_point[0] < best[0], inside_point, best)


def _nearest_on_edge(p: Vector, a: Vector, b: Vector) -> Vector:
    e = b - a
    return a + e * clamp((p - a).dot(e) / e.dot(e), 0.0, 1.0)


def _select_nearer(p: Vector, q: Vector, face: Vector, best: NearestPoint) -> NearestPoint:
    squared = (p - q).dot(p - q)
    return select(squared < best[0], (squared, q, face), best)

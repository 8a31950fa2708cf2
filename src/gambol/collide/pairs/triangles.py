"""A ball over a height grid: the nearest point of the triangles around it. [Ericson 2005, section 5.1.5]"""

from typing import Any

from gambol.collide.convex.direction import TINY, unit_or
from gambol.collide.gap import FAR, Gap, chosen
from gambol.collide.height_grid import HeightGrid
from gambol.lanes import Scalar, clamp, floor, gather, loop, where, working_precision
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

AROUND = 3.0  # cells each way: the cell below the centre and its neighbours
ON = {"float64": 1e-9, "float32": 1e-4}
"""Of a cell: nearer than this to a triangle its own normal is better than that of the distance."""


def ball_on_grid(p: Vector, radius: Scalar, grid: HeightGrid, numbers: dict[str, Scalar], table: Any) -> Gap:
    """The gap between a ball about p [m] and a triangulated ground, exact up to one cell from the centre.

    Beyond, the size may be too large, but is more than a cell less the radius. numbers, table: of the grid. Below the
    ground the centre leaves it by the shortest way.
    """
    surface = grid.surface(numbers, table, p.x, p.y)
    start = (FAR * FAR, Vector(p.x, p.y, surface.height), surface.normal, 0.0)

    def look(state: tuple[Scalar, Vector, Vector, Scalar]) -> tuple[Scalar, Vector, Vector, Scalar]:
        squared, point, normal, k = state
        best = (squared, point, normal)
        for corners in _triangles(p, k, numbers, table):
            best = _nearer(p, corners, best)
        return (*best, k + 1.0)

    _, q, face, _ = loop(lambda s: s[3] < AROUND * AROUND, look, start)
    out = where(p.z >= surface.height, 1.0, -1.0)
    away = (p - q) * out
    n, distance = unit_or(away, face)
    n = chosen(distance > ON[working_precision()] * numbers["spacing"], n, face)
    return Gap(p - n * radius, q, n, out * distance - radius)


def _triangles(p: Vector, k: Scalar, numbers: dict[str, Scalar], table: Any) -> list[tuple[Vector, Vector, Vector]]:
    """The two triangles of the k-th cell around p."""
    spacing, columns = numbers["spacing"], numbers["columns"]
    row = floor(k / AROUND)
    i = floor((p.x - numbers["x0"]) / spacing) + row - 1.0
    j = floor((p.y - numbers["y0"]) / spacing) + (k - AROUND * row) - 1.0

    def node(a: Scalar, b: Scalar) -> Vector:
        on = clamp(a, 0.0, numbers["rows"] - 1.0) * columns + clamp(b, 0.0, columns - 1.0)
        return Vector(numbers["x0"] + a * spacing, numbers["y0"] + b * spacing, gather(table, on))

    corner, along_x, along_y, far = node(i, j), node(i + 1.0, j), node(i, j + 1.0), node(i + 1.0, j + 1.0)
    return [(corner, along_x, along_y), (far, along_y, along_x)]


def _nearer(
    p: Vector, corners: tuple[Vector, Vector, Vector], best: tuple[Scalar, Vector, Vector]
) -> tuple[Scalar, Vector, Vector]:
    """The nearer of the best point so far and the point of a triangle, each with its square and the face's normal."""
    a, b, c = corners
    normal = (b - a).cross(c - a)
    nn = normal.dot(normal)
    face = unit_or(normal, ZERO)[0]
    height = (p - a).dot(face)
    foot = p - face * height
    inside: Scalar = nn > TINY
    for start, end in ((a, b), (b, c), (c, a)):
        inside = inside & ((end - start).cross(foot - start).dot(normal) >= 0.0)
        best = _chosen_nearer(p, _on_edge(p, start, end), face, best)
    over = (where(inside, height * height, FAR * FAR), foot, face)
    return chosen(over[0] < best[0], over, best)


def _on_edge(p: Vector, a: Vector, b: Vector) -> Vector:
    e = b - a
    return a + e * clamp((p - a).dot(e) / e.dot(e), 0.0, 1.0)


def _chosen_nearer(
    p: Vector, q: Vector, face: Vector, best: tuple[Scalar, Vector, Vector]
) -> tuple[Scalar, Vector, Vector]:
    squared = (p - q).dot(p - q)
    return chosen(squared < best[0], (squared, q, face), best)

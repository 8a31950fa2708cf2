"""A ball over a height grid: the nearest point of the triangles around it. [Ericson 2005, section 5.1.5]"""

from typing import Any, TypeAlias

from gambol.collide.convex.direction import TINY, unit_or
from gambol.collide.gap import FAR, Gap, chosen
from gambol.collide.height_grid import HeightGrid
from gambol.lanes import Scalar, clamp, floor, gather, loop, maximum, where, working_precision
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

AROUND = 3.0  # cells each way: the cell below the centre and its neighbours
MOST_WALKS = 64.0  # further looks: balls of up to so many cells roll in a bowl as on a smooth one
ON = {"float64": 1e-9, "float32": 1e-4}
"""Of a cell: nearer than this to a triangle its own normal is better than that of the distance."""


Near: TypeAlias = tuple[Scalar, Vector, Vector]
"""The squared distance of a place of the ground, the place, and the normal of its triangle."""


def ball_on_grid(p: Vector, radius: Scalar, grid: HeightGrid, numbers: dict[str, Scalar], table: Any) -> Gap:
    """The gap between a ball about p [m] and a triangulated ground. Below it the centre leaves by the shortest way.

    The nearest place is looked for in the cells around the centre, then in those around what was found, and so on
    while that is nearer: exact for balls that are smaller than the ground's hollows, and to within a cell of the
    centre. Elsewhere the size may be too large. numbers, table: of the grid.
    """
    surface = grid.surface(numbers, table, p.x, p.y)

    def looked(middle: Vector, best: Near) -> Near:
        def look(state: tuple[Near, Scalar]) -> tuple[Near, Scalar]:
            best, k = state
            for corners in _triangles(middle, k, numbers, table):
                best = _nearer(p, corners, best)
            return best, k + 1.0

        return loop(lambda s: s[1] < AROUND * AROUND, look, (best, 0.0))[0]

    def walk(state: tuple[Near, Scalar, Scalar]) -> tuple[Near, Scalar, Scalar]:
        best, _, count = state
        found = looked(best[1], best)
        return found, where(found[0] < best[0], 1.0, 0.0), count + 1.0

    first = looked(p, (FAR * FAR, Vector(p.x, p.y, surface.height), surface.normal))
    away = maximum(abs(first[1].x - p.x), abs(first[1].y - p.y)) > numbers["spacing"]
    (_, q, face), _, _ = loop(lambda s: (s[1] > 0.5) & (s[2] < MOST_WALKS), walk, (first, where(away, 1.0, 0.0), 0.0))
    out = where(p.z >= surface.height, 1.0, -1.0)
    n, distance = unit_or((p - q) * out, face)
    n = chosen(distance > ON[working_precision()] * numbers["spacing"], n, face)
    return Gap(p - n * radius, q, n, out * distance - radius)


def _triangles(p: Vector, k: Scalar, numbers: dict[str, Scalar], table: Any) -> list[tuple[Vector, Vector, Vector]]:
    """The two triangles of the k-th cell around a place p."""
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

"""Matrices and vectors of tiles of three, in arrays: the rows of a contact are one tile.

Loops over tiles stay loops in a program, so that its code does not grow with the number of tiles.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gambol.lanes import Array, Index, Scalar, array, empty, fori
from gambol.spatial import Matrix, Vector
from gambol.spatial.dense import Numbers, Rows, dot, reciprocal
from gambol.spatial.vector import ZERO

TileIndex = int | Index
"""The index of a tile."""


def tile_of(numbers: Array, i: TileIndex) -> Vector:
    """Return tile i of a vector."""
    return Vector.of(numbers.slice(3 * i, 3))


def set_tile(numbers: Array, i: TileIndex, tile: Vector) -> None:
    """Replace tile i of a vector."""
    numbers.write(3 * i, [*tile])


def product(a: Matrix, b: Matrix) -> Matrix:
    """Return a b."""
    return plus_product(Matrix.of([[0.0] * 3] * 3), a, b)


def plus_product(c: Matrix, a: Matrix, b: Matrix, sign: float = 1.0) -> Matrix:
    """Return c + sign a b."""
    columns = list(zip(*b.rows, strict=True))
    return Matrix.of(
        [
            [dot([sign * x for x in row], column, start) for column, start in zip(columns, starts, strict=True)]
            for row, starts in zip(a.rows, c.rows, strict=True)
        ]
    )


def inverted(a: Matrix) -> Matrix:
    """Return the inverse, by elimination without pivoting; NaN if a pivot is 0."""
    rows = [[*row, *(1.0 if i == k else 0.0 for k in range(3))] for i, row in enumerate(a.rows)]
    for k in range(3):
        pivot = reciprocal(rows[k][k])
        rows[k] = [x * pivot for x in rows[k]]
        for i in range(3):
            if i != k:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k], strict=True)]
    return Matrix.of([row[3:] for row in rows])


@dataclass(frozen=True, slots=True)
class Tiles:
    """A matrix of tiles of 3 x 3.

    numbers: nine of each tile, row by row, tile by tile along the rows. rows, columns: numbers of tiles. rolled: True
    for loops over tiles, False for unrolled code, which is faster for one or two contacts.
    """

    numbers: Array
    rows: int
    columns: int
    rolled: bool

    @staticmethod
    def empty(rows: int, columns: int, *, rolled: bool) -> "Tiles":
        """Return a matrix that is to be filled."""
        return Tiles(empty(9 * rows * columns), rows, columns, rolled)

    def loop(self, first: TileIndex, last: TileIndex, step: Callable[[Any, Any], Any], state: Any = ()) -> Any:
        """Return the state after step(i, state) for the tiles from first to last - 1, see fori()."""
        return fori(first, last, step, state, rolled=self.rolled)

    def each(self, first: TileIndex, last: TileIndex, step: Callable[[Any, Any], None]) -> None:
        """Call step(i, j) for all tiles of the rows from first to last - 1."""
        self.loop(first, last, lambda i, _: self.loop(0, self.columns, lambda j, _: step(i, j)))

    def vector(self) -> Array:
        """Return a vector that is to be filled, with a tile for each row."""
        return empty(3 * self.rows)

    def __getitem__(self, place: tuple[TileIndex, TileIndex]) -> Matrix:
        x = self.numbers.slice(self._first(*place), 9)
        return Matrix.of([x[0:3], x[3:6], x[6:9]])

    def write(self, i: TileIndex, j: TileIndex, tile: Matrix) -> None:
        """Replace the tile in row i and column j."""
        self.numbers.write(self._first(i, j), [x for row in tile.rows for x in row])

    def _first(self, i: TileIndex, j: TileIndex) -> TileIndex:
        return (i * self.columns + j) * 9

    def row_times(self, i: TileIndex, x: Array, first: TileIndex = 0, addend: Vector = ZERO) -> Vector:
        """Return addend plus the product of tiles `first` and later of row i with those of a vector x.

        The sums over the three columns of tiles are separate, to hide the latency of additions.
        """

        def add(j: TileIndex, sums: tuple[Vector, Vector, Vector]) -> tuple[Vector, ...]:
            tile, factors = self[i, j], tile_of(x, j)
            return tuple(total + tile.column(k) * factors[k] for k, total in enumerate(sums))

        a, b, c = self.loop(first, self.columns, add, (addend, Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)))
        return a + (b + c)

    def times(self, x: Sequence[Scalar]) -> Numbers:
        """Return the product with a vector of numbers."""
        factors, result = array(x), self.vector()
        self.loop(0, self.rows, lambda i, _: set_tile(result, i, self.row_times(i, factors)))
        return result.slice(0, 3 * self.rows)

    def matrix(self) -> Rows:
        """Return all numbers by rows."""
        return [
            [x for j in range(self.columns) for x in self[i, j].rows[row]] for i in range(self.rows) for row in range(3)
        ]

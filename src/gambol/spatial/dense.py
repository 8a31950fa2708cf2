"""Small dense matrices and systems of equations over generic scalars.

    A = P L U with the largest entry of each column as its pivot     [Golub and Van Loan 2013, section 3.4]

First each row is divided by its largest entry. Rows are exchanged by `where`, so that every lane has separate pivots.
Structural zeros need no operations.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gambol.lanes import Scalar, maximum, total, where
from gambol.spatial.rotation import is_constant

Numbers: TypeAlias = list[Scalar]
Rows: TypeAlias = list[Numbers]


def dot(a: Sequence[Scalar], b: Sequence[Scalar], addend: Scalar = 0.0) -> Scalar:
    """Return addend + a . b."""
    return total((x * y for x, y in zip(a, b, strict=True)), addend)


def max_abs(numbers: Sequence[Scalar]) -> Scalar:
    """Return the largest absolute value; 0 for an empty list."""
    largest: Scalar = 0.0
    for x in numbers:
        largest = maximum(abs(x), largest)
    return largest


def matmul(A: Rows, B: Rows) -> Rows:
    """Return the matrix product A B."""
    columns = transposed(B)
    return [[dot(row, column) for column in columns] for row in A]


def matvec(A: Rows, x: Sequence[Scalar], addend: Sequence[Scalar] | None = None) -> Numbers:
    """Return addend + A x."""
    return [dot(row, x, 0.0 if addend is None else addend[i]) for i, row in enumerate(A)]


def plus(A: Rows, B: Rows) -> Rows:
    """Return A + B."""
    return [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(A, B, strict=True)]


def minus(A: Rows, B: Rows) -> Rows:
    """Return A - B."""
    return [[a - b for a, b in zip(x, y, strict=True)] for x, y in zip(A, B, strict=True)]


def times(A: Rows, factor: Scalar) -> Rows:
    """Return a matrix times a number."""
    return [[a * factor for a in row] for row in A]


def transposed(A: Iterable[Sequence[Scalar]]) -> Rows:
    """Return the transpose of A."""
    return [list(column) for column in zip(*A, strict=True)]


@dataclass(frozen=True, slots=True)
class LU:
    """The LU factors of a square matrix. rows: L below the diagonal, U on and above it, both of the scaled matrix.

    scales: scales of the rows. swaps: row k, row i, and 1 where they are exchanged. For a singular matrix solve() gives
    NaN.
    """

    rows: Rows
    scales: Numbers
    swaps: list[tuple[int, int, Scalar]]

    @staticmethod
    def of(matrix: Sequence[Sequence[Scalar]]) -> "LU":
        """Return the factors of a matrix."""
        scales = [reciprocal(max_abs(row)) for row in matrix]
        rows = [[s * x for x in row] for s, row in zip(scales, matrix, strict=True)]
        swaps: list[tuple[int, int, Scalar]] = []
        for k in range(len(rows)):
            for i in range(k + 1, len(rows)):
                if not is_constant(rows[i][k], 0.0):
                    swap = abs(rows[i][k]) > abs(rows[k][k])
                    rows[k], rows[i] = _exchanged(swap, rows[k], rows[i])
                    swaps.append((k, i, where(swap, 1.0, 0.0)))
            pivot = reciprocal(rows[k][k])
            for row in rows[k + 1 :]:
                _eliminate(row, rows[k], k, pivot)
        return LU(rows, scales, swaps)

    def solve(self, b: Sequence[Scalar]) -> Numbers:
        """Return the solution x of A x = b."""
        x = [s * y for s, y in zip(self.scales, b, strict=True)]
        for k, i, swap in self.swaps:
            (x[k],), (x[i],) = _exchanged(swap > 0.5, [x[k]], [x[i]])
        n = len(x)
        for row in range(n):
            for column in range(row):
                x[row] = x[row] - self.rows[row][column] * x[column]
        for row in reversed(range(n)):
            for column in range(row + 1, n):
                x[row] = x[row] - self.rows[row][column] * x[column]
            x[row] = x[row] * reciprocal(self.rows[row][row])
        return x


def _eliminate(row: Numbers, upper: Numbers, k: int, pivot: Scalar) -> None:
    """Eliminate the entry of a row in column k, and store the factor there."""
    if is_constant(row[k], 0.0):
        return
    row[k] = row[k] * pivot
    for j in range(k + 1, len(row)):
        row[j] = row[j] - row[k] * upper[j]


def _exchanged(swap: Any, a: Numbers, b: Numbers) -> tuple[Numbers, Numbers]:
    """Return b and a where they are swapped, a and b elsewhere."""
    first = [y if x is y else where(swap, y, x) for x, y in zip(a, b, strict=True)]
    return first, [x if x is y else where(swap, x, y) for x, y in zip(a, b, strict=True)]


def reciprocal(x: Scalar) -> Scalar:
    """Return 1 / x; NaN where x is 0."""
    return 1.0 / where(x == 0.0, float("nan"), x)

"""LU factorisation as a loop, for matrices so large that unrolled code would take long to compile.

    A = P L U, one column per iteration        [Golub and Van Loan 2013, section 3.4]

After each iteration rows and columns are rotated: the first becomes the last. So all iterations have the same code, and
after n iterations each entry is at its original index. Finished rows and columns are only rotated: their factors are 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gambol.lanes import Scalar, loop, subprogram, where
from gambol.spatial.dense import LU, Numbers, Rows, dot, max_abs, reciprocal
from gambol.spatial.rotation import is_constant

MAX_UNROLLED = 600
"""Number of entries, without structural zeros, above which the loop is used: 24 unrolled rows are 20,000 operations.
The code of the loop has 5 operations for each entry; it executes three to four times the necessary operations."""


@dataclass(frozen=True, slots=True)
class LoopState:
    """The state of the loop: scaled rows, the original index of each, and the number of iterations left."""

    rows: Rows
    order: Numbers
    remaining: Scalar


@dataclass(frozen=True, slots=True)
class LoopLU:
    """The LU factors of a square matrix. rows: L below the diagonal, U on and above it, both of the scaled matrix.

    order: original index of each row; scales: scales of the rows of the matrix. For a singular matrix solve() gives
    NaN.
    """

    rows: Rows
    order: Numbers
    scales: Numbers

    @staticmethod
    def of(matrix: Sequence[Sequence[Scalar]]) -> "LoopLU":
        """Return the factors of a matrix."""
        return _loop_lu([list(row) for row in matrix])

    def solve(self, b: Sequence[Scalar]) -> Numbers:
        """Return the solution x of A x = b."""
        return _substituted(self, list(b))


Factors: TypeAlias = LU | LoopLU


def factorise(matrix: Sequence[Sequence[Scalar]]) -> Factors:
    """Return the LU factors of a matrix, by a loop if it is large."""
    nonzeros = sum(not is_constant(x, 0.0) for row in matrix for x in row)
    return LoopLU.of(matrix) if nonzeros > MAX_UNROLLED else LU.of(matrix)


@subprogram
def _loop_lu(matrix: Rows) -> LoopLU:
    """Factorise a matrix by the loop."""
    n, scales = len(matrix), [reciprocal(max_abs(row)) for row in matrix]
    rows = [[s * x for x in row] for s, row in zip(scales, matrix, strict=True)]
    start = LoopState(rows, [float(i) for i in range(n)], float(n))
    end = loop(lambda state: state.remaining > 0.5, _eliminate_column, start)
    return LoopLU(end.rows, end.order, scales)


def _eliminate_column(state: LoopState) -> LoopState:
    """Return the state after one iteration: eliminate the first column from the remaining rows, and rotate."""
    active = [float(i) < state.remaining for i in range(len(state.rows))]
    first, *others = _pivoted([[*row, index] for row, index in zip(state.rows, state.order, strict=True)], active)
    pivot = reciprocal(first[0])
    upper = [where(is_active, x, 0.0) for is_active, x in zip(active[1:], first[1:-1], strict=True)]
    rows = [[*first[1:-1], first[0]]]
    for is_active, row in zip(active[1:], others, strict=True):
        factor = row[0] * pivot
        masked = where(is_active, factor, 0.0)
        rest = [x - masked * u for x, u in zip(row[1:-1], upper, strict=True)]
        rows.append([*rest, where(is_active, factor, row[0])])
    return LoopState([*rows[1:], rows[0]], [*(row[-1] for row in others), first[-1]], state.remaining - 1.0)


def _pivoted(rows: Rows, active: Sequence[Scalar]) -> Rows:
    """Return the rows with the pivot row exchanged with the first. active: True for rows that may be the pivot row."""
    pivot: Scalar = 0.0
    largest = abs(rows[0][0])
    for i, row in enumerate(rows[1:], start=1):
        larger = (abs(row[0]) > largest) & active[i]
        largest, pivot = where(larger, abs(row[0]), largest), where(larger, float(i), pivot)
    first, exchanged = rows[0], [rows[0]]
    for i, row in enumerate(rows[1:], start=1):
        is_pivot = pivot == float(i)
        first = [where(is_pivot, x, y) for x, y in zip(row, first, strict=True)]
        exchanged.append([where(is_pivot, y, x) for x, y in zip(row, rows[0], strict=True)])
    return [first, *exchanged[1:]]


@subprogram
def _substituted(factors: LoopLU, b: Numbers) -> Numbers:
    """Return the solution by forward and back substitution."""
    n, scaled = len(b), [s * y for s, y in zip(factors.scales, b, strict=True)]
    x: Numbers = []
    for i, row in enumerate(factors.rows):
        y = scaled[0]
        for k in range(1, n):
            y = where(factors.order[i] == float(k), scaled[k], y)
        x.append(dot([-l for l in row[:i]], x, y))
    for i in reversed(range(n)):
        row = factors.rows[i]
        x[i] = dot([-u for u in row[i + 1 :]], x[i + 1 :], x[i]) * reciprocal(row[i])
    return x

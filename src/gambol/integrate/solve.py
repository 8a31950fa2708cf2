"""Small linear and non-linear systems of equations over generic scalars.

    A = P L U with the largest entry of each scaled column as its pivot     [Golub and Van Loan 2013, section 3.4]
    Newton: x - s J(x)^-1 f(x), with s halved where |f| does not fall       [Deuflhard 2004, section 3.1]

Rows change places by `where`, so that every lane has pivots of its own. Entries that are exactly 0 take no part.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gambol.lanes import Scalar, jacobian, loop, maximum, where

Numbers = list[Scalar]

MOST_TRIES = 12
"""Bound on Newton's iterations: with a fair guess two to four reach rounding; a kink of a force takes some more."""

CONVERGED = 1e-6
"""A residual this much smaller than the first, which stops falling, has met rounding; a larger one has met a kink."""


def absent(x: Scalar) -> bool:
    """Whether a number is known to be 0 while tracing."""
    return isinstance(x, (int, float)) and x == 0.0


@dataclass(frozen=True, slots=True)
class Factored:
    """A square matrix taken apart: its scaled rows hold L below and U on and above the diagonal.

    scales: of the rows. swaps: row k, row i, and 1 where they changed places. A singular matrix solves to NaN.
    """

    rows: list[Numbers]
    scales: Numbers
    swaps: list[tuple[int, int, Scalar]]

    @staticmethod
    def of(matrix: Sequence[Sequence[Scalar]]) -> "Factored":
        """L and U of a matrix."""
        scales = [inverse(largest(row)) for row in matrix]
        rows = [[s * x for x in row] for s, row in zip(scales, matrix, strict=True)]
        swaps: list[tuple[int, int, Scalar]] = []
        for k in range(len(rows)):
            for i in range(k + 1, len(rows)):
                if not absent(rows[i][k]):
                    swap = abs(rows[i][k]) > abs(rows[k][k])
                    rows[k], rows[i] = exchanged(swap, rows[k], rows[i])
                    swaps.append((k, i, where(swap, 1.0, 0.0)))
            pivot = inverse(rows[k][k])
            for row in rows[k + 1 :]:
                _eliminate(row, rows[k], k, pivot)
        return Factored(rows, scales, swaps)

    def solve(self, b: Sequence[Scalar]) -> Numbers:
        """The x whose product with the matrix is b."""
        x = [s * y for s, y in zip(self.scales, b, strict=True)]
        for k, i, swap in self.swaps:
            (x[k],), (x[i],) = exchanged(swap > 0.5, [x[k]], [x[i]])
        n = len(x)
        for row in range(n):
            for column in range(row):
                x[row] = x[row] - self.rows[row][column] * x[column]
        for row in reversed(range(n)):
            for column in range(row + 1, n):
                x[row] = x[row] - self.rows[row][column] * x[column]
            x[row] = x[row] * inverse(self.rows[row][row])
        return x


def _eliminate(row: Numbers, upper: Numbers, k: int, pivot: Scalar) -> None:
    """Take a row's entry of column k away, and leave the factor that did it in its place."""
    if absent(row[k]):
        return
    row[k] = row[k] * pivot
    for j in range(k + 1, len(row)):
        row[j] = row[j] - row[k] * upper[j]


def exchanged(swap: Any, a: Numbers, b: Numbers) -> tuple[Numbers, Numbers]:
    """b and a where they swap places, a and b elsewhere."""
    first = [y if x is y else where(swap, y, x) for x, y in zip(a, b, strict=True)]
    return first, [x if x is y else where(swap, x, y) for x, y in zip(a, b, strict=True)]


def inverse(x: Scalar) -> Scalar:
    """1 / x, NaN where x is 0."""
    return 1.0 / where(x == 0.0, float("nan"), x)


def largest(numbers: Sequence[Scalar]) -> Scalar:
    """The largest absolute value, 0 of none."""
    most: Scalar = 0.0
    for x in numbers:
        most = maximum(abs(x), most)
    return most


@dataclass(frozen=True, slots=True)
class Search:
    """A root being looked for: the best place so far, the move back to go from there, sizes of residuals, tries."""

    x: Numbers
    move: Numbers
    size: Scalar
    first: Scalar
    tries: Scalar
    going: Scalar


def root(function: Callable[[Numbers], Numbers], guess: Sequence[Scalar]) -> Numbers:
    """Where as many functions as there are unknowns vanish, near a guess, by Newton's method with exact derivatives.

    Each lane goes on until its residual has met rounding, at most 12 tries; the best place is taken.
    """

    def tried(now: Search) -> Search:
        x = [a - b for a, b in zip(now.x, now.move, strict=True)]
        f, J = jacobian(function, x)
        size = largest(f)
        better = size < now.size
        step = Factored.of(J).solve(f)
        first = where(now.tries < 0.5, size, now.first)
        best = where(better, size, now.size)
        open_still = (better & (size > 0.0)) | (best > CONVERGED * first)
        return Search(
            [where(better, a, b) for a, b in zip(x, now.x, strict=True)],
            [where(better, a, 0.5 * b) for a, b in zip(step, now.move, strict=True)],
            best,
            first,
            now.tries + 1.0,
            where(open_still & (now.tries < MOST_TRIES - 1.5), 1.0, 0.0),
        )

    start = Search(list(guess), [0.0] * len(guess), float("inf"), 0.0, 0.0, 1.0)
    return loop(lambda now: now.going > 0.5, tried, start).x

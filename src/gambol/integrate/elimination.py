"""Elimination as a loop: for matrices so large that code for every entry of every turn would be long in compiling.

    A = P L U, one column a turn        [Golub and Van Loan 2013, section 3.4]

After each turn rows and columns move up by one, the first becoming the last, so that all turns do the same to the same
places; after n turns everything is back where it was. Rows and columns that are done take part with zeros.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gambol.lanes import Scalar, loop, subprogram, where
from gambol.spatial.dense import Factored, Numbers, Rows, dot, largest, reciprocal
from gambol.spatial.rotation import exactly

MOST_UNROLLED = 600
"""Entries, not counting zeros known beforehand, from which on the loop is used: 24 rows unrolled are 20,000 operations.
The loop has 5 operations for each entry; they run three to four times as often as is needed."""


@dataclass(frozen=True, slots=True)
class Turning:
    """An elimination under way: scaled rows, the number each had at first, and how many turns are left."""

    rows: Rows
    order: Numbers
    left: Scalar


@dataclass(frozen=True, slots=True)
class Eliminated:
    """A square matrix taken apart: rows hold L below and U on and above the diagonal.

    order: which row of the matrix each was; scales: of the rows of the matrix. A singular matrix solves to NaN.
    """

    rows: Rows
    order: Numbers
    scales: Numbers

    @staticmethod
    def of(matrix: Sequence[Sequence[Scalar]]) -> "Eliminated":
        """L and U of a large matrix."""
        return _eliminated([list(row) for row in matrix])

    def solve(self, b: Sequence[Scalar]) -> Numbers:
        """The x whose product with the eliminated matrix is b."""
        return _substituted(self, list(b))


Solver: TypeAlias = Factored | Eliminated


def factored(matrix: Sequence[Sequence[Scalar]]) -> Solver:
    """A matrix taken apart, by a loop where it is large."""
    present = sum(not exactly(x, 0.0) for row in matrix for x in row)
    return Eliminated.of(matrix) if present > MOST_UNROLLED else Factored.of(matrix)


@subprogram
def _eliminated(matrix: Rows) -> Eliminated:
    """All turns of a matrix."""
    n, scales = len(matrix), [reciprocal(largest(row)) for row in matrix]
    rows = [[s * x for x in row] for s, row in zip(scales, matrix, strict=True)]
    start = Turning(rows, [float(i) for i in range(n)], float(n))
    end = loop(lambda now: now.left > 0.5, _turned, start)
    return Eliminated(end.rows, end.order, scales)


def _turned(now: Turning) -> Turning:
    """One turn: the first column is eliminated from the rows that are left, and all move up."""
    active = [float(i) < now.left for i in range(len(now.rows))]
    first, *others = _pivoted([[*row, place] for row, place in zip(now.rows, now.order, strict=True)], active)
    pivot = reciprocal(first[0])
    upper = [where(here, x, 0.0) for here, x in zip(active[1:], first[1:-1], strict=True)]
    rows = [[*first[1:-1], first[0]]]
    for here, row in zip(active[1:], others, strict=True):
        factor = row[0] * pivot
        taken = where(here, factor, 0.0)
        rest = [x - taken * u for x, u in zip(row[1:-1], upper, strict=True)]
        rows.append([*rest, where(here, factor, row[0])])
    return Turning([*rows[1:], rows[0]], [*(row[-1] for row in others), first[-1]], now.left - 1.0)


def _pivoted(rows: Rows, active: Sequence[Scalar]) -> Rows:
    """Rows with the first and the one that is largest in the first column, of those that are left, exchanged."""
    chosen: Scalar = 0.0
    most = abs(rows[0][0])
    for i, row in enumerate(rows[1:], start=1):
        larger = (abs(row[0]) > most) & active[i]
        most, chosen = where(larger, abs(row[0]), most), where(larger, float(i), chosen)
    first, moved = rows[0], [rows[0]]
    for i, row in enumerate(rows[1:], start=1):
        here = chosen == float(i)
        first = [where(here, x, y) for x, y in zip(row, first, strict=True)]
        moved.append([where(here, y, x) for x, y in zip(row, rows[0], strict=True)])
    return [first, *moved[1:]]


@subprogram
def _substituted(known: Eliminated, b: Numbers) -> Numbers:
    """Forward and back substitution."""
    n, scaled = len(b), [s * y for s, y in zip(known.scales, b, strict=True)]
    x: Numbers = []
    for i, row in enumerate(known.rows):
        y = scaled[0]
        for k in range(1, n):
            y = where(known.order[i] == float(k), scaled[k], y)
        x.append(dot([-l for l in row[:i]], x, y))
    for i in reversed(range(n)):
        row = known.rows[i]
        x[i] = dot([-u for u in row[i + 1 :]], x[i + 1 :], x[i]) * reciprocal(row[i])
    return x

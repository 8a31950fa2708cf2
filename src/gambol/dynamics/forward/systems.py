"""Linear systems over generic scalars: symmetric ones as sparse as a tree, and small dense ones.

    A = L^T D L      for k = n .. 1:   L_ki = A_ki / D_k      A_ij -= L_ki A_kj      for all i, j < k in row k
    A x = b          L^T y = b         z = y / D              L x = z

[Featherstone 2008, tables 6.3-6.5]. Elimination from the last row to the first meets children before parents, so a row
fills in only where ancestors are: for a mass matrix nowhere. D may have any signs but no zeros: nothing is exchanged.
A dense system is solved by elimination with exchange of rows. [Golub and Van Loan 2013, section 3.4]
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gambol.lanes import Scalar, where
from gambol.spatial.rotation import exactly

SparseRows: TypeAlias = Sequence[Mapping[int, Scalar]]
"""The lower triangle of a symmetric matrix: of each row the entries that may differ from 0, by column."""

Matrix: TypeAlias = list[list[Scalar]]


@dataclass(frozen=True, slots=True)
class Factors:
    """A symmetric matrix as L^T D L: L without its diagonal of ones, by sparse rows, and the inverses of D."""

    L: tuple[dict[int, Scalar], ...]
    D_inverse: tuple[Scalar, ...]

    def solve(self, b: Sequence[Scalar]) -> list[Scalar]:
        """x of A x = b."""
        x = list(b)
        for k in reversed(range(len(x))):
            for i, l in self.L[k].items():
                x[i] = x[i] - l * x[k]
        x = [value * inverse for value, inverse in zip(x, self.D_inverse, strict=True)]
        for k, row in enumerate(self.L):
            for i, l in row.items():
                x[k] = x[k] - l * x[i]
        return x


def factorised(rows: SparseRows) -> Factors:
    """The factors of a symmetric matrix."""
    left = [dict(row) for row in rows]
    L: list[dict[int, Scalar]] = [{} for _ in rows]
    inverses: list[Scalar] = [1.0 for _ in rows]
    for k in reversed(range(len(left))):
        row = left[k]
        inverses[k] = 1.0 / row.pop(k)
        L[k] = {i: x * inverses[k] for i, x in row.items()}
        for i, l in L[k].items():
            for j, x in row.items():
                if j <= i:
                    left[i][j] = left[i].get(j, 0.0) - l * x
    return Factors(tuple(L), tuple(inverses))


def lower(A: Sequence[Sequence[Scalar]]) -> SparseRows:
    """The lower triangle of a symmetric matrix without the entries that are known to be 0."""
    return [{j: x for j, x in enumerate(row[: k + 1]) if j == k or not exactly(x, 0.0)} for k, row in enumerate(A)]


def symmetric(rows: SparseRows) -> Matrix:
    """The whole of a symmetric matrix, with exact zeros where its rows have nothing."""
    n = len(rows)
    return [[rows[max(i, j)].get(min(i, j), 0.0) for j in range(n)] for i in range(n)]


def dot(a: Sequence[Scalar], b: Sequence[Scalar], onto: Scalar = 0.0) -> Scalar:
    """onto + a . b."""
    return sum((x * y for x, y in zip(a, b, strict=True)), onto)


def times(A: Matrix, B: Matrix) -> Matrix:
    """A B."""
    columns = transposed(B)
    return [[dot(row, column) for column in columns] for row in A]


def applied(A: Matrix, x: Sequence[Scalar], onto: Sequence[Scalar] | None = None) -> list[Scalar]:
    """onto + A x."""
    return [dot(row, x, 0.0 if onto is None else onto[i]) for i, row in enumerate(A)]


def plus(A: Matrix, B: Matrix) -> Matrix:
    """A + B."""
    return [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(A, B, strict=True)]


def transposed(A: Iterable[Sequence[Scalar]]) -> Matrix:
    """A with rows and columns exchanged."""
    return [list(column) for column in zip(*A, strict=True)]


def solved(A: Matrix, B: Matrix) -> Matrix:
    """X of A X = B, for any A that is not singular."""
    n = len(A)
    rows = [[*a, *b] for a, b in zip(A, B, strict=True)]
    for k in range(n):
        for r in range(k + 1, n):
            if not exactly(rows[r][k], 0.0):
                rows[k], rows[r] = _larger_first(rows[k], rows[r], k)
        inverse = 1.0 / rows[k][k]
        rows[k] = [x * inverse for x in rows[k]]
        for r in range(n):
            if r != k and not exactly(rows[r][k], 0.0):
                rows[r] = [y - rows[r][k] * x for x, y in zip(rows[k], rows[r], strict=True)]
    return [row[n:] for row in rows]


def _larger_first(a: list[Scalar], b: list[Scalar], k: int) -> tuple[list[Scalar], list[Scalar]]:
    """Two rows, the one that is larger at k first."""
    turn = abs(b[k]) > abs(a[k])
    pairs = list(zip(a, b, strict=True))
    return [where(turn, y, x) for x, y in pairs], [where(turn, x, y) for x, y in pairs]

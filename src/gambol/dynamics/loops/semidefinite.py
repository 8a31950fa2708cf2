"""The inverse of a symmetric, possibly singular matrix on as many of its rows as are independent.

    G = W A W,  W_kk^2 = 1 / s_k        s_k: the scale of A_kk, so that G_kk <= 1
    the row with the largest G_kk is swept, repeatedly while this is above t:
        G_ij -= G_ip G_pj / G_pp     G_pj /= G_pp     G_pp = -1 / G_pp       [Goodnight 1979]

G_kk is about the squared sine between row k and those swept before it, in any units. The swept part holds the inverse;
the other rows depend on it and get 0. Rows of linkages are dependent always (a hinge in a plane), at singular
positions, or only with exact lengths and closed loops (Bennett's linkage). In the last case the rows with the largest
pivots must come first, or small gaps have large effects. The largest is selected by `where`, so every lane has its own
order.
"""

from collections.abc import Sequence

from gambol.lanes import Precision, Scalar, maximum, sqrt, where, working_precision
from gambol.spatial.dense import Rows
from gambol.spatial.rotation import exactly

DEPENDENT: dict[Precision, float] = {"float64": 1e-7, "float32": 1e-4}
"""t by precision: rows within 3e-4 rad (float32: 0.01) of others count as dependent. A gap g in a loop with redundant
rows makes a sine of about g, and rounding one of 1e-8 (float32: 3e-4); both must stay below."""


def threshold() -> float:
    """Return t in the working precision."""
    return DEPENDENT[working_precision()]


def basic_inverse(A: Sequence[Sequence[Scalar]], sizes: Sequence[Scalar], dependent: float) -> Rows:
    """Return the inverse of the best independent rows and columns of a symmetric matrix (n x n), with 0 elsewhere.

    A: positive semidefinite. sizes: scale of each diagonal entry. dependent: t.
    """
    inverse: Rows = [[0.0] * len(A) for _ in A]
    for block in _blocks(A):
        W = [_root_inverse(sizes[i]) for i in block]
        G = [[A[i][j] * (W[m] * W[n]) for n, j in enumerate(block)] for m, i in enumerate(block)]
        swept = _swept(G, dependent)
        for m, i in enumerate(block):
            for n, j in enumerate(block):
                inverse[i][j] = swept[m][n] * (W[m] * W[n])
    return inverse


def _root_inverse(size: Scalar) -> Scalar:
    """Return 1 / sqrt(size), or 0 for a row without mobility."""
    moves = size > 0.0
    return where(moves, 1.0 / sqrt(where(moves, size, 1.0)), 0.0)


def _blocks(A: Sequence[Sequence[Scalar]]) -> list[list[int]]:
    """Return groups of rows that are coupled by entries other than exact zeros, without rows of zero mobility."""
    waiting, blocks = [i for i in range(len(A)) if not exactly(A[i][i], 0.0)], list[list[int]]()
    while waiting:
        block = [waiting.pop(0)]
        for i in block:
            coupled = [j for j in waiting if not exactly(A[i][j], 0.0)]
            block += coupled
            waiting = [j for j in waiting if j not in coupled]
        blocks.append(sorted(block))
    return blocks


def _swept(G: Rows, dependent: float) -> Rows:
    """Return the inverse of the swept rows of a matrix with diagonal up to 1, with 0 elsewhere."""
    n = len(G)
    left: list[Scalar] = [1.0] * n
    for _ in range(n):
        pick = _largest([x * G[i][i] for i, x in enumerate(left)], dependent)
        column = [sum((x * G[i][j] for i, x in enumerate(pick)), 0.0) for j in range(n)]
        pivot = sum((x * y for x, y in zip(pick, column, strict=True)), 0.0)
        scale = 1.0 / where(pivot > 0.0, pivot, 1.0)
        x = [c - p for c, p in zip(column, pick, strict=True)]  # G - x x^T / G_pp is the sweep, but for 2 at G_pp
        for i in range(n):
            for j in range(i + 1):
                G[i][j] = G[j][i] = G[i][j] - x[i] * x[j] * scale - (2.0 * pick[i] if i == j else 0.0)
            left[i] = left[i] - pick[i]
    return [[-G[i][j] * ((1.0 - left[i]) * (1.0 - left[j])) for j in range(n)] for i in range(n)]


def _largest(numbers: Sequence[Scalar], least: float) -> list[Scalar]:
    """Return 1 for the largest number if it is above `least`, 0 for all others."""
    best: Scalar = 0.0
    for x in numbers:
        best = maximum(x, best)
    free, pick = where(best > least, 1.0, 0.0), list[Scalar]()
    for x in numbers:
        pick.append(where(x == best, free, 0.0))
        free = free - pick[-1]
    return pick

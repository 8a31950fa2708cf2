"""The inverse of a symmetric matrix that may be singular, on as many of its rows as are independent.

    G = W A W,  W_kk^2 = 1 / s_k        s_k: what A_kk is compared with, so that G_kk <= 1
    the row with the largest G_kk is swept, again and again while that is above t:
        G_ij -= G_ip G_pj / G_pp     G_pj /= G_pp     G_pp = -1 / G_pp       [Goodnight 1979]

G_kk is about the square of the sine between row k and those swept before it, whatever their units. What is swept holds
the inverse; the other rows depend on it and get 0. Linkages make rows that depend on others always (a hinge in a
plane), at singular positions, or as long as lengths are exact and loops closed (Bennett's linkage). In the last case
the rows that go first must be the best there are, or small gaps have large effects. The largest is found by `where`,
so every lane has an order of its own.
"""

from collections.abc import Sequence

from gambol.lanes import Precision, Scalar, maximum, sqrt, where, working_precision
from gambol.spatial.dense import Rows
from gambol.spatial.rotation import exactly

DEPENDENT: dict[Precision, float] = {"float64": 1e-7, "float32": 1e-4}
"""t by precision: rows within 3e-4 rad (float32: 0.01) of others count as dependent. A gap of size g in a loop that
has more rows than it needs makes a sine of about g, and rounding one of 1e-8 (float32: 3e-4); both must stay below."""


def threshold() -> float:
    """t in the precision in which a formula is being worked out."""
    return DEPENDENT[working_precision()]


def basic_inverse(A: Sequence[Sequence[Scalar]], sizes: Sequence[Scalar], dependent: float) -> Rows:
    """The inverse of the best independent rows and columns of a symmetric matrix (n x n); 0 elsewhere.

    A: without negative eigenvalues. sizes: what its diagonal is compared with. dependent: t.
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
    """1 / sqrt(size), or 0 for a row that moves nothing."""
    moves = size > 0.0
    return where(moves, 1.0 / sqrt(where(moves, size, 1.0)), 0.0)


def _blocks(A: Sequence[Sequence[Scalar]]) -> list[list[int]]:
    """Rows that depend on each other as far as exact zeros show, without those that move nothing."""
    waiting, blocks = [i for i in range(len(A)) if not exactly(A[i][i], 0.0)], list[list[int]]()
    while waiting:
        block = [waiting.pop(0)]
        for i in block:
            found = [j for j in waiting if not exactly(A[i][j], 0.0)]
            block += found
            waiting = [j for j in waiting if j not in found]
        blocks.append(sorted(block))
    return blocks


def _swept(G: Rows, dependent: float) -> Rows:
    """The inverse of what can be swept of a matrix with diagonal up to 1; 0 elsewhere."""
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
    """1 for the largest number if it is above the least that counts, 0 for all others."""
    best: Scalar = 0.0
    for x in numbers:
        best = maximum(x, best)
    free, pick = where(best > least, 1.0, 0.0), list[Scalar]()
    for x in numbers:
        pick.append(where(x == best, free, 0.0))
        free = free - pick[-1]
    return pick

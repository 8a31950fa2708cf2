"""The inverse of the largest independent block of a symmetric, possibly singular matrix.

    G = W A W,  W_kk^2 = 1 / s_k        s_k: the scale of A_kk, so that G_kk <= 1
    the row with the largest G_kk is swept, repeatedly while this is above t:
        G_ij -= G_ip G_pj / G_pp     G_pj /= G_pp     G_pp = -1 / G_pp       [Goodnight 1979]

G_kk is about the squared sine between row k and the rows swept before it, in any units. The swept part holds the
inverse; the other rows depend on it and get 0. Rows of a linkage may be dependent at all positions (a hinge in a
plane), at singular positions only, or only with exact lengths and closed loops (Bennett's linkage). In the last case
rows with the largest pivots must come first; otherwise small gaps have large effects. The largest pivot is selected by
`where`, so the order may differ between lanes.
"""

from collections.abc import Sequence

from gambol.lanes import Precision, Scalar, maximum, sqrt, where, working_precision
from gambol.spatial.dense import Rows
from gambol.spatial.rotation import is_constant

DEPENDENCE_TOLERANCE: dict[Precision, float] = {"float64": 1e-7, "float32": 1e-4}
"""t by precision: a row is dependent if it is within 3e-4 rad (float32: 0.01) of the space of others. In a loop with
redundant rows, a gap g causes a sine of about g, and rounding causes one of 1e-8 (float32: 3e-4); both must be below t.
"""


def default_threshold() -> float:
    """Return t in the working precision."""
    return DEPENDENCE_TOLERANCE[working_precision()]


def basic_inverse(A: Sequence[Sequence[Scalar]], sizes: Sequence[Scalar], threshold: float) -> Rows:
    """Return the inverse of the best independent rows and columns of a symmetric matrix (n x n), with 0 elsewhere.

    A: positive semidefinite. sizes: scale of each diagonal entry. threshold: t.
    """
    inverse: Rows = [[0.0] * len(A) for _ in A]
    for block in _blocks(A):
        W = [_root_inverse(sizes[i]) for i in block]
        G = [[A[i][j] * (W[m] * W[n]) for n, j in enumerate(block)] for m, i in enumerate(block)]
        swept = _swept(G, threshold)
        for m, i in enumerate(block):
            for n, j in enumerate(block):
                inverse[i][j] = swept[m][n] * (W[m] * W[n])
    return inverse


def _root_inverse(size: Scalar) -> Scalar:
    """Return 1 / sqrt(size), or 0 for a row without mobility."""
    moves = size > 0.0
    return where(moves, 1.0 / sqrt(where(moves, size, 1.0)), 0.0)


def _blocks(A: Sequence[Sequence[Scalar]]) -> list[list[int]]:
    """Return the groups of rows that nonzero entries couple, without rows of zero mobility."""
    remaining, blocks = [i for i in range(len(A)) if not is_constant(A[i][i], 0.0)], list[list[int]]()
    while remaining:
        block = [remaining.pop(0)]
        for i in block:
            coupled = [j for j in remaining if not is_constant(A[i][j], 0.0)]
            block += coupled
            remaining = [j for j in remaining if j not in coupled]
        blocks.append(sorted(block))
    return blocks


def _swept(G: Rows, threshold: float) -> Rows:
    """Return the inverse of the swept rows of a matrix with diagonal up to 1, with 0 elsewhere."""
    n = len(G)
    unswept: list[Scalar] = [1.0] * n
    for _ in range(n):
        is_pivot = _largest([x * G[i][i] for i, x in enumerate(unswept)], threshold)
        column = [sum((x * G[i][j] for i, x in enumerate(is_pivot)), 0.0) for j in range(n)]
        pivot = sum((x * y for x, y in zip(is_pivot, column, strict=True)), 0.0)
        scale = 1.0 / where(pivot > 0.0, pivot, 1.0)
        # the sweep is G - x x^T / G_pp, with 2 subtracted at G_pp
        x = [c - p for c, p in zip(column, is_pivot, strict=True)]
        for i in range(n):
            for j in range(i + 1):
                G[i][j] = G[j][i] = G[i][j] - x[i] * x[j] * scale - (2.0 * is_pivot[i] if i == j else 0.0)
            unswept[i] = unswept[i] - is_pivot[i]
    return [[-G[i][j] * ((1.0 - unswept[i]) * (1.0 - unswept[j])) for j in range(n)] for i in range(n)]


def _largest(numbers: Sequence[Scalar], threshold: float) -> list[Scalar]:
    """Return 1 for the largest number if it is above the threshold, 0 for all others."""
    best: Scalar = 0.0
    for x in numbers:
        best = maximum(x, best)
    unassigned, is_largest = where(best > threshold, 1.0, 0.0), list[Scalar]()
    for x in numbers:
        is_largest.append(where(x == best, unassigned, 0.0))
        unassigned = unassigned - is_largest[-1]
    return is_largest

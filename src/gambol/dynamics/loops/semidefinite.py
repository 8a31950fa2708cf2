"""Systems whose matrix is symmetric and may be singular: rows that depend on earlier ones are skipped.

    A = L D L^T in the given order        D_k <= t s_k:  x_k = 0, row k eliminates nothing        s_k: A_kk at first

A_kk is what row k gives way on its own, D_k what it gives way once the rows before it are held: the square of the sine
of its angle to them, times A_kk. Rounding leaves D_k about 1e-16 A_kk off, so the threshold t must be well above; the
test has the scale of the row, whatever its unit. Where the right-hand side is consistent, the forces that x stands for
have the same effect as those of every other solution; the x of skipped rows is 0, not that of least norm.
"""

from collections.abc import Sequence

from gambol.lanes import Precision, Scalar, where

DEPENDENT: dict[Precision, float] = {"float64": 1e-10, "float32": 1e-4}
"""t by precision. A row within 1e-5 rad (float32: 0.01) of those before it counts as one of them; the digits that
remain outside that angle are as many as were lost, six of sixteen (float32: three of seven)."""


def pivot_inverse(pivot: Scalar, size: Scalar, dependent: float) -> Scalar:
    """1 / D, or 0 for a row that depends on those before it."""
    counts = pivot > size * dependent
    return where(counts, 1.0 / where(counts, pivot, 1.0), 0.0)


def solved(A: Sequence[Sequence[Scalar]], b: Sequence[Scalar], dependent: float) -> list[Scalar]:
    """x of A x = b for a symmetric matrix without negative eigenvalues (n x n), of which the lower triangle is read.

    dependent: t. Entries of x that belong to rows which depend on earlier ones are 0.
    """
    n = len(b)
    G, y = [list(row) for row in A], list(b)
    inverses: list[Scalar] = []
    for k in range(n):
        inverses.append(pivot_inverse(G[k][k], A[k][k], dependent))
        for i in range(k + 1, n):
            ratio = G[i][k] * inverses[k]
            y[i] = y[i] - ratio * y[k]
            for j in range(k + 1, i + 1):
                G[i][j] = G[i][j] - ratio * G[j][k]
    x: list[Scalar] = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (y[k] - sum((G[i][k] * x[i] for i in range(k + 1, n)), 0.0)) * inverses[k]
    return x

"""The inverse of a small symmetric positive matrix over generic scalars.

    A = L D L^T,  L unit lower triangular        A^-1 = Z^T D^-1 Z,  L Z = 1        [Golub & Van Loan 2013, section 4.1]

Nothing is exchanged on the way, so no value is branched on; a positive matrix does not need it.
"""

from collections.abc import Sequence

from gambol.lanes import Scalar


def inverse(A: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
    """The inverse of a symmetric positive matrix (n x n), of which the lower triangle is read.

    Infinite or NaN, or an error of division by zero with plain floats, where A is singular.
    """
    n = len(A)
    G, L, Z = ([[0.0] * n for _ in range(n)] for _ in range(3))  # G = L D
    D_inverse: list[Scalar] = [0.0] * n
    for i in range(n):
        for j in range(i + 1):
            G[i][j] = A[i][j] - sum((G[i][k] * L[j][k] for k in range(j)), 0.0)
            L[i][j] = G[i][j] * D_inverse[j]
        D_inverse[i], Z[i][i] = 1.0 / G[i][i], 1.0
        for j in range(i):
            Z[i][j] = -sum((L[i][k] * Z[k][j] for k in range(j, i)), 0.0)
    scaled = [[D_inverse[k] * z for z in Z[k]] for k in range(n)]
    return [[sum((Z[k][i] * scaled[k][j] for k in range(max(i, j), n)), 0.0) for j in range(n)] for i in range(n)]

"""Principal axes of a symmetric 3 x 3 matrix by Jacobi rotations. Each rotation makes an off-diagonal entry 0.

    t = 2 a_pq sgn(d) / (|d| + sqrt(d^2 + 4 a_pq^2))     d = a_qq - a_pp, t the tangent of the rotation's angle
    a_pp' = a_pp - t a_pq    a_qq' = a_qq + t a_pq       a_rp' = c a_rp - s a_rq    a_rq' = s a_rp + c a_rq

The number of rotations is fixed, since generic scalars do not allow a test of convergence. [Golub and Van Loan 2013,
section 8.5]
"""

from gambol.lanes import Scalar, maximum, sqrt, subprogram, where
from gambol.spatial.matrix import Symmetric
from gambol.spatial.rotation import IDENTITY, Rotation, is_constant
from gambol.spatial.vector import Vector

SWEEPS = 5
"""Number of sweeps of three rotations. In float64 four sweeps were exact to rounding for 20,000 matrices, some of them
with close eigenvalues."""

TINY = 1e-30
"""Divisor in place of 0: far below rounding in a matrix of size 1, and above the smallest float32."""


def principal_axes(matrix: Symmetric) -> tuple[Rotation, Vector]:
    """Return principal axes, as columns of R, and eigenvalues, in no particular order: A = R diag(values) R^T.

    The axes of a structurally diagonal matrix are the coordinate axes. Those of a matrix of numbers are numbers, also
    while a program is traced.
    """
    if all(is_constant(x, 0.0) for x in (matrix.xy, matrix.xz, matrix.yz)):
        return IDENTITY, Vector(matrix.xx, matrix.yy, matrix.zz)
    is_constant_matrix = all(isinstance(x, float) for row in matrix.rows for x in row)
    return _jacobi(matrix) if is_constant_matrix else _traced_jacobi(matrix)


def _jacobi(matrix: Symmetric) -> tuple[Rotation, Vector]:
    size = maximum(abs(matrix.xx) + abs(matrix.yy) + abs(matrix.zz), TINY)
    entries = [[x / size for x in row] for row in matrix.rows]
    columns = list(IDENTITY.columns)
    for _ in range(SWEEPS):
        for p, q in ((0, 1), (0, 2), (1, 2)):
            _rotate(entries, columns, p, q)
    values = Vector.of([entries[k][k] * size for k in range(3)])
    return Rotation.of(list(zip(*columns, strict=True))), values


_traced_jacobi = subprogram(_jacobi)


def _rotate(entries: list[list[Scalar]], columns: list[Vector], p: int, q: int) -> None:
    """Rotate axes p and q in place so that entry (p, q) becomes 0."""
    off_diagonal, d, r = entries[p][q], entries[q][q] - entries[p][p], 3 - p - q
    twice = 2.0 * off_diagonal
    denominator = maximum(abs(d) + sqrt(d * d + twice * twice), maximum(abs(twice), TINY))
    t = where(d < 0.0, -twice, twice) / denominator
    c = 1.0 / sqrt(1.0 + t * t)
    s = t * c
    entries[p][p], entries[q][q] = entries[p][p] - t * off_diagonal, entries[q][q] + t * off_diagonal
    entries[p][q] = entries[q][p] = 0.0
    at_p, at_q = entries[r][p], entries[r][q]
    entries[r][p] = entries[p][r] = c * at_p - s * at_q
    entries[r][q] = entries[q][r] = s * at_p + c * at_q
    columns[p], columns[q] = columns[p] * c - columns[q] * s, columns[p] * s + columns[q] * c

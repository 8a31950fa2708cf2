"""General and symmetric 3 x 3 matrices, and their transformation by rotations."""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.lanes import Scalar
from gambol.spatial.rotation import Rotation, is_constant
from gambol.spatial.vector import ZERO, Vector

Row = tuple[Scalar, Scalar, Scalar]


@dataclass(frozen=True, slots=True)
class Matrix:
    """A general 3 x 3 matrix, by rows."""

    rows: tuple[Row, Row, Row]

    def __add__(self, other: "Matrix") -> "Matrix":
        return Matrix.of(
            [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(self.rows, other.rows, strict=True)]
        )

    @staticmethod
    def of(rows: Sequence[Sequence[Scalar]]) -> "Matrix":
        """Return the matrix with these rows."""
        a, b, c = ((row[0], row[1], row[2]) for row in rows)
        return Matrix((a, b, c))

    def times(self, v: Vector, addend: Vector = ZERO) -> Vector:
        """Return addend + self v, summed in one chain of multiply-adds."""
        return Vector.of([Vector(*row).dot(v, start) for row, start in zip(self.rows, addend, strict=True)])

    @property
    def transpose(self) -> "Matrix":
        """The transpose."""
        return Matrix.of(list(zip(*self.rows, strict=True)))

    def column(self, index: int) -> Vector:
        """Return the column of an index."""
        return Vector.of([row[index] for row in self.rows])

    def minus_outer(self, u: Vector, w: Vector) -> "Matrix":
        """Return self - u w^T."""
        return Matrix.of([[self.rows[i][j] - u[i] * w[j] for j in range(3)] for i in range(3)])

    def cleared(self, row: int | None = None, column: int | None = None) -> "Matrix":
        """Return this matrix with exact zeros in one row and one column."""
        return Matrix.of(
            [[0.0 if i == row or j == column else a for j, a in enumerate(r)] for i, r in enumerate(self.rows)]
        )

    def rotated(self, rotation: Rotation) -> "Matrix":
        """Return R self R^T: this matrix, given in axes B, in axes A. rotation: R = R_AB."""
        axis = rotation.coordinate_axis()
        if axis is not None:
            return _rotated_about(self, axis, rotation)
        left = [rotation @ self.column(k) for k in range(3)]
        return Matrix.of([list(rotation @ Vector.of([c[i] for c in left])) for i in range(3)])


@dataclass(frozen=True, slots=True)
class Symmetric:
    """A symmetric 3 x 3 matrix, by its upper triangle."""

    xx: Scalar
    xy: Scalar
    xz: Scalar
    yy: Scalar
    yz: Scalar
    zz: Scalar

    @staticmethod
    def of(rows: Sequence[Sequence[Scalar]]) -> "Symmetric":
        """Return the symmetric matrix with the upper triangle of three rows."""
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = rows
        return Symmetric(xx, xy, xz, yy, yz, zz)

    @property
    def rows(self) -> tuple[Row, Row, Row]:
        """All nine entries, by rows."""
        return ((self.xx, self.xy, self.xz), (self.xy, self.yy, self.yz), (self.xz, self.yz, self.zz))

    def __add__(self, o: "Symmetric") -> "Symmetric":
        return Symmetric(self.xx + o.xx, self.xy + o.xy, self.xz + o.xz, self.yy + o.yy, self.yz + o.yz, self.zz + o.zz)

    def times(self, v: Vector, addend: Vector = ZERO) -> Vector:
        """Return addend + self v."""
        return Matrix(self.rows).times(v, addend)

    def column(self, index: int) -> Vector:
        """Return the column of an index, which is also the row."""
        return Vector.of(self.rows[index])

    def minus_outer(self, u: Vector, w: Vector) -> "Symmetric":
        """Return self - u w^T, where w is a multiple of u."""
        return Symmetric(
            self.xx - u.x * w.x,
            self.xy - u.x * w.y,
            self.xz - u.x * w.z,
            self.yy - u.y * w.y,
            self.yz - u.y * w.z,
            self.zz - u.z * w.z,
        )

    def cleared(self, index: int) -> "Symmetric":
        """Return this matrix with exact zeros in row and column index."""
        return Symmetric.of(Matrix(self.rows).cleared(index, index).rows)

    def rotated(self, rotation: Rotation) -> "Symmetric":
        """Return R self R^T: this matrix, given in axes B, in axes A. rotation: R = R_AB."""
        axis = rotation.coordinate_axis()
        if axis is not None:
            return Symmetric.of(_rotated_about(Matrix(self.rows), axis, rotation).rows)
        left = [rotation @ self.column(k) for k in range(3)]
        rows = [[left[0][i], left[1][i], left[2][i]] for i in range(3)]
        r = [Vector(*row) for row in rotation.rows]
        return Symmetric.of([[Vector.of(rows[i]).dot(r[j]) if j >= i else 0.0 for j in range(3)] for i in range(3)])


def _rotated_about(a: Matrix, k: int, rotation: Rotation) -> Matrix:
    """Return R a R^T for a rotation R about coordinate axis k, at a third of the cost of a general rotation.

    In the plane of rotation, trace and antisymmetric part are invariant, and the rest rotates by twice the angle.
    """
    i, j = (k + 1) % 3, (k + 2) % 3
    c, s = rotation.rows[i][i], rotation.rows[j][i]
    (ii, ij, ik), (ji, jj, jk), (ki, kj, kk) = ([a.rows[m][n] for n in (i, j, k)] for m in (i, j, k))
    new = [[0.0, 0.0, 0.0] for _ in range(3)]
    new[i][i], new[i][j], new[j][i], new[j][j] = _rotated_in_plane(ii, ij, ji, jj, s, c)
    new[i][k], new[j][k] = c * ik - s * jk, s * ik + c * jk
    new[k][i], new[k][j] = c * ki - s * kj, s * ki + c * kj
    new[k][k] = kk
    return Matrix.of(new)


def _rotated_in_plane(
    ii: Scalar, ij: Scalar, ji: Scalar, jj: Scalar, s: Scalar, c: Scalar
) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Return R a R^T for a 2 x 2 matrix a, by entries ii, ij, ji, jj. s, c: sine and cosine of the angle of R."""
    if is_constant(c, 0.0):  # a quarter turn only permutes
        return jj, -ji, -ij, ii
    ss, sc = s * s, s * c
    difference, cross = jj - ii, ij + ji
    first = ii + ss * difference - sc * cross
    return (
        first,
        ij - ss * cross - sc * difference,
        ji - ss * cross - sc * difference,
        (ii + jj) - first,
    )

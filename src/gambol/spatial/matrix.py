"""General and symmetric 3 x 3 matrices, and how a rotation of axes changes them."""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.lanes import Scalar
from gambol.spatial.rotation import Rotation, exactly
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
        """The matrix of three given rows."""
        a, b, c = ((row[0], row[1], row[2]) for row in rows)
        return Matrix((a, b, c))

    def times(self, v: Vector, onto: Vector = ZERO) -> Vector:
        """onto + self v, as one sum."""
        return Vector.of([Vector(*row).dot(v, start) for row, start in zip(self.rows, onto, strict=True)])

    @property
    def transpose(self) -> "Matrix":
        """Rows and columns exchanged."""
        return Matrix.of(list(zip(*self.rows, strict=True)))

    def column(self, index: int) -> Vector:
        """The column of this index."""
        return Vector.of([row[index] for row in self.rows])

    def minus_outer(self, u: Vector, w: Vector) -> "Matrix":
        """self - u w^T."""
        return Matrix.of([[self.rows[i][j] - u[i] * w[j] for j in range(3)] for i in range(3)])

    def cleared(self, row: int | None = None, column: int | None = None) -> "Matrix":
        """This matrix with exact zeros in one row and one column."""
        return Matrix.of(
            [[0.0 if i == row or j == column else a for j, a in enumerate(r)] for i, r in enumerate(self.rows)]
        )

    def rotated(self, rotation: Rotation) -> "Matrix":
        """R A R^T: a general A seen in the axes that R leads to."""
        axis = rotation.coordinate_axis()
        if axis is not None:
            return _turned(self, axis, rotation)
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
        """The symmetric matrix whose upper triangle the given rows hold."""
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = rows
        return Symmetric(xx, xy, xz, yy, yz, zz)

    @property
    def rows(self) -> tuple[Row, Row, Row]:
        """All nine entries."""
        return ((self.xx, self.xy, self.xz), (self.xy, self.yy, self.yz), (self.xz, self.yz, self.zz))

    def __add__(self, o: "Symmetric") -> "Symmetric":
        return Symmetric(self.xx + o.xx, self.xy + o.xy, self.xz + o.xz, self.yy + o.yy, self.yz + o.yz, self.zz + o.zz)

    def times(self, v: Vector, onto: Vector = ZERO) -> Vector:
        """onto + self v, for symmetric self."""
        return Matrix(self.rows).times(v, onto)

    def column(self, index: int) -> Vector:
        """The column of this index, which is also the row."""
        return Vector.of(self.rows[index])

    def minus_outer(self, u: Vector, w: Vector) -> "Symmetric":
        """self - u w^T, for w a multiple of u."""
        return Symmetric(
            self.xx - u.x * w.x,
            self.xy - u.x * w.y,
            self.xz - u.x * w.z,
            self.yy - u.y * w.y,
            self.yz - u.y * w.z,
            self.zz - u.z * w.z,
        )

    def cleared(self, index: int) -> "Symmetric":
        """This matrix with exact zeros in row and column index."""
        return Symmetric.of(Matrix(self.rows).cleared(index, index).rows)

    def rotated(self, rotation: Rotation) -> "Symmetric":
        """R A R^T, of which only the upper triangle is worked out."""
        axis = rotation.coordinate_axis()
        if axis is not None:
            return Symmetric.of(_turned(Matrix(self.rows), axis, rotation).rows)
        left = [rotation @ self.column(k) for k in range(3)]
        rows = [[left[0][i], left[1][i], left[2][i]] for i in range(3)]
        r = [Vector(*row) for row in rotation.rows]
        return Symmetric.of([[Vector.of(rows[i]).dot(r[j]) if j >= i else 0.0 for j in range(3)] for i in range(3)])


def _turned(a: Matrix, k: int, rotation: Rotation) -> Matrix:
    """R A R^T for a turn about coordinate axis k: a third of the work of a general rotation.

    In the plane of the turn, trace and antisymmetric part stay and the rest turns by twice the angle.
    """
    i, j = (k + 1) % 3, (k + 2) % 3
    c, s = rotation.rows[i][i], rotation.rows[j][i]
    (ii, ij, ik), (ji, jj, jk), (ki, kj, kk) = ([a.rows[m][n] for n in (i, j, k)] for m in (i, j, k))
    new = [[0.0, 0.0, 0.0] for _ in range(3)]
    new[i][i], new[i][j], new[j][i], new[j][j] = _turned_in_plane(ii, ij, ji, jj, s, c)
    new[i][k], new[j][k] = c * ik - s * jk, s * ik + c * jk
    new[k][i], new[k][j] = c * ki - s * kj, s * ki + c * kj
    new[k][k] = kk
    return Matrix.of(new)


def _turned_in_plane(
    ii: Scalar, ij: Scalar, ji: Scalar, jj: Scalar, s: Scalar, c: Scalar
) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    if exactly(c, 0.0):  # a quarter turn only permutes
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

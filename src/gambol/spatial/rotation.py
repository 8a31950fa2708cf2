"""Rotations as 3 x 3 matrices: R_AB takes B-coordinates to A."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import overload

from gambol.lanes import Scalar
from gambol.spatial.vector import Vector, tangent_basis

Row = tuple[Scalar, Scalar, Scalar]

SNAP = 1e-12  # rounding in composed constants stays below this; no hand-written angle comes near it


def is_constant(x: Scalar, value: float) -> bool:
    """Return True if x is a plain number, not a traced scalar or an array, and equals value."""
    return isinstance(x, (int, float)) and x == value


@dataclass(frozen=True, slots=True)
class Rotation:
    """A rotation R_AB by rows; its columns are the axes of B in A-coordinates."""

    rows: tuple[Row, Row, Row]

    @staticmethod
    def of(rows: Sequence[Sequence[Scalar]]) -> "Rotation":
        """Return the rotation with these rows."""
        a, b, c = ((row[0], row[1], row[2]) for row in rows)
        return Rotation((a, b, c))

    @staticmethod
    def about_coordinate(axis: int, sin: Scalar, cos: Scalar) -> "Rotation":
        """Return the rotation about coordinate axis 0, 1 or 2, with exact zeros and one. sin, cos: of the angle."""
        i, j = (axis + 1) % 3, (axis + 2) % 3
        rows: list[list[Scalar]] = [[0.0, 0.0, 0.0] for _ in range(3)]
        rows[axis][axis] = 1.0
        rows[i][i] = rows[j][j] = cos
        rows[i][j], rows[j][i] = -sin, sin
        return Rotation.of(rows)

    @staticmethod
    def about(axis: Vector, sin: Scalar, cos: Scalar) -> "Rotation":
        """Return the rotation about any unit axis (Rodrigues' formula). sin, cos: of the angle."""
        a, versine = axis, 1.0 - cos
        return Rotation(
            (
                (cos + a.x * a.x * versine, a.x * a.y * versine - a.z * sin, a.x * a.z * versine + a.y * sin),
                (a.x * a.y * versine + a.z * sin, cos + a.y * a.y * versine, a.y * a.z * versine - a.x * sin),
                (a.x * a.z * versine - a.y * sin, a.y * a.z * versine + a.x * sin, cos + a.z * a.z * versine),
            )
        )

    @staticmethod
    def with_z_axis(n: Vector) -> "Rotation":
        """Return a rotation whose z axis is a unit vector n; see tangent_basis() for the other two."""
        u, v = tangent_basis(n)
        return Rotation(((u.x, v.x, n.x), (u.y, v.y, n.y), (u.z, v.z, n.z)))

    @property
    def transpose(self) -> "Rotation":
        """The inverse rotation, R_BA."""
        return Rotation.of(list(zip(*self.rows, strict=True)))

    @overload
    def __matmul__(self, other: Vector) -> Vector: ...
    @overload
    def __matmul__(self, other: "Rotation") -> "Rotation": ...
    def __matmul__(self, other: "Vector | Rotation") -> "Vector | Rotation":
        if isinstance(other, Vector):
            return Vector.of([Vector(*row).dot(other) for row in self.rows])
        columns = list(zip(*other.rows, strict=True))
        return Rotation.of([[0.0 + a * x + b * y + c * z for x, y, z in columns] for a, b, c in self.rows])

    def times(self, v: Vector, addend: Vector) -> Vector:
        """Return addend + self @ v."""
        return Vector.of([Vector(*row).dot(v, start) for row, start in zip(self.rows, addend, strict=True)])

    @property
    def columns(self) -> tuple[Vector, Vector, Vector]:
        """The axes of B in A-coordinates."""
        a, b, c = (Vector(x, y, z) for x, y, z in zip(*self.rows, strict=True))
        return a, b, c

    def is_identity(self) -> bool:
        """Return True for an exact identity of plain numbers."""
        return all(is_constant(x, 1.0 if i == j else 0.0) for i, row in enumerate(self.rows) for j, x in enumerate(row))

    def is_constant(self) -> bool:
        """Return True if all entries are plain numbers."""
        return all(isinstance(x, (int, float)) for row in self.rows for x in row)

    def coordinate_axis(self) -> int | None:
        """Return the coordinate axis of this rotation, recognised by structural zeros, or None."""
        for k in range(3):
            others = [self.rows[k][m] for m in range(3) if m != k] + [self.rows[m][k] for m in range(3) if m != k]
            if is_constant(self.rows[k][k], 1.0) and all(is_constant(x, 0.0) for x in others):
                return k
        return None


IDENTITY = Rotation(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))


def product(rotations: Iterable[Rotation]) -> Rotation:
    """Return the product of rotations; the last is applied first."""
    result = IDENTITY
    for rotation in rotations:
        result = result @ rotation
    return result


def snapped(x: float) -> float:
    """Return a constant, rounded to -1, 0 or 1 if it is nearer than SNAP, so that a trace can fold it."""
    nearest = round(x)
    return float(nearest) if abs(x - nearest) < SNAP and abs(nearest) <= 1 else x


def constant_rotation(axis: int, angle: float) -> Rotation:
    """Return the rotation about a coordinate axis by a constant angle [rad]; exact for multiples of a right angle."""
    return Rotation.about_coordinate(axis, snapped(math.sin(angle)), snapped(math.cos(angle)))

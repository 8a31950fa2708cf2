"""Rotations, from body to parent coordinates: 3 x 3 matrices, R_AB takes B to A; unit quaternions (w, x, y, z)."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import overload

from gambol.lanes import Scalar, atan2, cos, maximum, sin, sqrt, where
from gambol.spatial.vector import Vector, tangent_basis

Row = tuple[Scalar, Scalar, Scalar]

SNAP_TOLERANCE = 1e-12  # rounding in composed constants stays below this; no hand-written angle comes near it


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
        """Return the rotation about coordinate axis 0, 1 or 2, with exact zeros and one.

        sin, cos: sin and cos of the angle.
        """
        i, j = (axis + 1) % 3, (axis + 2) % 3
        rows: list[list[Scalar]] = [[0.0, 0.0, 0.0] for _ in range(3)]
        rows[axis][axis] = 1.0
        rows[i][i] = rows[j][j] = cos
        rows[i][j], rows[j][i] = -sin, sin
        return Rotation.of(rows)

    @staticmethod
    def about(axis: Vector, sin: Scalar, cos: Scalar) -> "Rotation":
        """Return the rotation about any unit axis (Rodrigues' formula). sin, cos: sin and cos of the angle."""
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
        """Return a rotation with a unit vector n as its z axis; see tangent_basis() for the other two."""
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
    """Return a constant, rounded to -1, 0 or 1 if it is nearer than SNAP_TOLERANCE, so that a trace can fold it."""
    nearest = round(x)
    return float(nearest) if abs(x - nearest) < SNAP_TOLERANCE and abs(nearest) <= 1 else x


def constant_rotation(axis: int, angle: float) -> Rotation:
    """Return the rotation about a coordinate axis by a constant angle [rad]; exact for multiples of a right angle."""
    return Rotation.about_coordinate(axis, snapped(math.sin(angle)), snapped(math.cos(angle)))


MAX_SERIES_ANGLE_SQUARED = 0.05
"""Squared angle [rad2] below which power series are used; their truncation error is then below 1e-16."""

COSINE = (1.0, -1 / 8, 1 / 384, -1 / 46080, 1 / 10321920, -1 / 3715891200)
SINE = (1 / 2, -1 / 48, 1 / 3840, -1 / 645120, 1 / 185794560)
"""cos(a / 2) and sin(a / 2) / a as power series of the squared angle."""

MAX_SERIES_SINE_SQUARED = 0.01
"""Squared sine of half an angle below which the series ARCSINE is used; its truncation error is then below 1e-16."""

ARCSINE = tuple(2.0 * math.comb(2 * k, k) / (4**k * (2 * k + 1)) for k in range(8))
"""2 arcsin(s) / s as a power series of s squared."""


@dataclass(frozen=True, slots=True)
class Quaternion:
    """A quaternion w + x i + y j + z k; a rotation if its length is 1."""

    w: Scalar
    x: Scalar
    y: Scalar
    z: Scalar

    def __matmul__(self, o: "Quaternion") -> "Quaternion":
        """Return Hamilton's product: the rotation o first, then self."""
        return Quaternion(
            self.w * o.w - self.x * o.x - self.y * o.y - self.z * o.z,
            self.w * o.x + self.x * o.w + self.y * o.z - self.z * o.y,
            self.w * o.y + self.y * o.w + self.z * o.x - self.x * o.z,
            self.w * o.z + self.z * o.w + self.x * o.y - self.y * o.x,
        )

    def components(self) -> tuple[Scalar, Scalar, Scalar, Scalar]:
        """(w, x, y, z)."""
        return self.w, self.x, self.y, self.z

    def rotation(self) -> Rotation:
        """Return the rotation matrix of a unit quaternion. With length 1 + d it is non-orthogonal by about 2 d."""
        w, x, y, z = self.w, self.x + self.x, self.y + self.y, self.z + self.z
        wx, wy, wz = w * x, w * y, w * z
        xx, xy, xz = self.x * x, self.x * y, self.x * z
        yy, yz, zz = self.y * y, self.y * z, self.z * z
        return Rotation(
            (
                (1.0 - (yy + zz), xy - wz, xz + wy),
                (xy + wz, 1.0 - (xx + zz), yz - wx),
                (xz - wy, yz + wx, 1.0 - (xx + yy)),
            )
        )

    def derivative(self, omega: Vector) -> "Quaternion":
        """Return dq/dt = 1/2 q (0, omega) for angular velocity omega in body coordinates [rad/s]."""
        half = omega * 0.5
        return self @ Quaternion(0.0, half.x, half.y, half.z)

    @staticmethod
    def exponential(x: Vector) -> "Quaternion":
        """Return the rotation by a rotation vector: its direction is the axis, its length the angle [rad]."""
        t = x.dot(x)
        size = maximum(t, MAX_SERIES_ANGLE_SQUARED)
        angle = sqrt(size)
        w = where(t < MAX_SERIES_ANGLE_SQUARED, _series(COSINE, t), cos(angle * 0.5))
        s = where(t < MAX_SERIES_ANGLE_SQUARED, _series(SINE, t), sin(angle * 0.5) / angle)
        return Quaternion(w, x.x * s, x.y * s, x.z * s)

    def conjugate(self) -> "Quaternion":
        """Return the conjugate: the inverse rotation of a unit quaternion."""
        return Quaternion(self.w, -self.x, -self.y, -self.z)

    def logarithm(self) -> Vector:
        """Return the rotation vector of a unit quaternion, of length up to pi [rad]: the inverse of exponential()."""
        axis, sign = Vector(self.x, self.y, self.z), where(self.w < 0.0, -1.0, 1.0)
        t = axis.dot(axis)
        s = sqrt(maximum(t, MAX_SERIES_SINE_SQUARED))
        factor = where(t < MAX_SERIES_SINE_SQUARED, _series(ARCSINE, t), 2.0 * atan2(s, abs(self.w)) / s)
        return axis * (sign * factor)

    @staticmethod
    def of(rotation: Rotation) -> "Quaternion":
        """Return the unit quaternion of a rotation of plain numbers, with w >= 0.

        The largest component is computed first, so that no digits cancel. [Shepperd 1978]
        """
        (a, b, c), (d, e, f), (g, h, i) = rotation.rows
        squares = (1.0 + a + e + i, 1.0 + a - e - i, 1.0 - a + e - i, 1.0 - a - e + i)
        largest = max(range(4), key=lambda k: squares[k])
        candidates = (
            (squares[0], h - f, c - g, d - b),
            (h - f, squares[1], b + d, c + g),
            (c - g, b + d, squares[2], f + h),
            (d - b, c + g, f + h, squares[3]),
        )[largest]
        scale = math.copysign(0.5 / math.sqrt(squares[largest]), candidates[0])
        w, x, y, z = (component * scale for component in candidates)
        return Quaternion(w, x, y, z)


def quaternion_of(rotation: Rotation) -> list[Scalar]:
    """Return the unit quaternion (w, x, y, z) of a rotation, from its largest component. [Shepperd 1978]"""
    (a, b, c), (d, e, f), (g, h, i) = rotation.rows
    squares = (1.0 + a + e + i, 1.0 + a - e - i, 1.0 - a + e - i, 1.0 - a - e + i)
    candidates = (
        (squares[0], h - f, c - g, d - b),
        (h - f, squares[1], b + d, c + g),
        (c - g, b + d, squares[2], f + h),
        (d - b, c + g, f + h, squares[3]),
    )
    largest, result = squares[0], list(candidates[0])
    for square, candidate in zip(squares[1:], candidates[1:], strict=True):
        is_larger = square > largest
        result = [where(is_larger, new, old) for new, old in zip(candidate, result, strict=True)]
        largest = where(is_larger, square, largest)
    scale = 0.5 / sqrt(largest)
    return [x * scale for x in result]


def _series(coefficients: tuple[float, ...], t: Scalar) -> Scalar:
    """Return the power series of t with some coefficients."""
    total: Scalar = 0.0
    for coefficient in reversed(coefficients):
        total = total * t + coefficient
    return total

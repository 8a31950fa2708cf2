"""Unit quaternions (w, x, y, z), which take body coordinates to parent coordinates."""

import math
from dataclasses import dataclass

from gambol.lanes import Scalar, cos, maximum, sin, sqrt, where
from gambol.spatial.rotation import Rotation
from gambol.spatial.vector import Vector

SMALL = 0.05
"""Squared angle [rad2] below which power series are used; their truncation error is then below 1e-16."""

COSINE = (1.0, -1 / 8, 1 / 384, -1 / 46080, 1 / 10321920, -1 / 3715891200)
SINE = (1 / 2, -1 / 48, 1 / 3840, -1 / 645120, 1 / 185794560)
"""cos(a / 2) and sin(a / 2) / a as power series of the squared angle."""


@dataclass(frozen=True, slots=True)
class Quaternion:
    """A quaternion w + x i + y j + z k; a rotation where its length is 1."""

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
        """Return (w, x, y, z)."""
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
        size = maximum(t, SMALL)
        angle = sqrt(size)
        w = where(t < SMALL, _series(COSINE, t), cos(angle * 0.5))
        s = where(t < SMALL, _series(SINE, t), sin(angle * 0.5) / angle)
        return Quaternion(w, x.x * s, x.y * s, x.z * s)

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


def _series(coefficients: tuple[float, ...], t: Scalar) -> Scalar:
    """Return the power series of t with some coefficients."""
    total: Scalar = 0.0
    for coefficient in reversed(coefficients):
        total = total * t + coefficient
    return total

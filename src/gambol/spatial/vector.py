"""Vectors of three generic scalars."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gambol.lanes import Scalar, sqrt, where


@dataclass(frozen=True, slots=True)
class Vector:
    """Three components, each a generic scalar. The name of a variable ends with the letter of its frame."""

    x: Scalar
    y: Scalar
    z: Scalar

    @staticmethod
    def of(components: Sequence[Scalar]) -> "Vector":
        """Return the vector of these three components."""
        x, y, z = components
        return Vector(x, y, z)

    def __iter__(self) -> Iterator[Scalar]:
        return iter((self.x, self.y, self.z))

    def __getitem__(self, index: int) -> Scalar:
        return (self.x, self.y, self.z)[index]

    def __add__(self, other: "Vector") -> "Vector":
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: "Vector") -> "Vector":
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def __neg__(self) -> "Vector":
        return Vector(-self.x, -self.y, -self.z)

    def __mul__(self, scale: Scalar) -> "Vector":
        return Vector(self.x * scale, self.y * scale, self.z * scale)

    __rmul__ = __mul__

    def dot(self, other: "Vector", addend: Scalar = 0.0) -> Scalar:
        """Return addend + self . other, by one multiply-add for each term."""
        return addend + self.x * other.x + self.y * other.y + self.z * other.z

    def cross(self, other: "Vector") -> "Vector":
        """Return the vector product, self x other."""
        return Vector(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )

    def plus_cross(self, a: "Vector", b: "Vector") -> "Vector":
        """Return self + a x b, summed so that structural zeros in a or b leave no negation."""
        return Vector(
            self.x + a.y * b.z - a.z * b.y,
            self.y + a.z * b.x - a.x * b.z,
            self.z + a.x * b.y - a.y * b.x,
        )

    def length(self) -> Scalar:
        """Return the Euclidean norm."""
        return sqrt(self.dot(self))

    def with_component(self, index: int, value: Scalar) -> "Vector":
        """Return this vector with one component replaced."""
        return Vector.of([value if k == index else c for k, c in enumerate(self)])

    @staticmethod
    def axis(index: int, length: Scalar = 1.0) -> "Vector":
        """Return a vector of a given length along coordinate axis 0, 1 or 2; its other components are exact zeros."""
        return ZERO.with_component(index, length)


ZERO = Vector(0.0, 0.0, 0.0)


def centripetal(omega: Vector, r: Vector) -> Vector:
    """Return omega x (omega x r), by products of components of omega that a trace shares between all points r."""
    x, y, z = omega
    xx, yy, zz = x * x, y * y, z * z
    xy, xz, yz = x * y, x * z, y * z
    return Vector(
        xy * r.y + xz * r.z + (yy + zz) * -r.x,
        xy * r.x + yz * r.z + (xx + zz) * -r.y,
        xz * r.x + yz * r.y + (xx + yy) * -r.z,
    )


def tangent_basis(n: Vector) -> tuple[Vector, Vector]:
    """Return two unit vectors u, v with u x v = n, for a unit vector n; continuous in n except at -z.

    [Duff et al. 2017, listing 3]
    """
    sign = where(n.z >= 0.0, 1.0, -1.0)
    a = -1.0 / (sign + n.z)
    b = n.x * n.y * a
    return Vector(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x), Vector(b, sign + n.y * n.y * a, -n.y)

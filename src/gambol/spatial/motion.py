"""Spatial motion and force vectors about the origin of their frame, angular part first; transforms between frames.

X_AB takes B-coordinates to A, and neighbouring letters cancel.
"""

from dataclasses import dataclass
from typing import overload

from gambol.lanes import Scalar
from gambol.spatial.rotation import IDENTITY, Rotation, is_constant
from gambol.spatial.vector import ZERO, Vector


@dataclass(frozen=True, slots=True)
class Force:
    """A spatial force: moment n about the origin [N m] and force f [N]; or a spatial momentum [N m s, N s]."""

    n: Vector
    f: Vector

    def __add__(self, other: "Force") -> "Force":
        return Force(self.n + other.n, self.f + other.f)

    def __sub__(self, other: "Force") -> "Force":
        return Force(self.n - other.n, self.f - other.f)

    def __neg__(self) -> "Force":
        return Force(-self.n, -self.f)

    def __mul__(self, scale: Scalar) -> "Force":
        return Force(self.n * scale, self.f * scale)

    def __getitem__(self, index: int) -> Scalar:
        """Return component 0 to 5: moment, then force."""
        return self.n[index] if index < 3 else self.f[index - 3]

    def with_component(self, index: int, value: Scalar) -> "Force":
        """Return this force with component 0 to 5 replaced."""
        if index < 3:
            return Force(self.n.with_component(index, value), self.f)
        return Force(self.n, self.f.with_component(index - 3, value))


@dataclass(frozen=True, slots=True)
class Motion:
    """A spatial motion: angular w [rad/s] and linear v [m/s] of the point at the origin; or a spatial acceleration."""

    w: Vector
    v: Vector

    def __add__(self, other: "Motion") -> "Motion":
        return Motion(self.w + other.w, self.v + other.v)

    def __sub__(self, other: "Motion") -> "Motion":
        return Motion(self.w - other.w, self.v - other.v)

    def __neg__(self) -> "Motion":
        return Motion(-self.w, -self.v)

    def __mul__(self, scale: Scalar) -> "Motion":
        return Motion(self.w * scale, self.v * scale)

    def __getitem__(self, index: int) -> Scalar:
        """Return component 0 to 5: angular, then linear."""
        return self.w[index] if index < 3 else self.v[index - 3]

    def with_component(self, index: int, value: Scalar) -> "Motion":
        """Return this motion with component 0 to 5 replaced."""
        if index < 3:
            return Motion(self.w.with_component(index, value), self.v)
        return Motion(self.w, self.v.with_component(index - 3, value))

    def dot(self, force: Force, addend: Scalar = 0.0) -> Scalar:
        """Return addend + the power of a force on this motion [W]."""
        return self.v.dot(force.f, self.w.dot(force.n, addend))

    def cross(self, other: "Motion") -> "Motion":
        """Return v x m: the rate of change of a motion m that moves with velocity v. [Featherstone 2008, eq. 2.33]"""
        return Motion(self.w.cross(other.w), self.w.cross(other.v).plus_cross(self.v, other.w))

    def cross_force(self, force: Force) -> Force:
        """Return v x* f: the rate of change of a force f that moves with velocity v. [Featherstone 2008, eq. 2.34]"""
        return Force(self.w.cross(force.n).plus_cross(self.v, force.f), self.w.cross(force.f))

    def coordinate(self) -> tuple[int | None, float]:
        """Return the index 0 to 5 and the sign of the coordinate of a unit motion; (None, 1.0) for other motions.

        Only structural zeros and ones count.
        """
        nonzero = [k for k in range(6) if not is_constant(self[k], 0.0)]
        if len(nonzero) == 1 and (is_constant(self[nonzero[0]], 1.0) or is_constant(self[nonzero[0]], -1.0)):
            return nonzero[0], self[nonzero[0]]
        return None, 1.0

    @staticmethod
    def axis(index: int, size: Scalar = 1.0) -> "Motion":
        """Return the motion along coordinate 0 to 5, angular first; its other components are exact zeros."""
        return ZERO_MOTION.with_component(index, size)


ZERO_MOTION = Motion(ZERO, ZERO)
NO_FORCE = Force(ZERO, ZERO)


@dataclass(frozen=True, slots=True)
class Transform:
    """The pose X_AB of frame B in frame A.

    rotation: R_AB. position: the origin of B in A-coordinates [m]. X @ takes a point, motion, force or pose in frame B,
    about the origin of B, to frame A, about the origin of A. [Featherstone 2008, table 2.2]
    """

    rotation: Rotation
    position: Vector

    @overload
    def __matmul__(self, other: Vector) -> Vector: ...
    @overload
    def __matmul__(self, other: Motion) -> Motion: ...
    @overload
    def __matmul__(self, other: Force) -> Force: ...
    @overload
    def __matmul__(self, other: "Transform") -> "Transform": ...
    def __matmul__(self, other: "Vector | Motion | Force | Transform") -> "Vector | Motion | Force | Transform":
        R, r = self.rotation, self.position
        match other:
            case Vector():
                return R @ other + r
            case Motion():
                w = R @ other.w
                return Motion(w, (R @ other.v).plus_cross(r, w))
            case Force():
                f = R @ other.f
                return Force((R @ other.n).plus_cross(r, f), f)
            case Transform():
                return Transform(R @ other.rotation, R @ other.position + r)

    @property
    def inverse(self) -> "Transform":
        """The inverse transform, X_BA."""
        R_BA = self.rotation.transpose
        return Transform(R_BA, -(R_BA @ self.position))

    def apply_inverse(self, motion: Motion) -> Motion:
        """Return X_BA @ motion, without forming the inverse."""
        R_BA = self.rotation.transpose
        return Motion(R_BA @ motion.w, R_BA @ motion.v.plus_cross(motion.w, self.position))


IDENTITY_TRANSFORM = Transform(IDENTITY, ZERO)

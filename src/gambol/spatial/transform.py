"""Transforms between frames: X_AB takes B-coordinates to A, and neighbouring letters cancel."""

from dataclasses import dataclass
from typing import overload

from gambol.spatial.motion import Force, Motion
from gambol.spatial.rotation import IDENTITY, Rotation
from gambol.spatial.vector import ZERO, Vector


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

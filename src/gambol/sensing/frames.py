"""Sensors of a frame on a link: its position, orientation and velocities, in the world or in another frame.

    p = R_R^T (p_S - p_R)        v = R_R^T (v_S - v_R - w_R x (p_S - p_R))
    R = R_R^T R_S                w = R_R^T (w_S - w_R)

S: the sensor's frame, R: the reference; velocities in world axes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.collide import Ground
from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure
from gambol.lanes import Scalar
from gambol.sensing.mounted import XYZ, MountedSensor, RelativeSensor
from gambol.sensing.sensor import DYNAMICS, VELOCITIES, SensorInput
from gambol.spatial.rotation import quaternion_of


@dataclass(frozen=True)
class FramePosition(RelativeSensor):
    """The position of a point of a link, in the axes of the reference [m] (MuJoCo: framepos)."""

    kind: ClassVar[str] = "frame_position"

    @property
    def readings(self) -> tuple[str, ...]:
        """Three coordinates."""
        return XYZ

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the position."""
        reference = self.other.in_world(at)
        return list(reference.rotation.transpose @ (self.frame.in_world(at).position - reference.position))


@dataclass(frozen=True)
class FrameOrientation(RelativeSensor):
    """The orientation of a frame relative to the reference, as a unit quaternion (MuJoCo: framequat).

    Each orientation has two quaternions; this one has a positive largest component.
    """

    kind: ClassVar[str] = "frame_orientation"

    @property
    def readings(self) -> tuple[str, ...]:
        """The components of the quaternion."""
        return ("w", *XYZ)

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the quaternion."""
        return quaternion_of(self.other.in_world(at).rotation.transpose @ self.frame.in_world(at).rotation)


@dataclass(frozen=True)
class FrameAxis(RelativeSensor):
    """An axis of a frame, in the axes of the reference, of length 1 (MuJoCo: framexaxis, frameyaxis, framezaxis).

    axis: "x", "y" or "z".
    """

    kind: ClassVar[str] = "frame_axis"
    axis: str = "z"

    @property
    def readings(self) -> tuple[str, ...]:
        """Three components."""
        return XYZ

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise WorldError for an unknown axis, and as other sensors."""
        RelativeSensor.check(self, name, figure, ground)
        if self.axis not in XYZ:
            raise WorldError(f'the sensor "{name}" reads the axis "{self.axis}"; {did_you_mean(self.axis, XYZ)}')

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the axis."""
        axis = self.frame.in_world(at).rotation.columns[XYZ.index(self.axis)]
        return list(self.other.in_world(at).rotation.transpose @ axis)


@dataclass(frozen=True)
class FrameVelocity(RelativeSensor):
    """The velocity of a point of a link, relative to the reference and in its axes [m/s] (MuJoCo: framelinvel)."""

    kind: ClassVar[str] = "frame_velocity"
    needs: ClassVar[tuple[str, ...]] = (VELOCITIES,)

    @property
    def readings(self) -> tuple[str, ...]:
        """Three components."""
        return XYZ

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the velocity."""
        pose, reference = self.frame.in_world(at), self.other.in_world(at)
        moving = self.other.velocity(at)
        w_R, v_R = reference.rotation @ moving.w, reference.rotation @ moving.v
        v_S = pose.rotation @ self.frame.velocity(at).v
        return list(reference.rotation.transpose @ (v_S - v_R - w_R.cross(pose.position - reference.position)))


@dataclass(frozen=True)
class FrameAngularVelocity(RelativeSensor):
    """The angular velocity of a link, relative to the reference and in its axes [rad/s] (MuJoCo: frameangvel)."""

    kind: ClassVar[str] = "frame_angular_velocity"
    needs: ClassVar[tuple[str, ...]] = (VELOCITIES,)

    @property
    def readings(self) -> tuple[str, ...]:
        """Three components."""
        return XYZ

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the angular velocity."""
        w_S = self.frame.in_world(at).rotation @ self.frame.velocity(at).w
        reference = self.other.in_world(at).rotation
        return list(reference.transpose @ w_S - self.other.velocity(at).w)


@dataclass(frozen=True)
class FrameAcceleration(MountedSensor):
    """The acceleration of a point of a link minus gravity, in world axes [m/s2] (MuJoCo: framelinacc).

    At rest it is 9.81 m/s2 upward, as in MuJoCo.
    """

    kind: ClassVar[str] = "frame_acceleration"
    needs: ClassVar[tuple[str, ...]] = (DYNAMICS,)

    @property
    def readings(self) -> tuple[str, ...]:
        """Three components."""
        return XYZ

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the acceleration."""
        return list(self.frame.in_world(at).rotation @ self.frame.proper_acceleration(at).v)


@dataclass(frozen=True)
class FrameAngularAcceleration(FrameAcceleration):
    """The angular acceleration of a link, in world axes [rad/s2] (MuJoCo: frameangacc)."""

    kind: ClassVar[str] = "frame_angular_acceleration"

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the angular acceleration."""
        return list(self.frame.in_world(at).rotation @ self.frame.proper_acceleration(at).w)

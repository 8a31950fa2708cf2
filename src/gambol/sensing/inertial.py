"""Inertial sensors in a frame on a link: accelerometers, gyro, velocimeter, IMU, and magnetometer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.collide import Ground
from gambol.errors import WorldError
from gambol.figure import Figure, Triple
from gambol.lanes import Scalar, where
from gambol.sensing.mounted import XYZ, MountedSensor
from gambol.sensing.sensor import DYNAMICS, VELOCITIES, Sensor, SensorInput
from gambol.spatial import Vector
from gambol.spatial.rotation import quaternion_of


@dataclass(frozen=True)
class Accelerometer(MountedSensor):
    """The acceleration of the sensor's origin minus gravity, in its own axes [m/s2] (MuJoCo: accelerometer)."""

    kind: ClassVar[str] = "accelerometer"
    needs: ClassVar[tuple[str, ...]] = (DYNAMICS,)

    @property
    def readings(self) -> tuple[str, ...]:
        """Three components."""
        return XYZ

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the acceleration."""
        return list(self.frame.proper_acceleration(at).v)


@dataclass(frozen=True)
class MeanAcceleration(MountedSensor):
    """The change of velocity of the sensor's origin since its last measurement, over the time between, minus gravity.

    It is in the sensor's present axes [m/s2], and contains every impact since then: an accelerometer that integrates
    while it samples. In the first measurement the change is 0.
    """

    kind: ClassVar[str] = "mean_acceleration"
    needs: ClassVar[tuple[str, ...]] = (VELOCITIES,)
    remembered: ClassVar[int] = 3

    @property
    def readings(self) -> tuple[str, ...]:
        """Three components."""
        return XYZ

    def remember(self, at: SensorInput) -> list[Scalar]:
        """Return the velocity of the sensor's origin in world axes [m/s]."""
        return [*(self.frame.in_world(at).rotation @ self.frame.velocity(at).v)]

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the mean acceleration."""
        pairs = zip(self.remember(at), numbers["last"], strict=True)
        rate = Vector(*(where(numbers["is_first"], 0.0, (now - last) / numbers["since"]) for now, last in pairs))
        return list(self.frame.in_world(at).rotation.transpose @ (rate + at.upward))


@dataclass(frozen=True)
class Gyro(MountedSensor):
    """The angular velocity of a link in the sensor's axes [rad/s] (MuJoCo: gyro)."""

    kind: ClassVar[str] = "gyro"
    needs: ClassVar[tuple[str, ...]] = (VELOCITIES,)

    @property
    def readings(self) -> tuple[str, ...]:
        """Three components."""
        return XYZ

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the angular velocity."""
        return list(self.frame.velocity(at).w)


@dataclass(frozen=True)
class Velocimeter(Gyro):
    """The velocity of the sensor's origin in its own axes [m/s] (MuJoCo: velocimeter)."""

    kind: ClassVar[str] = "velocimeter"

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the velocity."""
        return list(self.frame.velocity(at).v)


@dataclass(frozen=True)
class Imu(MountedSensor):
    """An inertial measurement unit: accelerometer [m/s2], gyro [rad/s], and orientation in the world (w, x, y, z)."""

    kind: ClassVar[str] = "imu"
    needs: ClassVar[tuple[str, ...]] = (DYNAMICS,)

    @property
    def readings(self) -> tuple[str, ...]:
        """Acceleration, angular velocity and quaternion."""
        named = [f"{quantity} {axis}" for quantity in ("acceleration", "angular velocity") for axis in XYZ]
        return (*named, *(f"quaternion {x}" for x in ("w", *XYZ)))

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return acceleration, angular velocity and quaternion."""
        frame = self.frame
        orientation = quaternion_of(frame.in_world(at).rotation)
        return [*frame.proper_acceleration(at).v, *frame.velocity(at).w, *orientation]


@dataclass(frozen=True)
class Magnetometer(MountedSensor):
    """A constant magnetic field in the sensor's axes, in the unit of the field (MuJoCo: magnetometer).

    field: magnetic field in world axes; its default is the default of MuJoCo.
    """

    kind: ClassVar[str] = "magnetometer"
    field: Triple = (0.0, -0.5, 0.0)

    @property
    def readings(self) -> tuple[str, ...]:
        """Three components."""
        return XYZ

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise WorldError for a field that is not finite, FigureError for an unknown link."""
        Sensor.check(self, name, figure, ground)
        if not all(map(math.isfinite, self.field)):
            raise WorldError(f'the sensor "{name}" has the magnetic field {self.field}; it must be finite')

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the field."""
        return list(self.frame.in_world(at).rotation.transpose @ Vector(*self.field))

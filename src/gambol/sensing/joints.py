"""Sensors of joints: positions, velocities, and the forces of actuators."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.collide import Ground
from gambol.errors import WorldError
from gambol.figure import Figure
from gambol.lanes import Scalar
from gambol.sensing.sensor import DYNAMICS, VELOCITIES, Sensor, SensorInput


@dataclass(frozen=True)
class JointSensor(Sensor):
    """A sensor of the joint of a link.

    width: number of the joint's coordinates, or of its freedoms. factor: a factor of the readings, such as a gear.
    Raises WorldError for a factor that is not finite.
    """

    link: str
    width: int = 1
    factor: float = 1.0

    def __post_init__(self) -> None:
        if not math.isfinite(self.factor):
            raise WorldError(f"a sensor of kind {self.kind} has the factor {self.factor}; it must be finite")

    @property
    def readings(self) -> tuple[str, ...]:
        """One number for each coordinate or freedom of the joint."""
        return tuple(f"{k}" for k in range(self.width))

    def _check_width(self, name: str, count: int) -> None:
        if count == 0:
            raise WorldError(f'the sensor "{name}" reads the joint of "{self.link}", which does not move')
        if self.width != count:
            raise WorldError(f'the sensor "{name}" has width {self.width}; the joint of "{self.link}" has {count}')


@dataclass(frozen=True)
class JointPosition(JointSensor):
    """The coordinates of the joint of a link [rad, m, or a quaternion] (MuJoCo: jointpos, ballquat)."""

    kind: ClassVar[str] = "joint_position"

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise FigureError for an unknown link, WorldError for a joint with another number of coordinates."""
        Sensor.check(self, name, figure, ground)
        q = figure.link(self.link).q
        self._check_width(name, q.stop - q.start)

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the coordinates."""
        return [self.factor * x for x in at.state.q[at.figure.link(self.link).q]]


@dataclass(frozen=True)
class JointVelocity(JointSensor):
    """The velocities of the joint of a link [rad/s or m/s] (MuJoCo: jointvel, ballangvel)."""

    kind: ClassVar[str] = "joint_velocity"
    needs: ClassVar[tuple[str, ...]] = (VELOCITIES,)

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise FigureError for an unknown link, WorldError for a joint with another number of freedoms."""
        Sensor.check(self, name, figure, ground)
        v = figure.link(self.link).v
        self._check_width(name, v.stop - v.start)

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the velocities."""
        return [self.factor * x for x in at.state.v[at.figure.link(self.link).v]]


@dataclass(frozen=True)
class JointTorque(JointVelocity):
    """The forces of actuators and driven springs at the joint of a link [N m or N] (MuJoCo: jointactuatorfrc).

    They are computed with the commands at the end of the previous control step.
    """

    kind: ClassVar[str] = "joint_torque"
    needs: ClassVar[tuple[str, ...]] = (DYNAMICS,)

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the forces."""
        return [self.factor * x for x in at.dynamics.actuator_forces[at.figure.link(self.link).v]]


@dataclass(frozen=True)
class JointLimitForce(JointVelocity):
    """The forces of rigid limits at the joint of a link, positive towards larger positions [N m or N]."""

    kind: ClassVar[str] = "joint_limit_force"
    needs: ClassVar[tuple[str, ...]] = (DYNAMICS,)

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the forces."""
        return [self.factor * x for x in at.dynamics.limit_forces[at.figure.link(self.link).v]]

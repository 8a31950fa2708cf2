"""Sensors of actuators and of the paths along which they pull, such as the tendons of a file."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.collide import Ground
from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure
from gambol.lanes import Scalar, total
from gambol.sensing.limits import LIMIT_PARTS, LIMIT_PARTS_WITH_FORCE, check_parts, limit_motion
from gambol.sensing.sensor import DYNAMICS, Sensor, SensorInput


@dataclass(frozen=True)
class ActuatorSensor(Sensor):
    """A sensor of actuators, by their names in the controller of the world."""

    needs: ClassVar[tuple[str, ...]] = (DYNAMICS,)

    @property
    @abstractmethod
    def actuator_names(self) -> tuple[str, ...]:
        """The names of the actuators that it reads; the world must have them."""

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise nothing: it is on no link."""

    def check_actuators(self, name: str, actuators: Mapping[str, Any]) -> None:
        """Raise WorldError for an actuator that the world lacks. name: name of the sensor; actuators: by name."""
        for actuator in self.actuator_names:
            if actuator not in actuators:
                known = did_you_mean(actuator, actuators) if actuators else "the world has none; turn them on"
                raise WorldError(f'the sensor "{name}" reads the actuator "{actuator}", which is not there; {known}')


@dataclass(frozen=True)
class ActuatorForce(ActuatorSensor):
    """A weighted sum of the forces of actuators (MuJoCo: actuatorfrc, tendonactuatorfrc) [N or N m].

    The force of an actuator along a path is negative where it pulls; without a path it is that at its joint. actuators:
    their names. factors: a factor for each, such as 1 / gear; empty: all are 1. Raises WorldError for other numbers of
    factors.
    """

    kind: ClassVar[str] = "actuator_force"
    actuators: tuple[str, ...]
    factors: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if (self.factors and len(self.factors) != len(self.actuators)) or not all(map(math.isfinite, self.factors)):
            raise WorldError(
                f"a sensor of {len(self.actuators)} actuators has the factors {self.factors}; one for each"
            )

    @property
    def actuator_names(self) -> tuple[str, ...]:
        """The names of the actuators."""
        return self.actuators

    @property
    def readings(self) -> tuple[str, ...]:
        """The sum."""
        return ("force",)

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the sum of the forces."""
        factors = self.factors or (1.0,) * len(self.actuators)
        pairs = zip(self.actuators, factors, strict=True)
        return [total(factor * at.dynamics.actuator_force(name) for name, factor in pairs)]


@dataclass(frozen=True)
class PathSensor(ActuatorSensor):
    """A sensor of the path of an actuator, which may be the passive one of a tendon (gambol calls it "NAME spring").

    actuator: name of the actuator.
    """

    actuator: str

    @property
    def actuator_names(self) -> tuple[str, ...]:
        """The name of the actuator."""
        return (self.actuator,)

    def check_actuators(self, name: str, actuators: Mapping[str, Any]) -> None:
        """Raise WorldError for an actuator that the world lacks, or that has no path."""
        ActuatorSensor.check_actuators(self, name, actuators)
        if not hasattr(actuators[self.actuator], "path"):
            raise WorldError(f'the sensor "{name}" reads the path of the actuator "{self.actuator}", which has none')


PATH_PARTS = ("length", "velocity")
"""The parts of the motion of a path."""


@dataclass(frozen=True)
class PathMotion(PathSensor):
    """Length [m] and rate [m/s] of the path of an actuator (MuJoCo: tendonpos, tendonvel, actuatorpos, actuatorvel).

    parts: "length" or "velocity" or both, in any order. factor: a factor of the readings, such as a gear.
    """

    kind: ClassVar[str] = "path_motion"
    parts: tuple[str, ...] = PATH_PARTS
    factor: float = 1.0

    @property
    def readings(self) -> tuple[str, ...]:
        """The parts."""
        return self.parts

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise WorldError for unknown parts."""
        check_parts(name, self.parts, PATH_PARTS)

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the parts."""
        values: dict[str, Scalar] = dict(zip(PATH_PARTS, at.dynamics.path_motion(self.actuator), strict=True))
        return [self.factor * values[part] for part in self.parts]


@dataclass(frozen=True)
class PathLimit(PathSensor):
    """The distance of a path from its nearer limit, its rate, and the force of a limit, 0 within the limits.

    The distance is negative beyond a limit [m, m/s]; the force is that of the actuator's own limits, towards its range
    [N] (MuJoCo: tendonlimitpos, tendonlimitvel, tendonlimitfrc). lower, upper: limits of the length [m]. parts:
    "distance", "velocity", "force", in any order.
    """

    kind: ClassVar[str] = "path_limit"
    lower: float = -math.inf
    upper: float = math.inf
    parts: tuple[str, ...] = LIMIT_PARTS

    @property
    def readings(self) -> tuple[str, ...]:
        """The parts."""
        return self.parts

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise WorldError for unknown parts."""
        check_parts(name, self.parts, LIMIT_PARTS_WITH_FORCE)

    def check_actuators(self, name: str, actuators: Mapping[str, Any]) -> None:
        """Raise WorldError for an actuator that the world lacks, that has no path, or whose path has no limits."""
        PathSensor.check_actuators(self, name, actuators)
        if "force" in self.parts and not hasattr(actuators[self.actuator], "limit_force"):
            raise WorldError(f'the sensor "{name}" reads the limit of "{self.actuator}", which is no spring tendon')

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the parts."""
        values = limit_motion(*at.dynamics.path_motion(self.actuator), self.lower, self.upper)
        if "force" in self.parts:
            values["force"] = at.dynamics.path_limit_force(self.actuator)
        return [values[part] for part in self.parts]

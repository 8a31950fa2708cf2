"""The protocol of sensors: the methods and properties that a world uses."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from gambol.collide import Ground
from gambol.dynamics import Kinematics
from gambol.errors import WorldError
from gambol.figure import Figure
from gambol.lanes import Scalar, leaves
from gambol.sensing.dynamics import SensorDynamics
from gambol.spatial import Transform
from gambol.spatial.rotation import Rotation
from gambol.spatial.vector import ZERO, Vector

VELOCITIES, CONTACTS, DYNAMICS = NEEDS = "velocities", "contacts", "dynamics"
"""Inputs that a sensor may need besides the poses of links; see Sensor.needs."""


@dataclass(frozen=True)
class SensorInput:
    """The input of sensors at the start of a control step.

    state: poses of all links; velocities only if a sensor needs them, else 0. ground: the ground; ground_numbers,
    table: its numbers and its table of heights, inputs of the program. lights: numbers of the world's lights, see
    Light.numbers(). normal_forces: normal forces of the ground on links, by index of the link [N]; empty unless a
    sensor needs contacts. time [s]. computed: forces and accelerations; None unless a sensor needs DYNAMICS. upward:
    minus gravity, in world axes [m/s2].
    """

    state: Kinematics
    ground: Ground
    ground_numbers: dict[str, Scalar]
    table: Any
    lights: Sequence[Mapping[str, Any]]
    normal_forces: Mapping[int, Scalar]
    time: Scalar
    computed: SensorDynamics | None = None
    upward: Vector = ZERO

    @property
    def dynamics(self) -> SensorDynamics:
        """Forces and accelerations. Raises WorldError if no sensor has declared that it needs them."""
        if self.computed is None:
            raise WorldError(f'a sensor reads forces or accelerations; it must have "{DYNAMICS}" in its needs')
        return self.computed

    @property
    def figure(self) -> Figure:
        """The figure on whose links the sensors are."""
        return self.state.figure

    def pose(self, link: str) -> Transform:
        """Return the pose of a link in the world."""
        return self.state.poses[self.figure.link(link).index]

    def part_poses(self, link: str) -> list[tuple[Any, Transform]]:
        """Return the shape of each part of a link, and its pose in the world."""
        placed = self.figure.link(link)
        frame = self.state.poses[placed.index]
        return [(p.shape, frame @ Transform(Rotation(p.rotation), Vector(*p.position))) for p in placed.parts]


@dataclass(frozen=True, kw_only=True)
class Sensor(ABC):
    """A sensor on a link: a frozen dataclass, whose kind is a key of the table SENSORS.

    kind: its key. needs: inputs of the sensor besides poses: VELOCITIES, CONTACTS (the ground's normal forces),
    or DYNAMICS, which includes velocities. link: name of the link on which the sensor is. Its readings are numbers with
    known names, so they can be recorded and be inputs of a network.

    Every kind has the following keyword arguments. noise: standard deviation of normally distributed noise in the unit
    of the readings, one number, or one for each reading. seed: whole number that determines the noise, together with
    the sensor's name, the number of the world and the control step. delay: age of a reading [s]; before the first
    measurement is that old, the reading is the first measurement. rate: measurements per simulated second, between
    which the readings are constant; None: one in every control step. cutoff: largest absolute value of a reading;
    larger values are clamped.

    remembered: number of values that it keeps from one measurement to the next, see remember().
    """

    kind: ClassVar[str]
    needs: ClassVar[tuple[str, ...]] = ()
    remembered: ClassVar[int] = 0
    noise: float | tuple[float, ...] = 0.0
    seed: int = 0
    delay: float = 0.0
    rate: float | None = None
    cutoff: float = math.inf

    @property
    @abstractmethod
    def readings(self) -> tuple[str, ...]:
        """The name of each reading, such as "x"; the units are in docs/use/sensors.md."""

    @abstractmethod
    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the readings, as many as `readings`, over generic scalars.

        numbers: numbers in the structure of numbers().
        """

    def remember(self, at: SensorInput) -> list[Scalar]:
        """Return the values that it keeps until the next measurement, as many as `remembered`.

        In the next measurement read() finds them in its numbers: "last" are these values, "since" is the time between
        the two measurements [s], and "is_first" is True in the first measurement, which has no last one.
        """
        return []

    @property
    def scales(self) -> tuple[float, ...]:
        """The typical size of each reading, by which it is divided in the input of a network: the cutoff, or 1."""
        return (self.cutoff if math.isfinite(self.cutoff) else 1.0,) * len(self.readings)

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of the sensor by name: inputs of a program, which may differ between worlds.

        By default there are none.
        """
        return {}

    def structure(self) -> tuple[Any, ...]:
        """Return plain data that is compiled into a program: by default its fields without numbers() and sampling."""
        given = {*self.numbers(), *(attribute.name for attribute in fields(Sensor))}
        return tuple((x.name, getattr(self, x.name)) for x in fields(self) if x.name not in given)

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise WorldError or FigureError if the sensor cannot be on this figure or in this world.

        name: name of the sensor.
        """
        figure.link(link_of(self))
        if bad := [x for x in leaves(self.numbers()) if not abs(x) < float("inf")]:
            raise WorldError(f'the sensor "{name}" has the number {bad[0]}; all must be finite')


def link_of(sensor: Sensor) -> str:
    """Return the name of the link on which a sensor is, from its field "link"; "" for a sensor of the whole world."""
    return str(getattr(sensor, "link", ""))

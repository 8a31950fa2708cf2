"""A sensor of the other creatures of a world: their positions and velocities on the ground.

ahead = f . (p - p_0)     left = g . (p - p_0)     f, g: own forward axis and its left, both horizontal
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.collide import Ground
from gambol.errors import WorldError
from gambol.figure import Figure
from gambol.lanes import Scalar, maximum, sqrt, where
from gambol.sensing.sensor import VELOCITIES, Sensor, SensorInput
from gambol.spatial import Vector

OF_ONE = ("ahead", "left", "speed ahead", "speed left", "near")
"""The readings of one other creature."""

MIN_HORIZONTAL = 1e-6
"""Least horizontal part of the forward axis: a link that points straight up has no heading."""


@dataclass(frozen=True)
class Others(Sensor):
    """Position and velocity of other links relative to a link, in its horizontal axes: x ahead, y to the left.

    link: link of the sensor. others: names of the other links, such as the trunks of other creatures. reach: distance
    within which they are perceived [m]. Each has five readings: its position ahead and to the left [m], its velocity
    over the ground in the same axes [m/s], and "near", 1 within reach, else 0; beyond reach the others are 0, too.
    Raises WorldError for no others, and for a reach that is not positive.
    """

    kind: ClassVar[str] = "others"
    needs: ClassVar[tuple[str, ...]] = (VELOCITIES,)
    link: str
    others: tuple[str, ...]
    reach: float = 10.0

    def __post_init__(self) -> None:
        if not self.others:
            raise WorldError("a sensor of others needs the names of their links; there are none")
        if not 0.0 < self.reach < math.inf:
            raise WorldError(f"others are perceived within more than 0 m, not {self.reach} m")

    @property
    def readings(self) -> tuple[str, ...]:
        """Five for each other creature."""
        return tuple(f"{other} {name}" for other in self.others for name in OF_ONE)

    @property
    def scales(self) -> tuple[float, ...]:
        """The reach for positions, 1 m/s for velocities."""
        return (self.reach, self.reach, 1.0, 1.0, 1.0) * len(self.others)

    def numbers(self) -> dict[str, Any]:
        """Return the reach, an input of a program."""
        return {"reach": self.reach}

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise FigureError for unknown links."""
        Sensor.check(self, name, figure, ground)
        for other in self.others:
            figure.link(other)

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the readings of all others, in their order."""
        own = at.pose(self.link)
        x, y, _ = own.rotation.columns[0]
        scale = 1.0 / maximum(sqrt(x * x + y * y), MIN_HORIZONTAL)
        forward, leftward = Vector(scale * x, scale * y, 0.0), Vector(-scale * y, scale * x, 0.0)
        result: list[Scalar] = []
        for other in self.others:
            index = at.figure.link(other).index
            apart = at.state.poses[index].position - own.position
            velocity = at.state.point_velocity(index, Vector(0.0, 0.0, 0.0))
            ahead, left = apart.dot(forward), apart.dot(leftward)
            near = ahead * ahead + left * left < numbers["reach"] * numbers["reach"]
            values = (ahead, left, velocity.dot(forward), velocity.dot(leftward), 1.0)
            result += [where(near, value, 0.0) for value in values]
        return result


@dataclass(frozen=True, slots=True)
class Other:
    """The readings of one other creature, see Others. near: 1 within reach, else 0."""

    ahead: Scalar
    left: Scalar
    speed_ahead: Scalar
    speed_left: Scalar
    near: Scalar

    @property
    def distance(self) -> Scalar:
        """Distance on the ground [m]."""
        return sqrt(self.ahead * self.ahead + self.left * self.left)


def others_of(readings: Sequence[Scalar]) -> list[Other]:
    """Return the readings of each other creature, from those of a sensor of others."""
    count = len(OF_ONE)
    return [Other(*readings[k : k + count]) for k in range(0, len(readings), count)]

"""What is felt, as a row of numbers of size 1: the sensors of networks and of stored stimuli."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gambol.control.patterns.pattern import Shape
from gambol.lanes import Scalar, clamp, exp

if TYPE_CHECKING:
    from gambol.control.controller import Senses

SCALES = {"speeds": 10.0}
"""What is felt as 1, where that is not the unit itself: legs swing at some 10 rad/s."""


def sensor_names(shape: Shape) -> tuple[str, ...]:
    """The names of a shape's sensors, in the order of its senses."""
    each = {
        "angles": [f"angle {i}" for i in range(shape.actuators)],
        "speeds": [f"speed {i}" for i in range(shape.actuators)],
        "contacts": [f"contact {k}" for k in range(shape.feet)],
        "loads": [f"load {k}" for k in range(shape.feet)],
        "up": [f"up {axis}" for axis in "xyz"],
        "velocity": [f"velocity {axis}" for axis in "xyz"],
        "height": ["height"],
    }
    return tuple(name for sense in shape.senses for name in each[sense])


def sensed(shape: Shape, senses: Senses) -> list[Scalar]:
    """The readings of a shape's sensors: rad, 10 rad/s, m, m/s and weights of the figure are felt as 1."""
    readings: list[Scalar] = []
    for name in shape.senses:
        felt = getattr(senses, name)
        for x in [felt] if name == "height" else felt:
            readings.append(x / SCALES[name] if name in SCALES else x)
    return readings


def logistic(x: Scalar) -> Scalar:
    """1 / (1 + e^-x), between 0 and 1; beyond 30 it is as at 30, where float64 tells it from 1 and e^x is small."""
    return 1.0 / (1.0 + exp(-clamp(x, -30.0, 30.0)))


def settled(lasts: Scalar, dt: Scalar) -> Scalar:
    """The part of the way to a target that is held that a first-order lag of a time constant goes in dt [s]."""
    return 1.0 - exp(-dt / lasts)

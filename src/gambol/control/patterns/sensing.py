"""What is felt, as a row of numbers of size 1: the sensors of networks and of stored stimuli."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gambol.control.patterns.pattern import Bred, Shape
from gambol.errors import WorldError
from gambol.lanes import Scalar, clamp, exp

if TYPE_CHECKING:
    from gambol.control.controller import Senses

SCALES = {"speeds": 10.0}
"""What is felt as 1, where that is not the unit itself: legs swing at some 10 rad/s."""


class Sensing(Bred):
    """What all kinds of patterns that read sensors have in common: they want the senses that their shape names."""

    @property
    def wants(self) -> tuple[str, ...]:
        """The senses of its sensors."""
        return self.shape.senses


def sensor_names(shape: Shape) -> tuple[str, ...]:
    """The names of a shape's sensors, in the order of its senses."""
    return tuple(name for sense in shape.senses for name in _sensors(shape, sense))


def _sensors(shape: Shape, sense: str) -> list[str]:
    joints, feet, axes = range(shape.actuators), range(shape.feet), "xyz"
    each = {
        "angles": [f"angle {i}" for i in joints],
        "speeds": [f"speed {i}" for i in joints],
        "contacts": [f"contact {k}" for k in feet],
        "loads": [f"load {k}" for k in feet],
        "up": [f"up {axis}" for axis in axes],
        "velocity": [f"velocity {axis}" for axis in axes],
        "height": ["height"],
    }
    return each[sense]


def told(shape: Shape, senses: Senses, sense: str) -> list[Scalar]:
    """What a sense says, as a row; raises WorldError if it is not as long as a shape asks for."""
    felt = [senses.height] if sense == "height" else list(getattr(senses, sense))
    if len(felt) != len(_sensors(shape, sense)):
        raise WorldError(
            f"a pattern of {shape.actuators} actuators and {shape.feet} feet was told {len(felt)} numbers as "
            f'"{sense}"; its drive must have as many joints and feet as its shape'
        )
    return felt


def sensed(shape: Shape, senses: Senses) -> list[Scalar]:
    """The readings of a shape's sensors: rad, 10 rad/s, m, m/s and weights of the figure are felt as 1."""
    rows = [(SCALES.get(sense), told(shape, senses, sense)) for sense in shape.senses]
    return [x / scale if scale else x for scale, row in rows for x in row]


def weighed(total: Scalar, weights: Sequence[Scalar], values: Sequence[Scalar]) -> Scalar:
    """A total and the sum of values by their weights, added from first to last."""
    for w, x in zip(weights, values, strict=True):
        total = total + w * x
    return total


def logistic(x: Scalar) -> Scalar:
    """1 / (1 + e^-x), between 0 and 1; beyond 30 it is as at 30, where float64 tells it from 1 and e^x is small."""
    return 1.0 / (1.0 + exp(-clamp(x, -30.0, 30.0)))


def settled(lasts: Scalar, dt: Scalar) -> Scalar:
    """The part of the way to a target that is held that a first-order lag of a time constant goes in dt [s]."""
    return 1.0 - exp(-dt / lasts)

"""Sensor readings scaled to the order of 1: the inputs of networks and of stored stimuli."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gambol.control.patterns.pattern import GeneticPattern, PatternShape
from gambol.errors import WorldError
from gambol.lanes import Scalar, clamp, exp

if TYPE_CHECKING:
    from gambol.control.controller import Senses

SCALES = {"speeds": 10.0}
"""Divisors of the readings of a sense, if not 1: legs swing at about 10 rad/s."""


class SensorPattern(GeneticPattern):
    """The base class of patterns that read sensors: the senses in their shape."""

    @property
    def required_senses(self) -> tuple[str, ...]:
        """Names of the senses of its sensors."""
        return self.shape.senses


def sensor_names(shape: PatternShape) -> tuple[str, ...]:
    """Return the names of a shape's sensors, in the order of its senses."""
    return tuple(name for sense in shape.senses for name in _sensors(shape, sense))


def _sensors(shape: PatternShape, sense: str) -> list[str]:
    """Return the names of the sensors of one sense."""
    joints, feet, axes = range(shape.actuators), range(shape.feet), "xyz"
    names = {
        "angles": [f"angle {i}" for i in joints],
        "speeds": [f"speed {i}" for i in joints],
        "contacts": [f"contact {k}" for k in feet],
        "loads": [f"load {k}" for k in feet],
        "up": [f"up {axis}" for axis in axes],
        "velocity": [f"velocity {axis}" for axis in axes],
        "height": ["height"],
    }
    sensors = {name: [f"{name} {k}" for k in range(len(scales))] for name, scales in shape.sensors}
    return (names | sensors)[sense]


def reading(shape: PatternShape, senses: Senses, sense: str) -> list[Scalar]:
    """Return the numbers of one sense, as a list.

    shape: shape of the pattern. senses: senses of the control step. sense: its name. Raises WorldError if the number of
    readings differs from the shape.
    """
    if sense in dict(shape.sensors):
        readings = list(senses.sensors[sense])
    else:
        readings = [senses.height] if sense == "height" else list(getattr(senses, sense))
    if len(readings) != len(_sensors(shape, sense)):
        raise WorldError(
            f"a pattern of {shape.actuators} actuators and {shape.feet} feet got {len(readings)} numbers as "
            f'"{sense}"; its drive must have as many joints and feet as its shape'
        )
    return readings


def sensor_readings(shape: PatternShape, senses: Senses) -> list[Scalar]:
    """Return the readings of a shape's sensors [rad, 10 rad/s, m, m/s, weights of the figure]."""
    scales, values = dict(shape.sensors), list[Scalar]()
    for sense in shape.senses:
        row = reading(shape, senses, sense)
        divisors = scales.get(sense, (SCALES.get(sense, 1.0),) * len(row))
        values += [x if scale == 1.0 else x / scale for x, scale in zip(row, divisors, strict=True)]
    return values


def weighted_sum(total: Scalar, weights: Sequence[Scalar], values: Sequence[Scalar]) -> Scalar:
    """Return total + sum_k weights_k values_k, added in the order of k."""
    for w, x in zip(weights, values, strict=True):
        total = total + w * x
    return total


def logistic(x: Scalar) -> Scalar:
    """Return 1 / (1 + e^-x), with x clamped to [-30, 30], where float64 still distinguishes the result from 1."""
    return 1.0 / (1.0 + exp(-clamp(x, -30.0, 30.0)))


def lag_fraction(time_constant: Scalar, dt: Scalar) -> Scalar:
    """Return the fraction of the distance to a constant target that a first-order lag covers in dt [s]."""
    return 1.0 - exp(-dt / time_constant)

"""Stimulus and response: the stored stimulus nearest to the sensor readings selects the response. [Ngo and Marks 1993]

    j = argmin_j sum_k w_k (x_k - p_jk)^2          T_j s_i' = r_ji - s_i          solved exactly for constant j

x: sensor readings; p_j: a stored stimulus; r_j, T_j: its response, the target signals and their time constant. An
arbitrarily small change of a stimulus may select another response, which makes such tables hard to evolve.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from gambol.control.gene import Gene
from gambol.control.patterns.pattern import PatternShape, clipped, positive, take
from gambol.control.patterns.sensing import SensorPattern, lag_fraction, sensor_names, sensor_readings
from gambol.errors import WorldError
from gambol.lanes import Scalar, where

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gambol.control.controller import Senses

PAIRS = 8
"""Default number of stimuli: enough for the four phases of a stride on two sides."""


@dataclass(frozen=True)
class Response:
    """A response: its stimulus (a number for each sensor), the target signals, and their time constant [s]."""

    stimulus: tuple[float, ...]
    signals: tuple[float, ...]
    time_constant: float


@dataclass(frozen=True)
class Responses(SensorPattern):
    """A table of responses, and the weight of each sensor in the distance between stimuli.

    Raises WorldError for a table of the wrong shape and for time constants that are not positive.
    """

    kind = "responses"
    weights: tuple[float, ...]
    table: tuple[Response, ...]

    def __post_init__(self) -> None:
        sensors, actuators = len(sensor_names(self.shape)), self.shape.actuators
        self.check(
            all(len(response.stimulus) == sensors and len(response.signals) == actuators for response in self.table)
        )
        if not all(positive(response.time_constant) for response in self.table):
            raise WorldError("a response takes a time constant above 0 s")

    @classmethod
    def genes_of(cls, shape: PatternShape) -> tuple[Gene, ...]:
        """Return the sensors' weights, then each pair's stimulus, signals and time constant."""
        sensors = sensor_names(shape)
        genes = [Gene(f"weight of {name}", 0.0, 1.0) for name in sensors]
        for j in range(_pairs(shape)):
            genes += [Gene(f"stimulus {j} {name}", -1.0, 1.0) for name in sensors]
            genes += [Gene(f"response {j} actuator {i}", -1.0, 1.0) for i in range(shape.actuators)]
            genes.append(Gene(f"response {j} time constant", 0.02, 0.5, "s"))
        return tuple(genes)

    @classmethod
    def read(cls, shape: PatternShape, values: Iterator[float]) -> Self:
        """Return the pattern of a shape with the next values: the weights, then the responses."""
        count = len(sensor_names(shape))
        weights = take(values, count)
        pairs = range(_pairs(shape))
        table = [Response(take(values, count), take(values, shape.actuators), next(values)) for _ in pairs]
        return cls(shape, weights, tuple(table))

    def numbers(self) -> dict[str, Any]:
        """Return weights, stimuli, responses clipped to [-1, 1], and time constants."""
        return {
            "weights": list(self.weights),
            "stimuli": [list(response.stimulus) for response in self.table],
            "signals": [[clipped(signal) for signal in response.signals] for response in self.table],
            "lasts": [response.time_constant for response in self.table],
        }

    def memory(self) -> list[Scalar]:
        """Return the initial signals: 0, the middle of their range."""
        return [0.0] * self.shape.actuators

    def signals(
        self, numbers: Mapping[str, Any], memory: list[Scalar], senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], list[Scalar]]:
        """Return the signals at the end of a control step, moved towards the response of the nearest stimulus."""
        readings = sensor_readings(self.shape, senses)
        least_distance, selected, time_constant = None, numbers["signals"][0], numbers["lasts"][0]
        for stimulus, response, tau in zip(numbers["stimuli"], numbers["signals"], numbers["lasts"], strict=True):
            distance = squared_distance(numbers["weights"], readings, stimulus)
            if least_distance is None:
                least_distance = distance
                continue
            nearer = distance < least_distance
            least_distance = where(nearer, distance, least_distance)
            selected = [where(nearer, new, old) for new, old in zip(response, selected, strict=True)]
            time_constant = where(nearer, tau, time_constant)
        fraction = lag_fraction(time_constant, dt)
        signals = [clipped(s + (goal - s) * fraction) for s, goal in zip(memory, selected, strict=True)]
        return signals, signals


def squared_distance(weights: Sequence[Scalar], readings: Sequence[Scalar], stimulus: Sequence[Scalar]) -> Scalar:
    """Return the square of the weighted distance between sensor readings and a stimulus.

    weights, readings, stimulus: one number for each sensor.
    """
    total = 0.0
    for w, x, p in zip(weights, readings, stimulus, strict=True):
        total = total + w * (x - p) * (x - p)
    return total


def _pairs(shape: PatternShape) -> int:
    return shape.size or PAIRS

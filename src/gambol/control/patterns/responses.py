"""Stimulus and response: the stored stimulus that is nearest to what is felt says where to go. [Ngo and Marks 1993]

    j = argmin_j sum_k w_k (x_k - p_jk)^2          T_j s_i' = r_ji - s_i          solved exactly while j holds

x: sensor readings; p_j: a stored stimulus; r_j, T_j: its response, the signals to go to and their time constant.
An arbitrarily small change of a stimulus may hand over to another response: that is why such tables are hard to breed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from gambol.control.gene import Gene
from gambol.control.patterns.pattern import Shape, limited, positive, taken
from gambol.control.patterns.sensing import Sensing, sensed, sensor_names, settled
from gambol.errors import WorldError
from gambol.lanes import Scalar, where

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gambol.control.controller import Senses

PAIRS = 8
"""Stimuli where a shape does not say: enough for the four phases of a stride on two sides."""


@dataclass(frozen=True)
class Response:
    """A stored stimulus, one number for each sensor, the signals that answer it, and their time constant [s]."""

    stimulus: tuple[float, ...]
    signals: tuple[float, ...]
    lasts: float


@dataclass(frozen=True)
class Responses(Sensing):
    """A table of responses, and the weight of each sensor in telling how near a stimulus is.

    Raises WorldError for a table of another shape and for time constants that are not positive.
    """

    kind = "responses"
    weights: tuple[float, ...]
    table: tuple[Response, ...]

    def __post_init__(self) -> None:
        sensors, actuators = len(sensor_names(self.shape)), self.shape.actuators
        self.check(all(len(one.stimulus) == sensors and len(one.signals) == actuators for one in self.table))
        if not all(positive(one.lasts) for one in self.table):
            raise WorldError("a response takes a time constant above 0 s")

    @classmethod
    def genes_of(cls, shape: Shape) -> tuple[Gene, ...]:
        """The sensors' weights, then each pair's stimulus, signals and time constant."""
        sensors = sensor_names(shape)
        genes = [Gene(f"weight of {name}", 0.0, 1.0) for name in sensors]
        for j in range(_pairs(shape)):
            genes += [Gene(f"stimulus {j} {name}", -1.0, 1.0) for name in sensors]
            genes += [Gene(f"response {j} actuator {i}", -1.0, 1.0) for i in range(shape.actuators)]
            genes.append(Gene(f"response {j} time constant", 0.02, 0.5, "s"))
        return tuple(genes)

    @classmethod
    def read(cls, shape: Shape, values: Iterator[float]) -> Self:
        """The weights and the pairs that follow each other."""
        count = len(sensor_names(shape))
        weights = taken(values, count)
        pairs = range(_pairs(shape))
        table = [Response(taken(values, count), taken(values, shape.actuators), next(values)) for _ in pairs]
        return cls(shape, weights, tuple(table))

    def numbers(self) -> dict[str, Any]:
        """Weights, stimuli, responses held in [-1, 1], and time constants."""
        return {
            "weights": list(self.weights),
            "stimuli": [list(one.stimulus) for one in self.table],
            "signals": [[limited(signal) for signal in one.signals] for one in self.table],
            "lasts": [one.lasts for one in self.table],
        }

    def memory(self) -> list[Scalar]:
        """The signals, which start in the middle."""
        return [0.0] * self.shape.actuators

    def signals(
        self, numbers: Mapping[str, Any], memory: list[Scalar], senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], list[Scalar]]:
        """The signals after a frame on the way to the nearest stimulus' response."""
        felt = sensed(self.shape, senses)
        nearest, answer, lasts = None, numbers["signals"][0], numbers["lasts"][0]
        for p, goals, tau in zip(numbers["stimuli"], numbers["signals"], numbers["lasts"], strict=True):
            size = distance(numbers["weights"], felt, p)
            if nearest is None:
                nearest = size
                continue
            nearer = size < nearest
            nearest = where(nearer, size, nearest)
            answer = [where(nearer, new, old) for new, old in zip(goals, answer, strict=True)]
            lasts = where(nearer, tau, lasts)
        part = settled(lasts, dt)
        signals = [limited(s + (goal - s) * part) for s, goal in zip(memory, answer, strict=True)]
        return signals, signals


def distance(weights: Sequence[Scalar], felt: Sequence[Scalar], stimulus: Sequence[Scalar]) -> Scalar:
    """The square of the weighted distance between what is felt and a stimulus."""
    total = 0.0
    for w, x, p in zip(weights, felt, stimulus, strict=True):
        total = total + w * (x - p) * (x - p)
    return total


def _pairs(shape: Shape) -> int:
    return shape.size or PAIRS

"""A network of sensors, hidden nodes and actuators, tied by weights, that answers late. [van de Panne and Fiume 1993]

    u = b + sum_k w_k x_k                        x: sensors and hidden nodes
    T/2 a' = u / (1 + |u|) - a,   T/2 y' = a - y               a node's output y comes T later, solved exactly

The delays let it swing without any clock: a node that holds itself back overshoots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from gambol.control.gene import Gene
from gambol.control.patterns.pattern import Shape, limited, positive, taken
from gambol.control.patterns.sensing import Sensing, sensed, sensor_names, weighed
from gambol.errors import WorldError
from gambol.lanes import Scalar, exp

if TYPE_CHECKING:
    from gambol.control.controller import Senses

HIDDEN = 4
"""Hidden nodes where a shape does not say."""

HEAVIEST = 4.0
"""The largest weight: at 4 a node's output is at four fifths."""


@dataclass(frozen=True)
class Node:
    """A node: its bias, its delay [s], and its weights for all sensors and then all hidden nodes."""

    bias: float
    delay: float
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Lags:
    """What a network remembers: of each node the number on its way, and the one that has come out."""

    coming: list[Scalar]
    out: list[Scalar]


@dataclass(frozen=True)
class SensorActuator(Sensing):
    """Hidden nodes, followed by a node for each actuator.

    Raises WorldError for nodes of another shape and for delays that are not positive.
    """

    kind = "sensor-actuator"
    nodes: tuple[Node, ...]

    def __post_init__(self) -> None:
        sources = len(_sources(self.shape))
        self.check(all(len(node.weights) == sources for node in self.nodes))
        if not all(positive(node.delay) for node in self.nodes):
            raise WorldError("a node's delay must be above 0 s")

    @classmethod
    def genes_of(cls, shape: Shape) -> tuple[Gene, ...]:
        """Bias, delay and weights of each node."""
        genes: list[Gene] = []
        for name in (*_hidden_names(shape), *(f"actuator {i}" for i in range(shape.actuators))):
            genes += [Gene(f"{name} bias", -1.0, 1.0), Gene(f"{name} delay", 0.02, 0.5, "s")]
            genes += [Gene(f"{name} from {source}", -HEAVIEST, HEAVIEST) for source in _sources(shape)]
        return tuple(genes)

    @classmethod
    def read(cls, shape: Shape, values: Iterator[float]) -> Self:
        """The nodes that follow each other."""
        count, nodes = len(_sources(shape)), range(_hidden(shape) + shape.actuators)
        return cls(shape, tuple(Node(next(values), next(values), taken(values, count)) for _ in nodes))

    def numbers(self) -> dict[str, Any]:
        """Biases, delays and weights of all nodes."""
        return {
            "bias": [node.bias for node in self.nodes],
            "delay": [node.delay for node in self.nodes],
            "weights": [list(node.weights) for node in self.nodes],
        }

    def memory(self) -> Lags:
        """Nothing on its way, and nothing out."""
        return Lags([0.0] * len(self.nodes), [0.0] * len(self.nodes))

    def signals(
        self, numbers: Mapping[str, Any], memory: Lags, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], Lags]:
        """The outputs of the actuators' nodes after a frame in which their inputs were held."""
        hidden = _hidden(self.shape)
        felt = sensed(self.shape, senses) + memory.out[:hidden]
        coming: list[Scalar] = []
        out: list[Scalar] = []
        rows = zip(numbers["bias"], numbers["delay"], numbers["weights"], memory.coming, memory.out, strict=True)
        for bias, delay, weights, a, y in rows:
            total = weighed(bias, weights, felt)
            a, y = lagged(total / (1.0 + abs(total)), delay, (a, y), dt)
            coming.append(a)
            out.append(y)
        return [limited(y) for y in out[hidden:]], Lags(coming, out)


def lagged(goal: Scalar, delay: Scalar, lags: tuple[Scalar, Scalar], dt: Scalar) -> tuple[Scalar, Scalar]:
    """Two first-order lags of half a delay each in a row, after dt [s] in which the goal was held."""
    a, y = lags
    steps = 2.0 * dt / delay
    left = exp(-steps)
    return goal + (a - goal) * left, goal + ((y - goal) + (a - goal) * steps) * left


def _hidden(shape: Shape) -> int:
    return shape.size or HIDDEN


def _hidden_names(shape: Shape) -> list[str]:
    return [f"hidden {k}" for k in range(_hidden(shape))]


def _sources(shape: Shape) -> list[str]:
    """What every node reads: sensors, then hidden nodes."""
    return [*sensor_names(shape), *_hidden_names(shape)]

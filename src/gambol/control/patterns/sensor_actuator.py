"""A network of sensors, hidden nodes and actuators with weights and delays. [van de Panne and Fiume 1993]

    u = b + sum_k w_k x_k                        x: sensors and hidden nodes
    T/2 a' = u / (1 + |u|) - a,   T/2 y' = a - y               a node's output y lags by T; solved exactly

With delays it oscillates without a clock: a node that inhibits itself overshoots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from gambol.control.gene import Gene
from gambol.control.patterns.pattern import PatternShape, clipped, positive, take
from gambol.control.patterns.sensing import SensorPattern, sensor_names, sensor_readings, weighted_sum
from gambol.errors import WorldError
from gambol.lanes import Scalar, exp

if TYPE_CHECKING:
    from gambol.control.controller import Senses

HIDDEN = 4
"""Default number of hidden nodes."""

MAX_WEIGHT = 4.0
"""The largest weight: at 4 a node's output is 0.8."""


@dataclass(frozen=True)
class Node:
    """A node: its bias, its delay [s], and its weights for all sensors and then all hidden nodes."""

    bias: float
    delay: float
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SensorActuatorMemory:
    """The memory of a network: the intermediate value a and the output y of each node."""

    intermediate: list[Scalar]
    out: list[Scalar]


@dataclass(frozen=True)
class SensorActuator(SensorPattern):
    """Hidden nodes, followed by a node for each actuator.

    Raises WorldError for nodes that do not fit its shape, and for delays that are not positive.
    """

    kind = "sensor-actuator"
    nodes: tuple[Node, ...]

    def __post_init__(self) -> None:
        sources = len(_sources(self.shape))
        self.check(all(len(node.weights) == sources for node in self.nodes))
        if not all(positive(node.delay) for node in self.nodes):
            raise WorldError("a node's delay must be above 0 s")

    @classmethod
    def genes_of(cls, shape: PatternShape) -> tuple[Gene, ...]:
        """Return bias, delay and weights of each node."""
        genes: list[Gene] = []
        for name in (*_hidden_names(shape), *(f"actuator {i}" for i in range(shape.actuators))):
            genes += [Gene(f"{name} bias", -1.0, 1.0), Gene(f"{name} delay", 0.02, 0.5, "s")]
            genes += [Gene(f"{name} from {source}", -MAX_WEIGHT, MAX_WEIGHT) for source in _sources(shape)]
        return tuple(genes)

    @classmethod
    def read(cls, shape: PatternShape, values: Iterator[float]) -> Self:
        """Return the pattern of a shape with the next values, for one node after the other."""
        count, nodes = len(_sources(shape)), range(_hidden(shape) + shape.actuators)
        return cls(shape, tuple(Node(next(values), next(values), take(values, count)) for _ in nodes))

    def numbers(self) -> dict[str, Any]:
        """Return biases, delays and weights of all nodes."""
        return {
            "bias": [node.bias for node in self.nodes],
            "delay": [node.delay for node in self.nodes],
            "weights": [list(node.weights) for node in self.nodes],
        }

    def memory(self) -> SensorActuatorMemory:
        """Return zero intermediate values and outputs."""
        return SensorActuatorMemory([0.0] * len(self.nodes), [0.0] * len(self.nodes))

    def signals(
        self, numbers: Mapping[str, Any], memory: SensorActuatorMemory, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], SensorActuatorMemory]:
        """Return the outputs of the actuators' nodes at the end of a control step, and the new memory.

        Inputs are constant within the control step.
        """
        hidden = _hidden(self.shape)
        readings = sensor_readings(self.shape, senses) + memory.out[:hidden]
        intermediate: list[Scalar] = []
        out: list[Scalar] = []
        rows = zip(numbers["bias"], numbers["delay"], numbers["weights"], memory.intermediate, memory.out, strict=True)
        for bias, delay, weights, a, y in rows:
            total = weighted_sum(bias, weights, readings)
            a, y = second_order_lag(total / (1.0 + abs(total)), delay, (a, y), dt)
            intermediate.append(a)
            out.append(y)
        return [clipped(y) for y in out[hidden:]], SensorActuatorMemory(intermediate, out)


def second_order_lag(goal: Scalar, delay: Scalar, lags: tuple[Scalar, Scalar], dt: Scalar) -> tuple[Scalar, Scalar]:
    """Return the state of two first-order lags in series, each with time constant delay / 2, after dt [s].

    goal: the constant input. delay [s]. lags: intermediate value and output before.
    """
    a, y = lags
    exponent = 2.0 * dt / delay
    decay = exp(-exponent)
    return goal + (a - goal) * decay, goal + ((y - goal) + (a - goal) * exponent) * decay


def _hidden(shape: PatternShape) -> int:
    return shape.size or HIDDEN


def _hidden_names(shape: PatternShape) -> list[str]:
    return [f"hidden {k}" for k in range(_hidden(shape))]


def _sources(shape: PatternShape) -> list[str]:
    """Return the names of the inputs of every node: sensors, then hidden nodes."""
    return [*sensor_names(shape), *_hidden_names(shape)]

"""A continuous-time recurrent network. [Beer 1995, eq. 1]

    tau_i y_i' = -y_i + sum_j W_ij sigma(y_j + theta_j) + sum_k V_ik x_k         sigma(u) = 1 / (1 + e^-u)
    s_i = 2 sigma(y_i + theta_i) - 1                                             signal of actuator i, from node i
    theta_i = bias_i - sum_j W_ij / 2

x: sensor readings. With biases near 0 the output of every node is in its most sensitive range, and random networks
oscillate [Mathayomchan and Beer 2002]. The memory is z = y + theta. It starts at 0, so signals start at 0. In a control
step each z decays exactly towards a target, which follows from the outputs at the start of the step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from gambol.control.gene import Gene
from gambol.control.patterns.pattern import PatternShape, clipped, positive, take
from gambol.control.patterns.sensing import (
    SensorPattern,
    lag_fraction,
    logistic,
    sensor_names,
    sensor_readings,
    weighted_sum,
)
from gambol.errors import WorldError
from gambol.lanes import Scalar, total

if TYPE_CHECKING:
    from gambol.control.controller import Senses

HIDDEN = 2
"""Default number of nodes that do not move an actuator."""

MAX_WEIGHT = 16.0
"""The largest weight between nodes: networks of a few nodes show all kinds of behaviour with smaller weights."""

MAX_BIAS = 4.0
"""The largest bias, and the largest weight of a sensor: with a larger bias, a node hardly depends on other nodes."""


@dataclass(frozen=True)
class Neuron:
    """A node: bias, time constant tau [s], weights W_i of all nodes, and inputs, the weights V_i of all sensors."""

    bias: float
    tau: float
    weights: tuple[float, ...]
    inputs: tuple[float, ...]


@dataclass(frozen=True)
class Recurrent(SensorPattern):
    """A network of nodes. Node i moves actuator i; the nodes after the last actuator are hidden.

    Raises WorldError for nodes that do not fit its shape, fewer nodes than actuators, and time constants of 0 or less.
    """

    kind = "recurrent"
    neurons: tuple[Neuron, ...]

    def __post_init__(self) -> None:
        nodes, sensors = _nodes(self.shape), len(sensor_names(self.shape))
        self.check(all(len(neuron.weights) == nodes and len(neuron.inputs) == sensors for neuron in self.neurons))
        if not all(positive(neuron.tau) for neuron in self.neurons):
            raise WorldError("a node's time constant must be above 0 s")

    @classmethod
    def genes_of(cls, shape: PatternShape) -> tuple[Gene, ...]:
        """Return bias, time constant, weights and inputs of each node."""
        genes: list[Gene] = []
        for i in range(_nodes(shape)):
            genes += [Gene(f"node {i} bias", -MAX_BIAS, MAX_BIAS), Gene(f"node {i} time constant", 0.02, 0.5, "s")]
            genes += [Gene(f"node {i} from node {j}", -MAX_WEIGHT, MAX_WEIGHT) for j in range(_nodes(shape))]
            genes += [Gene(f"node {i} from {name}", -MAX_BIAS, MAX_BIAS) for name in sensor_names(shape)]
        return tuple(genes)

    @classmethod
    def read(cls, shape: PatternShape, values: Iterator[float]) -> Self:
        """Return the pattern of a shape with the next values, for one neuron after the other."""
        nodes, sensors = _nodes(shape), len(sensor_names(shape))
        indices = range(nodes)
        return cls(
            shape,
            tuple(Neuron(next(values), next(values), take(values, nodes), take(values, sensors)) for _ in indices),
        )

    def numbers(self) -> dict[str, Any]:
        """Return thetas, time constants, weights and inputs of all nodes."""
        return {
            "theta": [neuron.bias - 0.5 * total(neuron.weights) for neuron in self.neurons],
            "tau": [neuron.tau for neuron in self.neurons],
            "weights": [list(neuron.weights) for neuron in self.neurons],
            "inputs": [list(neuron.inputs) for neuron in self.neurons],
        }

    def memory(self) -> list[Scalar]:
        """Return z = 0 for all nodes: outputs of 1/2."""
        return [0.0] * len(self.neurons)

    def signals(
        self, numbers: Mapping[str, Any], memory: list[Scalar], senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], list[Scalar]]:
        """Return the outputs of the first nodes at the end of a control step, and the new memory."""
        readings = sensor_readings(self.shape, senses)
        outputs = [logistic(z) for z in memory]
        after: list[Scalar] = []
        rows = zip(memory, numbers["theta"], numbers["tau"], numbers["weights"], numbers["inputs"], strict=True)
        for z, theta, tau, weights, inputs in rows:
            target = weighted_sum(weighted_sum(theta, weights, outputs), inputs, readings)
            after.append(z + (target - z) * lag_fraction(tau, dt))
        return [clipped(2.0 * logistic(z) - 1.0) for z in after[: self.shape.actuators]], after


def _nodes(shape: PatternShape) -> int:
    """Return the number of nodes. Raises WorldError if it is less than the number of actuators."""
    count = shape.size or shape.actuators + HIDDEN
    if count < shape.actuators:
        raise WorldError(f"{count} nodes cannot move {shape.actuators} actuators; give at least one for each, or 0")
    return count

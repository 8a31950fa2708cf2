"""A continuous-time recurrent network. [Beer 1995, eq. 1]

    tau_i y_i' = -y_i + sum_j W_ij sigma(y_j + theta_j) + sum_k V_ik x_k         sigma(u) = 1 / (1 + e^-u)
    s_i = 2 sigma(y_i + theta_i) - 1                                             of the first nodes

x: sensor readings. theta_i is a bias less half the sum of W_ij, so that with biases near 0 every node works where its
output changes most, and random networks swing [Mathayomchan and Beer 2002]. What is remembered is z = y + theta, which
starts at 0: signals then start in the middle. A frame lets each z decay exactly towards what the others' outputs at
its start ask for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from gambol.control.gene import Gene
from gambol.control.patterns.pattern import Shape, limited, positive, taken
from gambol.control.patterns.sensing import Sensing, logistic, sensed, sensor_names, settled, weighed
from gambol.errors import WorldError
from gambol.lanes import Scalar, total

if TYPE_CHECKING:
    from gambol.control.controller import Senses

HIDDEN = 2
"""Nodes that move nothing themselves, where a shape does not say."""

HEAVIEST = 16.0
"""The largest weight between nodes: networks of a few nodes have all their kinds of behaviour below it."""

STRONGEST = 4.0
"""The largest bias, and the largest weight of a sensor: from there a node hardly feels what others say."""


@dataclass(frozen=True)
class Neuron:
    """A node: bias, time constant tau [s], weights W for all nodes, and V for all sensors."""

    bias: float
    tau: float
    weights: tuple[float, ...]
    inputs: tuple[float, ...]


@dataclass(frozen=True)
class Recurrent(Sensing):
    """Nodes of which the first ones move the actuators.

    Raises WorldError for nodes of another shape, fewer than actuators, and time constants that are not positive.
    """

    kind = "recurrent"
    neurons: tuple[Neuron, ...]

    def __post_init__(self) -> None:
        nodes, sensors = _nodes(self.shape), len(sensor_names(self.shape))
        self.check(all(len(one.weights) == nodes and len(one.inputs) == sensors for one in self.neurons))
        if not all(positive(one.tau) for one in self.neurons):
            raise WorldError("a node's time constant must be above 0 s")

    @classmethod
    def genes_of(cls, shape: Shape) -> tuple[Gene, ...]:
        """Bias, time constant, weights and inputs of each node."""
        genes: list[Gene] = []
        for i in range(_nodes(shape)):
            genes += [Gene(f"node {i} bias", -STRONGEST, STRONGEST), Gene(f"node {i} time constant", 0.02, 0.5, "s")]
            genes += [Gene(f"node {i} from node {j}", -HEAVIEST, HEAVIEST) for j in range(_nodes(shape))]
            genes += [Gene(f"node {i} from {name}", -STRONGEST, STRONGEST) for name in sensor_names(shape)]
        return tuple(genes)

    @classmethod
    def read(cls, shape: Shape, values: Iterator[float]) -> Self:
        """The neurons that follow each other."""
        nodes, sensors = _nodes(shape), len(sensor_names(shape))
        each = range(nodes)
        return cls(
            shape,
            tuple(Neuron(next(values), next(values), taken(values, nodes), taken(values, sensors)) for _ in each),
        )

    def numbers(self) -> dict[str, Any]:
        """Thetas, time constants, weights and inputs of all nodes."""
        return {
            "theta": [one.bias - 0.5 * total(one.weights) for one in self.neurons],
            "tau": [one.tau for one in self.neurons],
            "weights": [list(one.weights) for one in self.neurons],
            "inputs": [list(one.inputs) for one in self.neurons],
        }

    def memory(self) -> list[Scalar]:
        """All nodes where their outputs are a half."""
        return [0.0] * len(self.neurons)

    def signals(
        self, numbers: Mapping[str, Any], memory: list[Scalar], senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], list[Scalar]]:
        """What the first nodes put out after a frame."""
        felt = sensed(self.shape, senses)
        fired = [logistic(z) for z in memory]
        after: list[Scalar] = []
        rows = zip(memory, numbers["theta"], numbers["tau"], numbers["weights"], numbers["inputs"], strict=True)
        for z, theta, tau, weights, inputs in rows:
            goal = weighed(weighed(theta, weights, fired), inputs, felt)
            after.append(z + (goal - z) * settled(tau, dt))
        return [limited(2.0 * logistic(z) - 1.0) for z in after[: self.shape.actuators]], after


def _nodes(shape: Shape) -> int:
    """How many nodes there are; raises WorldError if they cannot move all actuators."""
    count = shape.size or shape.actuators + HIDDEN
    if count < shape.actuators:
        raise WorldError(f"{count} nodes cannot move {shape.actuators} actuators; give at least one for each, or 0")
    return count

"""Nodes that compute functions of each other's outputs: a dataflow network. [Sims 1994]

    a, b, c = w_k x_{i_k}                        x: sensors, then the nodes' outputs one control step ago
    y = F(a, b, c)  clipped to [-1, 1]           s = r(t) w x_i

F is one of FUNCTIONS, and i the index of a source. Both are genes, rounded down, and inputs of the program: one program
serves all networks of a size. A small change of such a gene may change the choice, and with it the behaviour, abruptly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from gambol.control.gene import Gene
from gambol.control.patterns.pattern import TWO_PI, PatternShape, clipped, take
from gambol.control.patterns.sensing import SensorPattern, lag_fraction, sensor_names, sensor_readings
from gambol.lanes import Scalar, clamp, floor, maximum, minimum, sin, where

if TYPE_CHECKING:
    from gambol.control.controller import Senses

NODES = 8
"""Default number of nodes."""

INPUTS = 3
"""Number of inputs of a node; most functions use only one or two."""

MAX_WEIGHT = 3.0
"""The largest weight of an input."""

RISE_TIME = 0.25
"""Time in which signals rise from 0 to their full size [s]."""

FUNCTIONS = (
    "sum", "product", "minimum", "maximum", "absolute", "greater", "if",
    "squash", "sine", "wave", "saw", "smooth", "integrate", "differentiate",
)  # fmt: skip
"""The functions of nodes, in the order of the gene's values."""


@dataclass(frozen=True)
class FlowNode:
    """A node.

    function: index in FUNCTIONS. rate: rate of its rhythm [Hz]. sources, weights: index and weight of inputs.
    """

    function: float
    rate: float
    sources: tuple[float, ...]
    weights: tuple[float, ...]


@dataclass(frozen=True)
class Effector:
    """The input of an actuator: the index of a source, and its weight."""

    source: float
    weight: float


@dataclass(frozen=True, slots=True)
class DataflowMemory:
    """The memory of a network: the output and the first input of each node."""

    out: list[Scalar]
    first: list[Scalar]


@dataclass(frozen=True)
class Dataflow(SensorPattern):
    """Nodes, and an effector for each actuator. Raises WorldError if they do not fit its shape."""

    kind = "dataflow"
    nodes: tuple[FlowNode, ...]
    effectors: tuple[Effector, ...]

    def __post_init__(self) -> None:
        self.check(all(len(node.sources) == INPUTS == len(node.weights) for node in self.nodes))

    @classmethod
    def genes_of(cls, shape: PatternShape) -> tuple[Gene, ...]:
        """Return function, rate, sources and weights of each node; source and weight of each effector."""
        sources = float(len(sensor_names(shape)) + _nodes(shape))
        genes: list[Gene] = []
        for j in range(_nodes(shape)):
            genes.append(Gene(f"node {j} function", 0.0, float(len(FUNCTIONS))))
            genes.append(Gene(f"node {j} rate", shape.slowest, shape.fastest, "Hz"))
            genes += [Gene(f"node {j} source {k}", 0.0, sources) for k in range(INPUTS)]
            genes += [Gene(f"node {j} weight {k}", -MAX_WEIGHT, MAX_WEIGHT) for k in range(INPUTS)]
        for i in range(shape.actuators):
            genes.append(Gene(f"actuator {i} source", 0.0, sources))
            genes.append(Gene(f"actuator {i} weight", -MAX_WEIGHT, MAX_WEIGHT))
        return tuple(genes)

    @classmethod
    def read(cls, shape: PatternShape, values: Iterator[float]) -> Self:
        """Return the pattern of a shape with the next values: nodes, then effectors."""
        indices = range(_nodes(shape))
        nodes = [FlowNode(next(values), next(values), take(values, INPUTS), take(values, INPUTS)) for _ in indices]
        effectors = [Effector(next(values), next(values)) for _ in range(shape.actuators)]
        return cls(shape, tuple(nodes), tuple(effectors))

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of nodes and effectors; functions and sources are whole numbers."""
        return {
            "function": [_choice(node.function, len(FUNCTIONS)) for node in self.nodes],
            "rate": [node.rate for node in self.nodes],
            "sources": [[_choice(i, self._source_count) for i in node.sources] for node in self.nodes],
            "weights": [list(node.weights) for node in self.nodes],
            "source": [_choice(effector.source, self._source_count) for effector in self.effectors],
            "weight": [effector.weight for effector in self.effectors],
        }

    @property
    def _source_count(self) -> int:
        """The number of sources: sensors and nodes."""
        return len(sensor_names(self.shape)) + len(self.nodes)

    def memory(self) -> DataflowMemory:
        """Return zero outputs and inputs."""
        return DataflowMemory([0.0] * len(self.nodes), [0.0] * len(self.nodes))

    def signals(
        self, numbers: Mapping[str, Any], memory: DataflowMemory, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], DataflowMemory]:
        """Return the effectors' inputs after every node has computed once, and the new memory."""
        readings = sensor_readings(self.shape, senses)
        before = [*readings, *memory.out]
        after = DataflowMemory([], [])
        for j, function in enumerate(numbers["function"]):
            pairs = zip(numbers["weights"][j], numbers["sources"][j], strict=True)
            inputs = [w * select_by_index(before, i) for w, i in pairs]
            now = (numbers["rate"][j], time, dt)
            results = function_values(inputs, (memory.out[j], memory.first[j]), now)
            after.out.append(clipped(select_by_index(results, function)))
            after.first.append(inputs[0])
        x = clamp(time / RISE_TIME, 0.0, 1.0)
        rise, current = x * x * (3.0 - 2.0 * x), [*readings, *after.out]
        effectors = zip(numbers["source"], numbers["weight"], strict=True)
        return [rise * clipped(w * select_by_index(current, i)) for i, w in effectors], after


def function_values(
    inputs: Sequence[Scalar], past: tuple[Scalar, Scalar], now: tuple[Scalar, Scalar, Scalar]
) -> list[Scalar]:
    """Return the results of all FUNCTIONS of inputs a, b, c.

    inputs: a, b, c. past: output and input a of the node in the previous control step. now: rate of the node [Hz], time
    [s] and length of the control step [s].
    """
    a, b, c = inputs
    (y, a_before), (rate, time, dt) = past, now
    total = a + b + c
    cycles = rate * time + a
    saw = cycles - floor(cycles)
    return [
        total,
        a * b,
        minimum(a, b),
        maximum(a, b),
        abs(a),
        where(a > b, 1.0, -1.0),
        where(a > 0.0, b, c),
        total / (1.0 + abs(total)),
        sin(TWO_PI * total),
        sin(TWO_PI * saw),
        2.0 * saw - 1.0,
        y + (a - y) * lag_fraction(1.0 / (TWO_PI * rate), dt),
        y + dt * rate * a,
        (a - a_before) / (dt * rate),
    ]


def select_by_index(values: Sequence[Scalar], index: Scalar) -> Scalar:
    """Return the value of an index, selected bit by bit.

    values: values to select from. index: a whole number as a float, from 0; it may differ between lanes.
    """
    candidates, remaining = list(values), index
    while len(candidates) > 1:
        half = floor(0.5 * remaining)
        odd = remaining - 2.0 * half > 0.5
        pairs = [where(odd, candidates[i + 1], candidates[i]) for i in range(0, len(candidates) - 1, 2)]
        candidates = pairs + ([candidates[-1]] if len(candidates) % 2 else [])
        remaining = half
    return candidates[0]


def _choice(value: float, count: int) -> float:
    """Return the choice of a gene: its value rounded down, from 0 to count - 1."""
    return clamp(floor(value), 0.0, float(count - 1))


def _nodes(shape: PatternShape) -> int:
    return shape.size or NODES

"""Nodes that compute, wired to each other: a dataflow network. [Sims 1994]

    a, b, c = w_k x_{i_k}                        x: sensors, then the nodes' outputs a frame ago
    y = F(a, b, c)  held in [-1, 1]              s = r(t) w x_i

F is one of FUNCTIONS and i one of the sources, both chosen by genes that are rounded down: so they are data, and one
program serves all networks of a size. Such a choice jumps, however small the change of the gene that makes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from gambol.control.gene import Gene
from gambol.control.patterns.pattern import TURN, Shape, limited, taken
from gambol.control.patterns.sensing import Sensing, sensed, sensor_names, settled
from gambol.lanes import Scalar, clamp, floor, maximum, minimum, sin, where

if TYPE_CHECKING:
    from gambol.control.controller import Senses

NODES = 8
"""Nodes where a shape does not say."""

INPUTS = 3
"""Inputs of a node; most functions read only one or two."""

HEAVIEST = 3.0
"""The largest weight of an input."""

START = 0.25
"""The time over which signals rise from the middle [s]."""

FUNCTIONS = (
    "sum", "product", "minimum", "maximum", "absolute", "greater", "if",
    "squash", "sine", "wave", "saw", "smooth", "integrate", "differentiate",
)  # fmt: skip
"""What a node may compute, in the order in which a gene counts."""


@dataclass(frozen=True)
class FlowNode:
    """A node: its function and its inputs' sources, counted from 0; their weights, and the rate of its time [Hz]."""

    function: float
    rate: float
    sources: tuple[float, ...]
    weights: tuple[float, ...]


@dataclass(frozen=True)
class Effector:
    """What moves an actuator: a source, counted from 0, and its weight."""

    source: float
    weight: float


@dataclass(frozen=True, slots=True)
class Flows:
    """What a network remembers of each node: its output, and what its first input was."""

    out: list[Scalar]
    first: list[Scalar]


@dataclass(frozen=True)
class Dataflow(Sensing):
    """Nodes, and an effector for each actuator. Raises WorldError where they are not of its shape."""

    kind = "dataflow"
    nodes: tuple[FlowNode, ...]
    effectors: tuple[Effector, ...]

    def __post_init__(self) -> None:
        self.check(all(len(node.sources) == INPUTS == len(node.weights) for node in self.nodes))

    @classmethod
    def genes_of(cls, shape: Shape) -> tuple[Gene, ...]:
        """Function, rate, sources and weights of each node; source and weight of each effector."""
        sources = float(len(sensor_names(shape)) + _nodes(shape))
        genes: list[Gene] = []
        for j in range(_nodes(shape)):
            genes.append(Gene(f"node {j} function", 0.0, float(len(FUNCTIONS))))
            genes.append(Gene(f"node {j} rate", shape.slowest, shape.fastest, "Hz"))
            genes += [Gene(f"node {j} source {k}", 0.0, sources) for k in range(INPUTS)]
            genes += [Gene(f"node {j} weight {k}", -HEAVIEST, HEAVIEST) for k in range(INPUTS)]
        for i in range(shape.actuators):
            genes.append(Gene(f"actuator {i} source", 0.0, sources))
            genes.append(Gene(f"actuator {i} weight", -HEAVIEST, HEAVIEST))
        return tuple(genes)

    @classmethod
    def read(cls, shape: Shape, values: Iterator[float]) -> Self:
        """The nodes and then the effectors that follow each other."""
        each = range(_nodes(shape))
        nodes = [FlowNode(next(values), next(values), taken(values, INPUTS), taken(values, INPUTS)) for _ in each]
        effectors = [Effector(next(values), next(values)) for _ in range(shape.actuators)]
        return cls(shape, tuple(nodes), tuple(effectors))

    def numbers(self) -> dict[str, Any]:
        """What nodes and effectors are; choices as whole numbers."""
        return {
            "function": [_whole(node.function, len(FUNCTIONS)) for node in self.nodes],
            "rate": [node.rate for node in self.nodes],
            "sources": [[_whole(i, self._count) for i in node.sources] for node in self.nodes],
            "weights": [list(node.weights) for node in self.nodes],
            "source": [_whole(effector.source, self._count) for effector in self.effectors],
            "weight": [effector.weight for effector in self.effectors],
        }

    @property
    def _count(self) -> int:
        return len(sensor_names(self.shape)) + len(self.nodes)

    def memory(self) -> Flows:
        """All outputs and inputs 0."""
        return Flows([0.0] * len(self.nodes), [0.0] * len(self.nodes))

    def signals(
        self, numbers: Mapping[str, Any], memory: Flows, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], Flows]:
        """What the effectors read after every node has computed once."""
        felt = sensed(self.shape, senses)
        before = [*felt, *memory.out]
        after = Flows([], [])
        for j, function in enumerate(numbers["function"]):
            pairs = zip(numbers["weights"][j], numbers["sources"][j], strict=True)
            given = [w * picked(before, i) for w, i in pairs]
            now = (numbers["rate"][j], time, dt)
            results = computed(given, (memory.out[j], memory.first[j]), now)
            after.out.append(limited(picked(results, function)))
            after.first.append(given[0])
        x = clamp(time / START, 0.0, 1.0)
        rise, now_there = x * x * (3.0 - 2.0 * x), [*felt, *after.out]
        effectors = zip(numbers["source"], numbers["weight"], strict=True)
        return [rise * limited(w * picked(now_there, i)) for i, w in effectors], after


def computed(given: Sequence[Scalar], past: tuple[Scalar, Scalar], now: tuple[Scalar, Scalar, Scalar]) -> list[Scalar]:
    """What each of the FUNCTIONS makes of inputs a, b, c.

    past: the node's output a frame ago, and a then. now: its rate [Hz], the time and the frame [s].
    """
    a, b, c = given
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
        sin(TURN * total),
        sin(TURN * saw),
        2.0 * saw - 1.0,
        y + (a - y) * settled(1.0 / (TURN * rate), dt),
        y + dt * rate * a,
        (a - a_before) / (dt * rate),
    ]


def picked(values: Sequence[Scalar], index: Scalar) -> Scalar:
    """The value of an index, a whole number held as a real one: it is found bit by bit, so that lanes may differ."""
    level, rest = list(values), index
    while len(level) > 1:
        half = floor(0.5 * rest)
        odd = rest - 2.0 * half > 0.5
        pairs = [where(odd, level[i + 1], level[i]) for i in range(0, len(level) - 1, 2)]
        level = pairs + ([level[-1]] if len(level) % 2 else [])
        rest = half
    return level[0]


def _whole(value: float, count: int) -> float:
    """A choice among so many, from 0."""
    return clamp(floor(value), 0.0, float(count - 1))


def _nodes(shape: Shape) -> int:
    return shape.size or NODES

"""Short programs from finished ones: loops over alike pieces, in a program and in all bodies that it runs."""

from collections.abc import Sequence
from dataclasses import replace

from gambol.lanes.bodies import bodies_of
from gambol.lanes.ops import Op
from gambol.lanes.rolling.order import Graph, needed_values
from gambol.lanes.rolling.packs import Packs
from gambol.lanes.rolling.segments import Segment, segments
from gambol.lanes.rolling.writing import Writer
from gambol.lanes.scan import Scan
from gambol.lanes.signs import with_signed_factors
from gambol.lanes.trace import Body

MIN_GAIN = 40
"""Least number of operations that a loop saves: a shorter one moves more numbers through memory than it saves."""

MAX_ATTEMPTS = 3
"""Number of times that packs of short loops are dissolved: without them, other loops may become short."""

UNKNOWN = -1
"""The place of an input that has no value outside of its body, such as the number of an item."""


def rolled(body: Body) -> Body:
    """Return a body in which alike operations of alike pieces are loops, with the same results to the bit."""
    return _Rolling().body(body)


class _Rolling:
    """Bodies that were rolled; each one is done once, as its first use needs it."""

    def __init__(self) -> None:
        self.done: dict[int, Body] = {}

    def body(self, body: Body, alike: Sequence[tuple[int, ...]] = ()) -> Body:
        """Return a body with loops, in it and in all that it runs. alike: inputs and captures that are alike."""
        if id(body) not in self.done:
            self.done[id(body)] = self._rolled(replace(body, alike=(*body.alike, *alike)))
        return self.done[id(body)]

    def _rolled(self, body: Body) -> Body:
        if not body.alike:
            return replace(body, ops=[self._operation(op, None) for op in body.ops])
        signed = _constants_first(with_signed_factors(body))
        packs = Packs.of(signed)
        parts, graph = _long_loops(packs, signed)
        return Writer(replace(signed, ops=[self._operation(op, packs) for op in signed.ops]), graph, parts).written()

    def _operation(self, op: Op, packs: Packs | None) -> Op:
        """Return an operation that runs rolled bodies. packs: those of its surroundings."""
        if isinstance(op.extra, Scan):
            scan = op.extra
            values = [*op.args[: scan.carried], *[UNKNOWN] * (scan.body.inputs - scan.carried)]
            values += op.args[scan.carried + scan.distinct :]
            return Op(op.name, op.args, replace(scan, body=self._inner(scan.body, packs, values)))
        if not bodies_of(op):
            return op
        *others, body = bodies_of(op)
        first = len(op.args) - len(body.captured)  # of the captures, which come last
        match op.name:
            case "loop":
                values = [*op.args[: body.inputs], *op.args[first:]]
            case "fori":
                values = [UNKNOWN, *op.args[first - body.inputs + 1 :]]
            case _:
                values = [*op.args[first - body.inputs :]]
        inner = self._inner(body, packs, values)
        if isinstance(op.extra, Body):
            return Op(op.name, op.args, inner)
        new = {id(body): inner} | {id(other): self.body(other) for other in others}
        return Op(op.name, op.args, tuple(new.get(id(x), x) for x in op.extra))

    def _inner(self, body: Body, packs: Packs | None, values: Sequence[int]) -> Body:
        """Return a body that an operation runs, rolled; values: those of its inputs, then of its captures."""
        if packs is None:
            return self.body(body)
        places: dict[int, int] = {}
        firsts = {"input": 0, "captured": body.inputs}
        for i, op in enumerate(body.ops):
            if op.name in firsts:
                number: int = op.extra
                places.setdefault(values[firsts[op.name] + number], i)
        alike: list[tuple[int, ...]] = []
        for n in dict.fromkeys(packs.value_of[a][0] for a in places if a in packs.value_of):
            members = packs.values[n]
            if list(members) == [*range(len(members))] and all(a in places for a in members.values()):
                alike.append(tuple(places[a] for a in members.values()))
        return self.body(body, alike)


def _long_loops(packs: Packs, body: Body) -> tuple[list[Segment], Graph]:
    """Return the segments of a body without loops that save little, and the graph of its packs."""
    needed = needed_values(body)
    for attempt in range(MAX_ATTEMPTS + 1):
        graph = Graph(packs, needed)
        while (chains := graph.chains()) is None:
            graph = Graph(packs, needed)
        parts = segments(graph, chains)
        short = [n for part in parts if part.pieces and part.saved < MIN_GAIN for n in part.nodes]
        if not short or attempt == MAX_ATTEMPTS:
            return parts, graph
        for n in short:
            packs.dissolve(n)
    raise AssertionError


def _constants_first(body: Body) -> Body:
    """Return a body with its constants before all other operations."""
    order = sorted(range(len(body.ops)), key=lambda i: body.ops[i].name != "const")
    new = {i: k for k, i in enumerate(order)}
    ops = [Op(body.ops[i].name, tuple(new[a] for a in body.ops[i].args), body.ops[i].extra) for i in order]
    alike = tuple(tuple(new[i] for i in group) for group in body.alike)
    outputs = tuple(new[i] for i in body.outputs)
    return replace(body, ops=ops, outputs=outputs, alike=alike, split_points=())

"""Short programs from finished ones: loops over alike pieces."""

from collections.abc import Sequence
from dataclasses import replace

from gambol.lanes.bodies import bodies_of
from gambol.lanes.cpu.lower.signs import with_signed_factors
from gambol.lanes.ops import Op
from gambol.lanes.rolling.order import Graph, needed_values
from gambol.lanes.rolling.packs import Packs
from gambol.lanes.rolling.segments import Segment, segments
from gambol.lanes.rolling.writing import Writer
from gambol.lanes.scan import Scan
from gambol.lanes.trace import Body


def rolled(body: Body) -> Body:
    """Return a body in which alike operations of alike pieces are loops, with the same results to the bit."""
    return _Rolling().body(body)


class _Rolling:
    """Bodies that were rolled; each one is done once."""

    def __init__(self) -> None:
        self.done: dict[int, Body] = {}

    def body(self, body: Body, alike: Sequence[Sequence[int]] = ()) -> Body:
        """Return a body with loops, in it and in all that it runs. alike: inputs and captures that are alike."""
        if id(body) not in self.done:
            signed = _topological(replace(with_signed_factors(body), alike=(*body.alike, *alike)))
            packs = _packs(signed)
            new = self._with_inner(signed, packs)
            if packs.values:
                parts, graph = _segments(packs)
                new = Writer(new, graph, parts).written()
            self.done[id(body)] = new
        return self.done[id(body)]

    def _with_inner(self, body: Body, packs: Packs) -> Body:
        return replace(body, ops=[self._operation(op, packs) for op in body.ops])

    def _operation(self, op: Op, packs: Packs) -> Op:
        if not bodies_of(op):
            return op
        if isinstance(op.extra, Scan):
            inner = op.extra.body
            columns = len(op.extra.places[0])
            values = [*op.args[: op.extra.carried], *[-1] * (inner.inputs - op.extra.carried)]
            return Op(op.name, op.args, replace(op.extra, body=self._inner(inner, packs, values + [*op.args[op.extra.carried + op.extra.distinct :]])))
        if isinstance(op.extra, Body):
            first = len(op.extra.outputs) + 1 if op.name == "when" else 0
            return Op(op.name, op.args, self._inner(op.extra, packs, op.args[first:]))
        if op.name == "loop":
            test, inner = op.extra
            count = inner.inputs
            first = count + len(test.captured)
            return Op(
                op.name,
                op.args,
                (self.body(test), self._inner(inner, packs, op.args[:count] + op.args[first:])),
            )
        inner = op.extra[-1]
        first = len(op.args) - len(inner.captured) - (inner.inputs - 1)
        return Op(op.name, op.args, (*op.extra[:-1], self._inner(inner, packs, (-1, *op.args[first:]))))

    def _inner(self, inner: Body, packs: Packs, values: Sequence[int]) -> Body:
        """Return a body that an operation runs, rolled; values: those of its inputs, then of its captures."""
        places = {}
        for i, op in enumerate(inner.ops):
            if op.name in ("input", "captured"):
                places.setdefault(values[op.extra + (inner.inputs if op.name == "captured" else 0)], i)
        numbers = dict.fromkeys(packs.value_of[a][0] for a in places if a in packs.value_of)
        alike = []
        for n in numbers:
            members = packs.values[n]
            if len(members) == packs.count and all(a in places for a in members.values()):
                alike.append(tuple(places[members[lane]] for lane in range(packs.count)))
        return self.body(inner, alike)


def _packs(body: Body) -> Packs:
    packs = Packs.of(body.ops, body.alike, body.shared)
    if not body.alike:
        return packs
    for _ in range(3):
        parts, _ = _segments(packs)
        small = [n for part in parts if part.lanes and _gain(part) < MIN_GAIN for n in part.nodes]
        if not small:
            break
        for n in small:
            packs.dissolve(n)
    return packs


MIN_GAIN = 40


def _gain(part: Segment) -> int:
    return len(part.nodes) * (len(part.lanes) - 1)


def _segments(packs: Packs) -> tuple[list[Segment], Graph]:
    needed = needed_values(packs.ops)
    while True:
        graph = Graph(packs, needed)
        chains = graph.chains()
        if chains is not None:
            return segments(graph, chains), graph


def _topological(body: Body) -> Body:
    """Return a body whose constants come first."""
    order = sorted(range(len(body.ops)), key=lambda i: (body.ops[i].name != "const", i))
    new = {i: k for k, i in enumerate(order)}
    ops = [Op(body.ops[i].name, tuple(new[a] for a in body.ops[i].args), body.ops[i].extra) for i in order]
    alike = tuple(tuple(new[i] for i in group) for group in body.alike)
    outputs = tuple(new[i] for i in body.outputs)
    shared = tuple(new[i] for i in body.shared)
    return replace(body, ops=ops, outputs=outputs, alike=alike, shared=shared, split_points=())

"""Short programs from finished ones: loops over alike pieces."""

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

    def body(self, body: Body) -> Body:
        """Return a body with loops, in it and in all that it runs."""
        if id(body) not in self.done:
            ops = [self._operation(op) for op in body.ops]
            self.done[id(body)] = _rolled(replace(body, ops=ops))
        return self.done[id(body)]

    def _operation(self, op: Op) -> Op:
        if not bodies_of(op):
            return op
        if isinstance(op.extra, Scan):
            return Op(op.name, op.args, replace(op.extra, body=self.body(op.extra.body)))
        if isinstance(op.extra, Body):
            return Op(op.name, op.args, self.body(op.extra))
        return Op(op.name, op.args, tuple(self.body(x) if isinstance(x, Body) else x for x in op.extra))


def _rolled(body: Body) -> Body:
    if not body.alike:
        return body
    signed = _topological(with_signed_factors(body))
    signed.stores = body.stores
    packs = Packs.of(signed.ops, signed.alike)
    parts, graph = _segments(packs)
    for _ in range(3):
        small = [n for part in parts if part.lanes and _gain(part) < MIN_GAIN for n in part.nodes]
        if not small:
            break
        for n in small:
            packs.dissolve(n)
        parts, graph = _segments(packs)
    return Writer(signed, graph, parts).written()


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
    return replace(body, ops=ops, outputs=outputs, alike=alike, split_points=())

"""Writing a body with loops over pieces: its operations on their own, and a scan for each loop."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain as chained

from gambol.lanes.ops import MASKS, Op
from gambol.lanes.rolling.order import Graph
from gambol.lanes.rolling.packs import Pack
from gambol.lanes.rolling.segments import Segment
from gambol.lanes.scan import Scan
from gambol.lanes.trace import Body, Trace, Value


class Writer:
    """The operations of the new body.

    index: the new index of each value that is known. results: the operations "part" of each operation.
    """

    def __init__(self, body: Body, graph: Graph, parts: Sequence[Segment]) -> None:
        self.body, self.graph, self.parts = body, graph, parts
        self.ops: list[Op] = []
        self.index: dict[int, int] = {}
        self.trace = Trace("float64")  # only identifies the values that loops capture
        self.trace.ops = self.ops
        self.segment_of = {
            i: k
            for k, part in enumerate(parts)
            if part.pieces
            for n in part.nodes
            for i in self.pack(n).members.values()
        }
        self.kept = self._values_used_elsewhere()
        self.results: list[list[int]] = [[] for _ in body.ops]
        for i, op in enumerate(body.ops):
            if op.name == "part":
                self.results[op.args[0]].append(i)

    def pack(self, n: int) -> Pack:
        """Return a pack by its number."""
        pack = self.graph.packs.packs[n]
        assert pack is not None
        return pack

    def _values_used_elsewhere(self) -> set[int]:
        """Return the values of loops that other operations or the body's outputs use."""
        segment = self.segment_of
        outputs = set(self.body.outputs)
        used = outputs & segment.keys()
        for i, values in enumerate(self.graph.needed):
            if i in outputs or self.body.ops[i].name not in MASKS:
                used.update(a for a in values if a in segment and segment.get(i) != segment[a])
        return used

    def written(self) -> Body:
        """Return the new body."""
        body = self.body
        for i, op in enumerate(body.ops):
            if op.name in ("input", "captured"):
                self.value(i)
        for part in self.parts:
            if part.pieces:
                self._write_loop(part)
            else:
                for i in part.nodes:
                    if body.ops[i].name not in MASKS:
                        self.value(i)
        outputs = tuple(self.value(i) for i in body.outputs)
        return replace(body, ops=self.ops, outputs=outputs, alike=())

    def value(self, i: int) -> int:
        """Return the new index of a value. An operation on its own is written with its results right after it."""
        if i not in self.index:
            op = self.body.ops[i]
            args = tuple(map(self.value, op.args))
            if op.name != "part":
                self.index[i] = self.add(Op(op.name, args, op.extra))
                for part in self.results[i]:
                    self.index[part] = self.add(Op("part", (self.index[i],), self.body.ops[part].extra))
        return self.index[i]

    def add(self, op: Op) -> int:
        """Add an operation and return its index."""
        self.ops.append(op)
        return len(self.ops) - 1

    def _write_loop(self, part: Segment) -> None:
        """Write a loop. The last results of chains are carried numbers, unless others of their results are used."""
        loop = _Loop(self, part)
        for n in part.nodes:
            loop.write(n)
        results = [n for n in part.nodes if any(i in self.kept for i in self.pack(n).members.values())]
        tails = [self.pack(c.packs[-1]).members[part.pieces[-1]] for c in part.chains]
        only_last = {
            c.packs[-1]
            for c, tail in zip(part.chains, tails, strict=True)
            if all(i == tail or i not in self.kept for i in self.pack(c.packs[-1]).members.values())
        }
        results = [n for n in results if n not in only_last]
        scan, args = loop.scan(results)
        operation = self.add(Op("scan", args, scan))
        for c, tail in enumerate(tails):
            if tail in self.kept and part.chains[c].packs[-1] in only_last:
                self.index[tail] = self.add(Op("part", (operation,), c))
        for r, n in enumerate(results):
            for item, piece in enumerate(part.pieces):
                i = self.pack(n).members[piece]
                if i in self.kept:
                    self.index[i] = self.add(Op("part", (operation,), scan.carried + item * len(results) + r))


class _Loop:
    """The body of a loop while it is written.

    index: the index of each value of all pieces, in their order. chains: the number of each chain by its first pack.
    carried, initial: the carried number of each chain in the body, and its first value. columns: values of all pieces
    that are in memory; constants: constants of all pieces; shared: values that are the same for all of them.
    """

    def __init__(self, writer: Writer, part: Segment) -> None:
        self.writer, self.part = writer, part
        self.ops: list[Op] = []
        self.index: dict[tuple[int, ...], int] = {}
        self.chains = {chain.packs[0]: c for c, chain in enumerate(part.chains)}
        self.carried = [self.add(Op("input", (), c)) for c in range(len(part.chains))]
        self.initial = [0] * len(part.chains)
        self.columns: list[tuple[int, ...]] = []
        self.constants: list[tuple[float, ...]] = []
        self.shared: list[int] = []

    def add(self, op: Op) -> int:
        """Add an operation and return its index."""
        self.ops.append(op)
        return len(self.ops) - 1

    def write(self, n: int) -> None:
        """Write a pack."""
        pack = self.writer.pack(n)
        op = self.writer.body.ops[next(iter(pack.members.values()))]
        if op.name in MASKS:  # these are written where they are used
            return
        args = [self._operand(n, pack, k) for k in range(len(pack.columns))]
        self.index[self._in_order(pack.members)] = self.add(Op(op.name, tuple(args), op.extra))

    def _in_order(self, members: dict[int, int]) -> tuple[int, ...]:
        return tuple(members[piece] for piece in self.part.pieces)

    def _operand(self, n: int, pack: Pack, k: int) -> int:
        members = dict(zip(pack.pieces, pack.columns[k], strict=True))
        if n in self.chains and self.part.chains[self.chains[n]].operand == k:
            self.initial[self.chains[n]] = members[self.part.pieces[0]]
            return self.carried[self.chains[n]]
        return self._value(self._in_order(members))

    def _value(self, column: tuple[int, ...]) -> int:
        """Return the index of a value of each piece."""
        if column not in self.index:
            self.index[column] = self._new_value(column)
        return self.index[column]

    def _new_value(self, column: tuple[int, ...]) -> int:
        ops = [self.writer.body.ops[i] for i in column]
        first = ops[0]
        if first.name in MASKS:
            rows = [op.args for op in ops]
            return self.add(Op(first.name, tuple(self._value(c) for c in zip(*rows, strict=True)), first.extra))
        if first.name in ("const", "undefined") and len(set(column)) == 1:
            return self.add(Op(first.name, (), first.extra))
        if all(op.name == "const" for op in ops):
            self.constants.append(tuple(op.extra for op in ops))
            return self.add(Op("constant", (), len(self.constants) - 1))
        if len(set(column)) == 1:
            self.shared.append(self.writer.value(column[0]))
            return self.add(Op("captured", (), len(self.shared) - 1))
        self.columns.append(tuple(map(self.writer.value, column)))
        return self.add(Op("column", (), len(self.columns) - 1))

    def scan(self, results: Sequence[int]) -> tuple[Scan, tuple[int, ...]]:
        """Return the scan and its operands. results: packs whose values are results."""
        writer, carried, traced = self.writer, len(self.carried), len(self.columns)
        initial = map(writer.value, self.initial)
        place = {i: p for p, i in enumerate(dict.fromkeys(chained.from_iterable(self.columns)))}
        ops = [
            Op("input", (), carried + op.extra + (traced if op.name == "constant" else 0))
            if op.name in ("column", "constant")
            else op
            for op in self.ops
        ]
        ends = [self.index[self._in_order(writer.pack(c.packs[-1]).members)] for c in self.part.chains]
        outputs = ends + [self.index[self._in_order(writer.pack(n).members)] for n in results]
        count = carried + traced + len(self.constants)
        captured = [Value(writer.trace, i) for i in self.shared]
        body = Body("pieces", *_live(ops, outputs, count), captured)
        rows = range(len(self.part.pieces))
        scan = Scan(
            body,
            carried,
            len(place),
            tuple(tuple(place[column[r]] for column in self.columns) for r in rows),
            tuple(tuple(column[r] for column in self.constants) for r in rows),
        )
        return scan, (*initial, *place, *self.shared)


def _live(ops: Sequence[Op], outputs: Sequence[int], inputs: int) -> tuple[list[Op], int, tuple[int, ...]]:
    """Return the operations that outputs need, the number of inputs, and the outputs.

    Where packs do not fit together, a loop takes a value from outside that it computes, too.
    """
    is_live = [op.name in ("input", "captured") for op in ops]
    for i in outputs:
        is_live[i] = True
    for i in range(len(ops) - 1, -1, -1):
        if is_live[i]:
            for a in ops[i].args:
                is_live[a] = True
    kept = [i for i, live in enumerate(is_live) if live]
    new = {i: k for k, i in enumerate(kept)}
    renumbered = [Op(ops[i].name, tuple(new[a] for a in ops[i].args), ops[i].extra) for i in kept]
    return renumbered, inputs, tuple(new[i] for i in outputs)

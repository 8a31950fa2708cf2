"""Sharing: repeats of a finished program become subprograms, with the same results to the bit.

A call moves its arguments and results through memory, so only repeats that save more than that are shared.
"""

from collections.abc import Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush
from typing import Any

from gambol.lanes.bodies import bodies_of
from gambol.lanes.ops import Op
from gambol.lanes.rolling.repeats import Column, EqualPieces, ProgramGraph
from gambol.lanes.rolling.search import ItemLoop, repeats
from gambol.lanes.scan import Scan
from gambol.lanes.trace import Body, Trace

MIN_GAIN = 24.0
"""Least gain of a subprogram [operations]."""


def outlined(body: Body) -> Body:
    """Return a program in which equal pieces of its bodies are subprograms, with the same results to the bit."""
    whole, found = repeats(body, MIN_GAIN)
    while found:
        sharing = _Sharing(whole, found)
        body = sharing.body(0)
        if not sharing.stuck:
            break
        found = [repeat for r, repeat in enumerate(found) if r != max(sharing.stuck)]
        body = whole.bodies[0]
    return body


class _Sharing:
    """The bodies of a program while they are written, by their number.

    call_of: for each operation of a repeat the number of the repeat, and that of the instance. stuck: repeats whose
    calls need each other's results, so that no order of them is possible.
    """

    def __init__(self, whole: ProgramGraph, found: Sequence[EqualPieces]) -> None:
        self.whole, self.found = whole, found
        self.new: dict[int, Body] = {}
        self.stuck: set[int] = set()
        self.number = {id(body): b for b, body in enumerate(whole.bodies)}
        self.call_of = {
            i: (r, 0 if isinstance(repeat, ItemLoop) else k)
            for r, repeat in enumerate(found)
            for column in repeat.columns
            for k, i in enumerate(column)
        }
        self.subprograms: dict[int, Body] = {}

    def body(self, b: int) -> Body:
        """Return a body with calls of subprograms."""
        if b not in self.new:
            self.new[b] = self._written(b)
        return self.new[b]

    def operation(self, op: Op, args: Sequence[int]) -> Op:
        """Return an operation with other operands, which runs new bodies."""
        extra: Any = op.extra
        if bodies_of(op):
            if isinstance(extra, Scan):
                extra = replace(extra, body=self._of(extra.body))
            elif isinstance(extra, Body):
                extra = self._of(extra)
            else:
                extra = tuple(self._of(x) if isinstance(x, Body) else x for x in extra)
        return Op(op.name, tuple(args), extra)

    def _of(self, body: Body) -> Body:
        return self.body(self.number[id(body)])

    def subprogram(self, r: int) -> Body:
        """Return the subprogram of a repeat by its number."""
        if r not in self.subprograms:
            self.subprograms[r] = self._operations(self.found[r])
        return self.subprograms[r]

    def _operations(self, repeat: EqualPieces) -> Body:
        """Return the body of a repeat: the operations of its first instance.

        A loop has the numbers of an item as inputs, first those that are no constants, and captures what items share.
        """
        inputs, shared = _arguments(repeat)
        ops = [Op("input", (), k) for k in range(len(inputs))]
        ops += [Op("captured", (), k) for k in range(len(shared))]
        index = {column: k for k, column in enumerate((*inputs, *shared))}
        for column in sorted(repeat.columns, key=lambda c: c[0]):
            for operand in repeat.columns[column]:
                if operand not in index:
                    index[operand] = len(ops)
                    ops.append(Op("const", (), self.whole.ops[operand[0]].extra))
            index[column] = len(ops)
            ops.append(self.operation(self.whole.ops[column[0]], [index[a] for a in repeat.columns[column]]))
        outputs, trace = tuple(index[column] for column in repeat.outputs), Trace("float64")
        return Body("shared", ops, len(inputs), outputs, [trace.input() for _ in shared])

    def _written(self, b: int) -> Body:
        """Return a body with calls, in the order of its operations as far as calls allow it."""
        body, first = self.whole.bodies[b], self.whole.first[b]
        last = first + len(body.ops)
        if not any(i in self.call_of for i in range(first, last)):
            ops = [self.operation(op, op.args) if bodies_of(op) else op for op in body.ops]
            return replace(body, ops=ops)
        writer = _Writer(self, range(first, last))
        if self.stuck:
            return body
        outputs = tuple(writer.index[first + i] for i in body.outputs)
        return replace(body, ops=writer.ops, outputs=outputs, split_points=(), alike=())


class _Writer:
    """The operations of a new body. index: the new index of each operation of the whole program.

    A node is an operation with its results, by its number, or call n, by -1 - n. Masks that are used outside of a
    repeat are in the subprogram, and nodes of their own.
    """

    def __init__(self, sharing: _Sharing, numbers: range) -> None:
        self.sharing, self.whole = sharing, sharing.whole
        self.ops: list[Op] = []
        self.index: dict[int, int] = {}
        calls: dict[tuple[int, int], list[int]] = {}
        for i in numbers:
            if i in sharing.call_of:
                calls.setdefault(sharing.call_of[i], []).append(i)
        self.calls = list(calls)
        node_of = {i: -1 - n for n, members in enumerate(calls.values()) for i in members if not self._is_apart(i)}
        self.members = {-1 - n: members for n, members in enumerate(calls.values())}
        for i in numbers:
            if i not in node_of:
                node_of[i] = node_of[self.whole.args[i][0]] if self.whole.ops[i].name == "part" else i
                self.members.setdefault(node_of[i], []).append(i)
        self._write_nodes(node_of)

    def _is_apart(self, i: int) -> bool:
        """Return True for an operation of a repeat that is a node, too."""
        return self.sharing.found[self.sharing.call_of[i][0]].is_shared_mask(i)

    def _write_nodes(self, node_of: dict[int, int]) -> None:
        """Write all nodes, each one as soon as all that it needs is written, in their order before."""
        before: dict[int, set[int]] = {}
        for n, members in self.members.items():
            inside = set(members)
            before[n] = {node_of[a] for i in members for a in self.whole.needed[i] if a not in inside} - {n}
        after: dict[int, list[int]] = {}
        for n, nodes in before.items():
            for m in nodes:
                after.setdefault(m, []).append(n)
        counts = {n: len(nodes) for n, nodes in before.items()}
        ready = [(self.members[n][0], n) for n, count in counts.items() if not count]
        heapify(ready)
        while ready:
            n = heappop(ready)[1]
            self._write(n)
            for m in after.get(n, ()):
                counts[m] -= 1
                if not counts[m]:
                    heappush(ready, (self.members[m][0], m))
        self.sharing.stuck.update(self.calls[-1 - n][0] for n, count in counts.items() if count and n < 0)

    def _write(self, n: int) -> None:
        """Write a node."""
        if n < 0:
            r, k = self.calls[-1 - n]
            repeat = self.sharing.found[r]
            if isinstance(repeat, ItemLoop):
                self._write_loop(repeat, self.sharing.subprogram(r))
            else:
                args = tuple(self.index[c[k]] for c in repeat.inputs)
                self._write_results(repeat, Op("call", args, self.sharing.subprogram(r)), [k])
            return
        for i in self.members[n]:
            self.index[i] = len(self.ops)
            self.ops.append(self.sharing.operation(self.whole.ops[i], [self.index[a] for a in self.whole.args[i]]))

    def _write_loop(self, repeat: ItemLoop, body: Body) -> None:
        inputs, shared = _arguments(repeat)
        traced = [column for column in inputs if repeat.is_traced(column)]
        constants = inputs[len(traced) :]
        items = range(len(next(iter(repeat.columns))))
        place = {i: p for p, i in enumerate(dict.fromkeys(i for column in traced for i in column))}
        numbers: list[tuple[float, ...]] = [
            tuple(self.whole.ops[column[k]].extra for column in constants) for k in items
        ]
        places = tuple(tuple(place[column[k]] for column in traced) for k in items)
        args = [*place, *(column[0] for column in shared)]
        scan = Scan(body, 0, len(place), places, tuple(numbers))
        self._write_results(repeat, Op("scan", tuple(self.index[i] for i in args), scan), items)

    def _write_results(self, repeat: EqualPieces, op: Op, instances: Sequence[int]) -> None:
        """Write an operation that computes instances of a repeat, and its results."""
        number = len(self.ops)
        self.ops.append(op)
        for item, k in enumerate(instances):
            for p, column in enumerate(repeat.outputs):
                if repeat.is_used_outside(column[k]):
                    self.index[column[k]] = len(self.ops)
                    self.ops.append(Op("part", (number,), item * len(repeat.outputs) + p))


def _arguments(repeat: EqualPieces) -> tuple[list[Column], list[Column]]:
    """Return the inputs of the body of a repeat, and what all items of a loop share."""
    if not isinstance(repeat, ItemLoop):
        return repeat.inputs, []
    shared = [column for column in repeat.inputs if len(set(column)) == 1]
    return sorted((c for c in repeat.inputs if c not in shared), key=lambda c: not repeat.is_traced(c)), shared

"""Repeats: equal pieces of a finished program, in any of its bodies.

A *repeat* is a set of columns; a column has the operation of each instance. Columns have the operands of other columns,
or take values from outside. A repeat grows from a first column to operands and users as long as all instances have the
same operations there; where they differ, it may grow on in those that agree.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Hashable, Sequence

from gambol.lanes.bodies import CONTROL, bodies_of, changes_arrays
from gambol.lanes.ops import MASKS, Op, is_same_constant
from gambol.lanes.rolling.order import needed_values
from gambol.lanes.rolling.packs import SYMMETRIC, arrays_of, can_be_grouped
from gambol.lanes.trace import Body

UNCOUNTED = frozenset({"part", "when", "call"})
"""Operations that are not counted as gains: parts are no instructions, and other bodies are shared anyway."""

MOVE = 0.5
"""Cost of an argument or a result of a call, in operations."""

NO_RESULTS = MASKS | CONTROL
"""Operations whose results a repeat cannot have: masks are computed again, and control has parts."""

LOCAL = MASKS | {"undefined", "always"}
"""Operations whose results a repeat cannot take from outside."""

DEPTH = 2
"""Depth to which the operands of first operations are equal."""

Column = tuple[int, ...]


class ProgramGraph:
    """All bodies of a program as one graph: operation i of body b has the number first[b] + i.

    ops: operations. args: numbers of their operands, those that may be exchanged in the order of hashes. needed: what
    must come before each one; users: the operations that use it. kinds: equal for operations that do the same, 0 for
    those that belong to no repeat. hashes: equal if operands are equal to a depth. is_output: True for results of
    bodies; is_mask, is_local: for operations in MASKS and in LOCAL.
    """

    def __init__(self, body: Body) -> None:
        self.bodies = _all_bodies(body)
        self.first: list[int] = []
        self.ops: list[Op] = []
        self.args: list[tuple[int, ...]] = []
        self.needed: list[list[int]] = []
        self.users: list[list[int]] = []
        self.kinds: list[int] = []
        self.is_output: list[bool] = []
        self.is_mask: list[bool] = []
        self.is_local: list[bool] = []
        numbers: dict[Hashable, int] = {}
        for each in self.bodies:
            first = len(self.ops)
            arrays, outputs = arrays_of(each), set(each.outputs)
            self.first.append(first)
            self.users += [[] for _ in each.ops]
            for op, values in zip(each.ops, needed_values(each), strict=True):
                self.needed.append([first + a for a in {*op.args, *values}])
            for i, op in enumerate(each.ops):
                is_free = _is_repeatable(op, arrays) and (op.name != "part" or self.kinds[first + op.args[0]] > 0)
                key = op.name, id(op.extra) if op.name in CONTROL else op.extra, len(op.args)
                self.kinds.append(numbers.setdefault(key, len(numbers) + 1) if is_free else 0)
                self.ops.append(op)
                self.args.append(tuple(first + a for a in op.args))
                self.is_output.append(i in outputs)
                self.is_mask.append(op.name in MASKS)
                self.is_local.append(op.name in LOCAL)
                for a in dict.fromkeys(op.args):
                    self.users[first + a].append(first + i)
        self.hashes = self._hashes()
        for i, op in enumerate(self.ops):
            if op.name in SYMMETRIC and self.kinds[i]:
                a, b, *others = self.args[i]
                self.args[i] = (*sorted((a, b), key=self.hashes.__getitem__), *others)
        self._uses: dict[int, dict[tuple[int, int], list[int]]] = {}
        self._sources: dict[int, list[int]] = {}

    def _hashes(self) -> list[int]:
        constants = [hash(op.extra) if op.name == "const" and op.extra == op.extra else 0 for op in self.ops]
        own = [kind or constant for kind, constant in zip(self.kinds, constants, strict=True)]
        values = own
        for _ in range(DEPTH - 1):
            values = [self._hash(i, own, values) for i in range(len(own))]
        return values

    def _hash(self, i: int, own: Sequence[int], values: Sequence[int]) -> int:
        if not self.kinds[i]:
            return own[i]
        args = [values[a] for a in self.args[i]]
        if self.ops[i].name in SYMMETRIC and args[0] > args[1]:
            args[0], args[1] = args[1], args[0]
        return hash((own[i], *args))

    def uses(self, i: int) -> dict[tuple[int, int], list[int]]:
        """Return the users of a value that may belong to a repeat, by their kind and the index of their operand."""
        if i not in self._uses:
            found: dict[tuple[int, int], list[int]] = {}
            for u in self.users[i]:
                if self.kinds[u]:
                    found.setdefault((self.kinds[u], self.args[u].index(i)), []).append(u)
            for users in found.values():
                users.sort(key=self.hashes.__getitem__)
            self._uses[i] = found
        return self._uses[i]

    def sources(self, i: int) -> tuple[list[int], int]:
        """Return what each operation of the body of i needs, and the number of the body's first operation.

        That is the operation itself, and all that must come before it: a number with a bit for each operation of the
        body.
        """
        b = bisect_right(self.first, i) - 1
        first = self.first[b]
        if b not in self._sources:
            found = self._sources[b] = list[int]()
            for k in range(len(self.bodies[b].ops)):
                bits = 1 << k
                for a in self.needed[first + k]:
                    bits |= found[a - first]
                found.append(bits)
        return self._sources[b], first


def _is_repeatable(op: Op, arrays: set[int]) -> bool:
    """Return True for an operation that may belong to a repeat."""
    return can_be_grouped(op, arrays) and (
        op.name not in CONTROL or (op.name in ("when", "call") and not changes_arrays(op))
    )


def _all_bodies(body: Body) -> list[Body]:
    """Return a body and all that it runs, each once."""
    found: dict[int, Body] = {}

    def add(each: Body) -> None:
        if id(each) not in found:
            found[id(each)] = each
            for op in each.ops:
                for inner in bodies_of(op):
                    add(inner)

    add(body)
    return list(found.values())


class EqualPieces:
    """A repeat: equal pieces of a program, grown from a column.

    columns: the columns of the operands of each column. inside: all operations. grown: all operations before columns
    were removed that do not fit.
    """

    def __init__(self, whole: ProgramGraph, seed: Column, least: float) -> None:
        self.whole, self.least = whole, least
        self.columns: dict[Column, tuple[Column, ...]] = {}
        self.inside: set[int] = set()
        self.rejected: list[Column] = []
        self.inputs: list[Column] = []
        self.outputs: list[Column] = []
        self._grow(seed)
        self.grown = frozenset(self.inside)
        self.gain = self._gain(len(seed))
        while self.gain >= least and (wrong := self._unfit() or self._around()):
            for column in wrong:
                del self.columns[column]
                self.inside.difference_update(column)
            self.gain = self._gain(len(seed))

    def _gain(self, count: int) -> float:
        """Return the number of operations that a subprogram saves, less the cost of moving numbers.

        count: the number of instances.
        """
        size = sum(self.whole.ops[column[0]].name not in UNCOUNTED for column in self.columns)
        saved = (count - 1) * size - count
        if saved < self.least:
            return saved
        self.inputs, self.outputs = self._boundary()
        return self.gain_of(saved, count)

    def gain_of(self, saved: int, count: int) -> float:
        """Return the gain. saved: operations saved by calls; count: the number of instances."""
        return saved - MOVE * count * (len(self.inputs) + len(self.outputs))

    def groups(self) -> list[dict[int, Column]]:
        """Return the operations of each instance, with their columns; each is to be one operation."""
        count = len(next(iter(self.columns)))
        return [{column[k]: column for column in self.columns} for k in range(count)]

    def _grow(self, seed: Column) -> None:
        whole = self.whole
        waiting, known = [seed], {seed}
        for column in waiting:
            if not self._agrees(column):
                continue
            self.inside.update(column)
            operands = self.columns[column] = tuple(zip(*(whole.args[i] for i in column), strict=True))
            for following in (*operands, *self._users(column)):
                if following not in known:
                    known.add(following)
                    waiting.append(following)

    def _agrees(self, column: Column) -> bool:
        """Return True if a column can be added."""
        kinds = self.whole.kinds
        kind = kinds[column[0]]
        if any(kinds[i] != kind for i in column):
            self.rejected.append(column)
            return False
        return kind > 0 and len(set(column)) == len(column) and self.inside.isdisjoint(column)

    def _users(self, column: Column) -> list[Column]:
        """Return the columns of users of a column."""
        uses = [self.whole.uses(i) for i in column]
        result: list[Column] = []
        for key, users in uses[0].items():
            each = [found.get(key, ()) for found in uses]
            if all(len(x) == len(users) for x in each):
                result += zip(*each, strict=True)
        return result

    def _unfit(self) -> list[Column]:
        """Return columns that need a mask or a branch from outside, and branches with results outside."""
        whole, columns, inside, wrong = self.whole, self.columns, self.inside, list[Column]()
        for column, operands in columns.items():
            outside = [c for c in operands if c not in columns]
            name = whole.ops[column[0]].name
            if (
                (outside and name == "part")
                or any(whole.is_local[a] or a in inside for c in outside for a in c)
                or (name in MASKS and inside.isdisjoint(whole.users[column[0]]))
                or (name in CONTROL and any(map(self.is_used_outside, column)))
            ):
                wrong.append(column)
        return wrong

    def _around(self) -> list[Column]:
        """Return columns that need results of the same group through operations outside of it."""
        whole, wrong = self.whole, dict[Column, None]()
        for column_of in self.groups():
            sources, first = whole.sources(next(iter(column_of)))
            group = sum(1 << (i - first) for i in column_of)
            late = set[int]()  # operations of the group that need something outside which needs the group
            for i in sorted(column_of):
                if any(a in late if a in column_of else sources[a - first] & group for a in whole.needed[i]):
                    late.add(i)
                    wrong[column_of[i]] = None
        return list(wrong)

    def _boundary(self) -> tuple[list[Column], list[Column]]:
        """Return the columns of values from outside that are not equal constants, and those that are used outside."""
        inputs = {c: None for operands in self.columns.values() for c in operands if c not in self.columns}
        ops = self.whole.ops
        return [c for c in inputs if not self.is_constant(c)], [
            c for c in self.columns if ops[c[0]].name not in NO_RESULTS and any(map(self.is_used_outside, c))
        ]

    def is_constant(self, column: Column) -> bool:
        """Return True if all values of a column are one constant."""
        ops = [self.whole.ops[i] for i in column]
        return all(op.name == "const" and is_same_constant(op.extra, ops[0].extra) for op in ops)

    def is_used_outside(self, i: int) -> bool:
        """Return True for a value that is used outside, also by a mask, which is computed there again."""
        whole = self.whole
        if whole.is_output[i]:
            return True
        return any(u not in self.inside or (whole.is_mask[u] and self.is_used_outside(u)) for u in whole.users[i])

    def is_shared_mask(self, i: int) -> bool:
        """Return True for a mask that is used outside, too."""
        return self.whole.is_mask[i] and self.is_used_outside(i)

    def split(self, seed: Column) -> Column | None:
        """Return the instances of a column that have equal operations where the repeat stopped, as many as possible."""
        best: Column = ()
        for column in self.rejected:
            groups: dict[int, list[int]] = defaultdict(list)
            for i, first in zip(column, seed, strict=True):
                if self.whole.kinds[i]:
                    groups[self.whole.kinds[i]].append(first)
            for group in groups.values():
                if len(best) < len(group) < len(seed):
                    best = tuple(group)
        return best if len(best) > 1 else None

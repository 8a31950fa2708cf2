"""Bodies as functions of WebAssembly, written directly from the trace.

A body's inputs, captures and outputs have fixed addresses, so a function has no parameters. A long body is cut into
several functions, since browsers optimise long functions slowly; values that cross a cut are stored in memory. Values
are in locals; a local is reused after the last use of its value.
"""

from collections import Counter
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

from gambol.errors import GambolError
from gambol.lanes.bodies import CONTROL, MEMORY, bodies_of
from gambol.lanes.ops import Op
from gambol.lanes.trace import Body

MAX_OPERATIONS = 2000
"""Maximum number of operations of a function; longer bodies are cut (docs/decisions/022)."""

MAX_INLINED = 5000
"""Maximum number of operations of a body that is inlined, if only one operation runs it. Other bodies are functions."""

MAX_USE_DISTANCE = 40
"""Maximum distance [operations] from an operation to its only use for which it is written there, without a local."""

MAX_NESTED_LOOPS = 8
"""Maximum number of loops with counters inside each other in a function."""

SOURCES = frozenset({"input", "captured", "const", "always", "undefined", "part", "array", "view"})
"""Operations that need no instructions."""


@dataclass
class BodyCounts:
    """The number of operations that run each body, and its length with the bodies that are written into it."""

    uses: Counter[int] = field(default_factory=Counter[int])
    lengths: dict[int, int] = field(default_factory=dict[int, int])

    def add(self, body: Body) -> None:
        """Count a body and all that it runs."""
        inner = [b for op in body.ops for b in bodies_of(op)]
        self.uses.update(map(id, inner))
        for b in inner:
            if id(b) not in self.lengths:
                self.add(b)
        self.lengths[id(body)] = sum(self.length(op) for op in body.ops)

    def is_inlined(self, body: Body) -> bool:
        """Return True if a body is written inline."""
        return self.uses[id(body)] == 1 and self.lengths[id(body)] <= MAX_INLINED

    def length(self, op: Op) -> int:
        """Return the length of an operation: 1, or the length of an inlined body."""
        if op.name in SOURCES:
            return 0
        inner = bodies_of(op)
        tests = [self.lengths[id(b)] for b in inner[:-1]]
        return 1 + sum(tests) + sum(self.lengths[id(b)] for b in inner[-1:] if self.is_inlined(b))


@dataclass(frozen=True, slots=True)
class Frame:
    """The function of a body.

    index: index of the function; inputs, outputs: addresses; captures follow the inputs.
    """

    index: int
    inputs: int
    outputs: int


@dataclass(frozen=True, slots=True)
class Place:
    """The place where the value of an operation is found.

    kind: "local", "memory", "number", "undefined" or "mask"; "counter" of a loop, an integer in memory; "array"; or
    "item", a number of a scan. at: local, address, or the value itself; of an item the instruction that reads it, the
    address of an address, and the distance from there. size: length of an array.
    """

    kind: str
    at: Any
    size: int = 0


class Locals:
    """The locals of a function: first the counters of loops, then vectors, each used by one value at a time.

    counters: the local of each counter, by the counter's address in memory.
    """

    def __init__(self) -> None:
        self.count = MAX_NESTED_LOOPS
        self.counters: dict[int, int] = {}
        self._free: list[int] = []

    @property
    def types(self) -> dict[str, int]:
        """The number of locals of each type, in order."""
        return {"i32": MAX_NESTED_LOOPS, "v128": self.count - MAX_NESTED_LOOPS}

    def take_counter(self, address: int) -> int:
        """Return the local of the counter of a loop inside the present ones. Raises GambolError for too many."""
        if len(self.counters) == MAX_NESTED_LOOPS:
            raise GambolError(f"more than {MAX_NESTED_LOOPS} loops are inside each other, too many for WebAssembly")
        self.counters[address] = len(self.counters)
        return self.counters[address]

    def take(self) -> int:
        """Return a free local."""
        if self._free:
            return heappop(self._free)
        self.count += 1
        return self.count - 1

    def free(self, n: int) -> None:
        """Make a local free."""
        heappush(self._free, n)


class Uses:
    """The uses of the values of a body.

    counts: number of operands and outputs that use each value. deferred: operations that are written where they are
    used. last: the last piece of the body that uses each value. pieces: the piece of each operation, numbered in order.
    parts: the operation "part" of each used result, by operation and index of the result. views: the lengths of arrays
    that are inputs or results, by the index of their first entry.
    """

    def __init__(self, body: Body, counts: BodyCounts, cuts: bool) -> None:
        ops = body.ops
        self.counts = Counter(a for op in ops for a in op.args)
        self.counts.update(body.outputs)
        self.pieces = _pieces(body, counts) if cuts else [0] * len(ops)
        self.parts: dict[int, dict[int, int]] = {}
        self.views = {op.args[0]: op.extra for op in ops if op.name == "view"}
        self.last: dict[int, int] = {}
        single_user: dict[int, int] = {}
        for index, op in enumerate(ops):
            if op.name == "part":
                self.parts.setdefault(op.args[0], {})[op.extra] = index
            for a in op.args:
                single_user[a] = index
                self.last[a] = self.pieces[index]
        for a in body.outputs:
            single_user[a] = len(ops) + MAX_USE_DISTANCE
            self.last[a] = self.pieces[-1]
        self.deferred = {
            index
            for index, user in single_user.items()
            if user - index <= MAX_USE_DISTANCE
            and self.counts[index] == 1
            and self.pieces[user] == self.pieces[index]
            and not {ops[index].name, ops[user].name} & (SOURCES | CONTROL)
            and ops[index].name not in MEMORY
        }


def _pieces(body: Body, counts: BodyCounts) -> list[int]:
    """Return the index of the piece of each operation.

    Pieces have at most MAX_OPERATIONS, unless a single operation is longer.
    """
    pieces: list[int] = []
    length = index = 0
    for op in body.ops:
        weight = counts.length(op)
        if length and length + weight > MAX_OPERATIONS and op.name not in SOURCES:
            index, length = index + 1, 0
        length += weight
        pieces.append(index)
    return pieces

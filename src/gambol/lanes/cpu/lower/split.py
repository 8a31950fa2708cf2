"""A long body is split into pieces. Pieces with the same operations on different values and constants share a pattern.

The inputs of a piece are values of earlier pieces, its outputs are values that later pieces use. Each use of a constant
counts as a separate constant, so that two links of one type share a pattern for any lengths and masses.

A function, the driver, runs the pieces in order. Operations between two split points of which one works on arrays are
no piece but part of the driver, since arrays are memory of one function.
"""

from collections.abc import Collection
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from gambol.lanes.arrays import Counter
from gambol.lanes.bodies import MEMORY, captured, changed_captures
from gambol.lanes.ops import COMMUTATIVE, MASKS, Op
from gambol.lanes.signs import with_signed_factors
from gambol.lanes.trace import Body, is_array

MIN_SPLIT_OPERATIONS = 40_000
"""Number of operations above which a body with split points becomes a loop over its pieces. Very repetitive programs
then compile in less than half the time, others in about the same time; most run about 10 % slower
(docs/use/benchmarks.md)."""

MIN_SPLIT_OPERATIONS_WITH_ARRAYS = 80_000
"""The same for a body that uses arrays: one of as many operations is too long to be optimised (compiler.py)."""

SHARED = ("input", "captured", "const")
"""Operations outside pieces: their values are inputs or constants of a piece."""


@dataclass(eq=False)
class Pattern:
    """The operations that equal pieces share.

    body: its inputs are values of other pieces; its outputs are used elsewhere by at least one piece of the pattern. An
    operation "piece_constant" is a constant that differs between the pieces. columns: the values of each such constant
    in all pieces.
    """

    body: Body
    columns: list[tuple[float, ...]]


@dataclass
class Piece:
    """One use of a pattern. inputs, outputs: indices of values in the whole body; None for an unused output.

    constants: the values of the pattern's operations "piece_constant" in this piece.
    """

    pattern: Pattern
    inputs: list[int]
    outputs: list[int | None]
    constants: list[float]


@dataclass
class SplitBody:
    """A body as pieces, in order, and the body of the driver.

    slots: index of each stored value in a memory of `size` values: first inputs of the body, then values of the driver
    that pieces use, then, from first_loaded on, values of pieces that the driver uses. driver: a body with the inputs
    of the whole one, and further inputs: the stored values that it uses. Its operations "pieces" run the pieces from
    the first to before the last of two numbers; "keep" stores a value in a slot.
    """

    pieces: list[Piece]
    slots: dict[int, int]
    size: int
    first_loaded: int
    driver: Body


class _Copy:
    """A copy of the operations of one piece, with operands renumbered within the piece.

    local_index: index in the copy of each value of the body that the copy computes or reads. inputs: index of each
    input among the inputs of the copy, by its index in the body.
    """

    def __init__(self, body: Body) -> None:
        self.body = body
        self.ops: list[Op] = []
        self.local_index: dict[int, int] = {}
        self.inputs: dict[int, int] = {}
        self.constants: list[float] = []

    def add(self, index: int) -> int:
        """Copy an operation of the body, by its index there; return its index in the copy."""
        op = self.body.ops[index]
        args = [self._operand(a) for a in op.args]
        self.local_index[index] = self._append(
            Op(op.name, tuple(sorted(args) if op.name in COMMUTATIVE else args), op.extra)
        )
        return self.local_index[index]

    def _operand(self, index: int) -> int:
        if index in self.local_index:
            return self.local_index[index]
        op = self.body.ops[index]
        if op.name == "const":
            self.constants.append(op.extra)
            return self._append(Op("const", (), len(self.constants) - 1))
        if op.name in MASKS:  # a mask is computed again, since the memory between pieces holds no masks
            return self.add(index)
        self.inputs[index] = len(self.inputs)
        self.local_index[index] = self._append(Op("input", (), self.inputs[index]))
        return self.local_index[index]

    def _append(self, op: Op) -> int:
        self.ops.append(op)
        return len(self.ops) - 1

    @property
    def key(self) -> tuple[Any, ...]:
        """The operations without the values of constants. Pieces of one pattern have equal keys."""
        return tuple((op.name, op.args, op.extra) for op in self.ops)


def is_split(body: Body) -> bool:
    """Return True for a body that becomes a loop over its pieces: it has split points and is long.

    False if it changes arrays of its surroundings, or uses counters of loops.
    """
    if not body.split_points or changed_captures(body) or _uses_counters(body):
        return False
    limit = MIN_SPLIT_OPERATIONS_WITH_ARRAYS if any(_uses_arrays(body, op) for op in body.ops) else MIN_SPLIT_OPERATIONS
    return sum(op.name != "part" for op in body.ops) > limit


def _uses_arrays(body: Body, op: Op) -> bool:
    """Return True for an operation on arrays, or with an array among its operands."""
    return op.name in MEMORY or op.name == "fori" or any(_is_array(body, body.ops[a]) for a in op.args)


def _is_array(body: Body, op: Op) -> bool:
    return op.name in ("array", "view") or (op.name == "captured" and is_array(captured(body, op)))


def _uses_counters(body: Body) -> bool:
    """Return True for a body that uses the counter of a loop."""
    first = {"load": 1, "store": 2}
    has_index = any(len(op.args) > first[op.name] for op in body.ops if op.name in first)
    has_bounds = any(affine[0] for op in body.ops if op.name == "fori" for affine in op.extra[:2])
    return has_index or has_bounds or any(isinstance(value, Counter) for value in body.captured)


def split(body: Body) -> SplitBody:
    """Split a body at its split points into pieces; find their patterns, and allocate the memory between them."""
    ranges = [range(*pair) for pair in pairwise(sorted({0, *body.split_points, len(body.ops)}))]
    body = with_signed_factors(body)
    in_driver = [any(_uses_arrays(body, body.ops[index]) for index in indices) for indices in ranges]
    copies = [_Copy(body) if inline else _copied(body, each) for each, inline in zip(ranges, in_driver, strict=True)]
    driver = _Driver(body, {index for copy in copies for index in copy.inputs})
    count = 0
    for indices, inline, copy in zip(ranges, in_driver, copies, strict=True):
        if inline:
            driver.add(indices, count)
        count += bool(copy.ops)
    driver.finish(count)
    copies = [copy for copy in copies if copy.ops]
    needed = {index for copy in copies for index in copy.inputs} | set(driver.loaded)
    groups: dict[Any, list[_Copy]] = {}
    for copy in copies:
        groups.setdefault(copy.key, []).append(copy)
    pieces: dict[_Copy, Piece] = {}
    for group in groups.values():
        pieces |= _pieces_of_pattern(f"{body.name} piece", group, needed)
    return _allocated([pieces[copy] for copy in copies], driver)


class _Driver:
    """The body of the driver.

    ops: its operations. local_index: index there of each value of the whole body that it computes. slots: slots of its
    inputs, and of its values that pieces use, by index in the whole body. loaded: index there of each value that it
    reads from the memory.
    """

    def __init__(self, body: Body, used: Collection[int]) -> None:
        """Begin the body of the driver of a body; used: indices of values that pieces use."""
        self.body = body
        self.used = used
        self.ops: list[Op] = []
        self.local_index: dict[int, int] = {}
        self.slots: dict[int, int] = {}
        self.loaded: dict[int, int] = {}
        self.outputs: tuple[int, ...] = ()
        self.done = 0
        for index, op in enumerate(body.ops):
            if op.name in ("input", "captured"):
                self.slots[index] = self.local_index[index] = self._append(op)
        self.inputs = len(self.ops)

    def add(self, indices: range, pieces: int) -> None:
        """Add operations of the body. pieces: the number of pieces before them."""
        self._run_pieces(pieces)
        for index in indices:
            if index not in self.local_index and self.body.ops[index].name not in MASKS:
                self._copy(index)
                if index in self.used:
                    self.slots[index] = len(self.slots)
                    self._append(Op("keep", (self.local_index[index],), self.slots[index]))

    def finish(self, pieces: int) -> None:
        """Add the outputs of the body. pieces: the number of all pieces."""
        self._run_pieces(pieces)
        self.outputs = tuple(self._operand(index) for index in self.body.outputs)

    def _run_pieces(self, pieces: int) -> None:
        if pieces > self.done:
            self._append(Op("pieces", (), (self.done, pieces)))
            self.done = pieces

    def _copy(self, index: int) -> int:
        op = self.body.ops[index]
        args = tuple(map(self._operand, op.args))
        self.local_index[index] = self._append(Op(op.name, args, op.extra))
        return self.local_index[index]

    def _operand(self, index: int) -> int:
        """Return the index of a value; constants and masks are copied, and values of pieces become inputs."""
        known = self.local_index.get(index, self.loaded.get(index))
        if known is not None:
            return known
        if self.body.ops[index].name in ("const", *MASKS):
            return self._copy(index)
        self.loaded[index] = self._append(Op("input", (), self.inputs + len(self.loaded)))
        return self.loaded[index]

    def _append(self, op: Op) -> int:
        self.ops.append(op)
        return len(self.ops) - 1


def _pieces_of_pattern(name: str, copies: list[_Copy], needed: set[int]) -> dict[_Copy, Piece]:
    """Return the piece of each copy; all copies have the same operations. needed: values that other pieces use."""
    results = [
        {local: index for index, local in copy.local_index.items() if index in needed and index not in copy.inputs}
        for copy in copies
    ]
    outputs = sorted(set[int]().union(*results))
    all_columns = list(zip(*(copy.constants for copy in copies), strict=True))
    columns = list(dict.fromkeys(column for column in all_columns if len(set(column)) > 1))
    ops = [_constant(op, all_columns, columns) if op.name == "const" else op for op in copies[0].ops]
    pattern = Pattern(Body(name, ops, len(copies[0].inputs), tuple(outputs), []), columns)
    return {
        copy: Piece(pattern, list(copy.inputs), [indices.get(i) for i in outputs], [column[k] for column in columns])
        for k, (copy, indices) in enumerate(zip(copies, results, strict=True))
    }


def _constant(op: Op, all_columns: list[tuple[float, ...]], columns: list[tuple[float, ...]]) -> Op:
    """Return the operation of a constant: "const" if it is equal in all pieces of a pattern, else "piece_constant".

    all_columns: the values of every constant in all pieces; columns: distinct columns of constants that differ between
    pieces.
    """
    index: int = op.extra
    column = all_columns[index]
    return Op("piece_constant", (), columns.index(column)) if len(set(column)) > 1 else Op("const", (), column[0])


def _copied(body: Body, indices: range) -> _Copy:
    """Return a copy of operations; masks and constants are copied only where they are used."""
    copy = _Copy(body)
    for index in indices:
        if body.ops[index].name not in SHARED and body.ops[index].name not in MASKS:
            copy.add(index)
    return copy


def _allocated(pieces: list[Piece], driver: _Driver) -> SplitBody:
    """Allocate a memory slot for each value between pieces; a slot is reused after the last piece that reads it.

    The slots of values that the driver reads or writes are never reused.
    """
    slots = driver.slots | {index: len(driver.slots) + k for k, index in enumerate(driver.loaded)}
    last_use = {index: k for k, piece in enumerate(pieces) for index in piece.inputs if index not in slots}
    last_used_in: dict[int, list[int]] = {}
    for index, k in last_use.items():
        last_used_in.setdefault(k, []).append(index)
    free, size = list[int](), len(slots)
    for k, piece in enumerate(pieces):
        for index in (n for n in piece.outputs if n is not None and n not in slots):
            slots[index] = heappop(free) if free else size
            size = max(size, slots[index] + 1)
        for index in last_used_in.get(k, ()):
            heappush(free, slots[index])
    whole = driver.body
    body = Body(f"{whole.name} driver", driver.ops, whole.inputs, driver.outputs, whole.captured)
    return SplitBody(pieces, slots, size, len(driver.slots), body)

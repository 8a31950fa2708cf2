"""A long body is split into pieces. Pieces with the same operations on different values and constants share a pattern.

The inputs of a piece are values of earlier pieces, its outputs are values that later pieces use. Each use of a constant
counts as a separate constant, so that two links of one type share a pattern for any lengths and masses.
"""

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from gambol.lanes.bodies import MEMORY
from gambol.lanes.cpu.lower.signs import with_signed_factors
from gambol.lanes.ops import COMMUTATIVE, MASKS, Op
from gambol.lanes.trace import Body, is_array

MIN_SPLIT_OPERATIONS = 40_000
"""Number of operations above which a body with split points becomes a loop over its pieces. Very repetitive programs
then compile in less than half the time, others in about the same time; most run about 10 % slower
(docs/use/benchmarks.md)."""

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
    """A body as pieces, in order. slots: index of each stored value in a memory of `size` values."""

    pieces: list[Piece]
    slots: dict[int, int]
    size: int


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
    """Return True for a body that becomes a loop over its pieces: it has split points, is long, and uses no arrays."""
    is_long = bool(body.split_points) and sum(op.name != "part" for op in body.ops) > MIN_SPLIT_OPERATIONS
    uses_arrays = any(map(is_array, body.captured)) or any(op.name in MEMORY or op.name == "fori" for op in body.ops)
    return is_long and not uses_arrays


def split(body: Body) -> SplitBody:
    """Split a body at its split points into pieces; find their patterns, and allocate the memory between them."""
    boundaries = sorted({0, *body.split_points, len(body.ops)})
    body = with_signed_factors(body)
    copies = [_copied(body, a, b) for a, b in pairwise(boundaries)]
    needed = {index for copy in copies for index in copy.inputs} | set(body.outputs)
    groups: dict[Any, list[_Copy]] = {}
    for copy in copies:
        if copy.ops:
            groups.setdefault(copy.key, []).append(copy)
    pieces: dict[_Copy, Piece] = {}
    for group in groups.values():
        pieces |= _pieces_of_pattern(f"{body.name} piece", group, needed)
    return _allocated(body, [pieces[copy] for copy in copies if copy.ops])


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


def _copied(body: Body, start: int, stop: int) -> _Copy:
    """Return a copy of operations start to stop - 1; masks and constants are copied only where they are used."""
    copy = _Copy(body)
    for index in range(start, stop):
        if body.ops[index].name not in SHARED and body.ops[index].name not in MASKS:
            copy.add(index)
    return copy


def _allocated(body: Body, pieces: list[Piece]) -> SplitBody:
    """Allocate a memory slot for each value between pieces; a slot is reused after the last piece that reads it."""
    last_use = {index: k for k, piece in enumerate(pieces) for index in piece.inputs}
    last_use |= dict.fromkeys(body.outputs, len(pieces))
    inputs = [index for index, op in enumerate(body.ops) if op.name in ("input", "captured")]
    slots = {index: slot for slot, index in enumerate(inputs)}
    free: list[int] = []
    size = len(inputs)
    last_used_in: dict[int, list[int]] = {}
    for index, k in last_use.items():
        last_used_in.setdefault(k, []).append(index)
    for k, piece in enumerate(pieces):
        for index in (n for n in piece.outputs if n is not None):
            slots[index] = heappop(free) if free else size
            size = max(size, slots[index] + 1)
        for index in last_used_in.get(k, ()):
            heappush(free, slots[index])
    return SplitBody(pieces, slots, size)

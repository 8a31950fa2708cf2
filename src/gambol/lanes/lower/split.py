"""A long body split into pieces; pieces with the same operations on other values and numbers share one pattern.

The inputs of a piece are values of earlier pieces, its outputs are values used elsewhere. Each use of a constant counts
as a constant of its own, so that two links of one type share a pattern whatever their lengths and masses are.
"""

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from gambol.lanes.lower.signs import with_signed_factors
from gambol.lanes.ops import COMMUTATIVE, MASKS, Op
from gambol.lanes.trace import Body

MIN_SPLIT_OPERATIONS = 40_000
"""Number of operations above which a body with split points becomes a loop over its pieces. Repetitive programs then
compile in a third of the time, others in the same; they run some 10 % slower (docs/use/benchmarks.md)."""

SHARED = ("input", "captured", "const")
"""Operations outside of all pieces: a piece that uses their values takes them as inputs or constants."""


@dataclass(eq=False)
class Pattern:
    """The operations that equal pieces share.

    body: its inputs are values of other pieces, its outputs are used by others in some of the pieces; an operation
    "number" is a constant that differs between the pieces. columns: for each such number its values in all pieces.
    """

    body: Body
    columns: list[tuple[float, ...]]


@dataclass
class Piece:
    """One use of a pattern.

    inputs: a value of the whole body for each input; outputs: one for each output, None where it is not used.
    numbers: the piece's own constants.
    """

    pattern: Pattern
    inputs: list[int]
    outputs: list[int | None]
    numbers: list[float]


@dataclass
class SplitBody:
    """A body as pieces, in order. slots: the index of each value in a memory of `size` values."""

    pieces: list[Piece]
    slots: dict[int, int]
    size: int


class _Copy:
    """A copy of the operations of one piece, in terms of its own values, its inputs and its constants."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.ops: list[Op] = []
        self.local: dict[int, int] = {}
        self.inputs: dict[int, int] = {}
        self.constants: list[float] = []

    def add(self, number: int) -> int:
        """Copy the operation of this number in the body, with its operands; return its index in the copy."""
        op = self.body.ops[number]
        args = [self._operand(a) for a in op.args]
        self.local[number] = self._append(
            Op(op.name, tuple(sorted(args) if op.name in COMMUTATIVE else args), op.extra)
        )
        return self.local[number]

    def _operand(self, number: int) -> int:
        if number in self.local:
            return self.local[number]
        op = self.body.ops[number]
        if op.name == "const":
            self.constants.append(op.extra)
            return self._append(Op("const", (), len(self.constants) - 1))
        if op.name in MASKS:  # it is computed again, since the memory holds no masks
            return self.add(number)
        self.inputs[number] = len(self.inputs)
        self.local[number] = self._append(Op("input", (), self.inputs[number]))
        return self.local[number]

    def _append(self, op: Op) -> int:
        self.ops.append(op)
        return len(self.ops) - 1

    @property
    def key(self) -> tuple[Any, ...]:
        """The operations without the values of constants: equal for pieces of one pattern."""
        return tuple((op.name, op.args, op.extra) for op in self.ops)


def is_split(body: Body) -> bool:
    """True for a body that becomes a loop over its pieces: it has split points and is long."""
    return bool(body.split_points) and sum(op.name != "part" for op in body.ops) > MIN_SPLIT_OPERATIONS


def split(body: Body) -> SplitBody:
    """Split a body at its split points into pieces, with their patterns and the memory for values between them."""
    edges = sorted({0, *body.split_points, len(body.ops)})
    body = with_signed_factors(body)
    copies = [_copied(body, a, b) for a, b in pairwise(edges)]
    needed = {number for copy in copies for number in copy.inputs} | set(body.outputs)
    groups: dict[Any, list[_Copy]] = {}
    for copy in copies:
        if copy.ops:
            groups.setdefault(copy.key, []).append(copy)
    pieces: dict[_Copy, Piece] = {}
    for group in groups.values():
        pieces |= _pieces_of_pattern(f"{body.name} piece", group, needed)
    return _allocated(body, [pieces[copy] for copy in copies if copy.ops])


def _pieces_of_pattern(name: str, copies: list[_Copy], needed: set[int]) -> dict[_Copy, Piece]:
    """Return the pieces of copies with the same operations, which share a pattern. needed: values used elsewhere."""
    results = [{i: n for n, i in copy.local.items() if n in needed and n not in copy.inputs} for copy in copies]
    outputs = sorted(set[int]().union(*results))
    uses = list(zip(*(copy.constants for copy in copies), strict=True))
    columns = list(dict.fromkeys(use for use in uses if len(set(use)) > 1))
    ops = [_constant(op, uses, columns) if op.name == "const" else op for op in copies[0].ops]
    pattern = Pattern(Body(name, ops, len(copies[0].inputs), tuple(outputs), []), columns)
    return {
        copy: Piece(pattern, list(copy.inputs), [values.get(i) for i in outputs], [column[k] for column in columns])
        for k, (copy, values) in enumerate(zip(copies, results, strict=True))
    }


def _constant(op: Op, uses: list[tuple[float, ...]], columns: list[tuple[float, ...]]) -> Op:
    """Return the operation of a constant: "const" if all pieces of a pattern share it, else "number"."""
    index: int = op.extra
    use = uses[index]
    return Op("number", (), columns.index(use)) if len(set(use)) > 1 else Op("const", (), use[0])


def _copied(body: Body, start: int, stop: int) -> _Copy:
    copy = _Copy(body)
    for number in range(start, stop):
        if body.ops[number].name not in SHARED and body.ops[number].name not in MASKS:
            copy.add(number)
    return copy


def _allocated(body: Body, pieces: list[Piece]) -> SplitBody:
    """Allocate a memory slot for each value, which is free again after the last piece that uses it."""
    last = {number: k for k, piece in enumerate(pieces) for number in piece.inputs}
    last |= dict.fromkeys(body.outputs, len(pieces))
    inputs = [number for number, op in enumerate(body.ops) if op.name in ("input", "captured")]
    slots = {number: slot for slot, number in enumerate(inputs)}
    free: list[int] = []
    size = len(inputs)
    last_uses: dict[int, list[int]] = {}
    for number, k in last.items():
        last_uses.setdefault(k, []).append(number)
    for k, piece in enumerate(pieces):
        for number in (n for n in piece.outputs if n is not None):
            slots[number] = heappop(free) if free else size
            size = max(size, slots[number] + 1)
        for number in last_uses.get(k, ()):
            heappush(free, slots[number])
    return SplitBody(pieces, slots, size)

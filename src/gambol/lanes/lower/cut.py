"""A long body cut at its seams into pieces; those that do the same to other values and numbers are of one pattern.

A piece takes values that earlier ones made, and gives those that are used elsewhere. Its constants are counted use by
use, so that two links of one kind are of one pattern whatever their lengths and masses are.
"""

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from gambol.lanes.lower.signs import with_signs
from gambol.lanes.ops import COMMUTES, MASKS, Op
from gambol.lanes.trace import Body

GIVEN = ("input", "captured", "const")
"""Operations that belong to no piece: each piece takes what they give for itself."""


@dataclass(eq=False)
class Pattern:
    """What equal pieces do.

    body: its inputs are values made elsewhere, its outputs are used elsewhere by some of the pieces; an operation
    "number" is one of the piece's own numbers, of which there are as many as columns.
    """

    body: Body
    columns: list[tuple[float, ...]]


@dataclass
class Piece:
    """One run of a pattern.

    takes: a value of the whole body for each input; gives: one for each output, None where this piece's is not used.
    numbers: its own.
    """

    pattern: Pattern
    takes: list[int]
    gives: list[int | None]
    numbers: list[float]


@dataclass
class Cutting:
    """A body as pieces, in order. places: where each value lies in a memory of `size` values."""

    pieces: list[Piece]
    places: dict[int, int]
    size: int


class _Copy:
    """Operations of one piece in terms of its own values, of those taken from elsewhere and of constants."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.ops: list[Op] = []
        self.local: dict[int, int] = {}
        self.taken: dict[int, int] = {}
        self.constants: list[float] = []

    def add(self, number: int) -> int:
        """The operation of this number in the body, with what it needs."""
        op = self.body.ops[number]
        args = [self._found(a) for a in op.args]
        self.local[number] = self._append(Op(op.name, tuple(sorted(args) if op.name in COMMUTES else args), op.extra))
        return self.local[number]

    def _found(self, number: int) -> int:
        if number in self.local:
            return self.local[number]
        op = self.body.ops[number]
        if op.name == "const":
            self.constants.append(op.extra)
            return self._append(Op("const", (), len(self.constants) - 1))
        if op.name in MASKS:  # is made again, since memory holds no masks
            return self.add(number)
        self.taken[number] = len(self.taken)
        self.local[number] = self._append(Op("input", (), self.taken[number]))
        return self.local[number]

    def _append(self, op: Op) -> int:
        self.ops.append(op)
        return len(self.ops) - 1

    @property
    def key(self) -> tuple[Any, ...]:
        """What pieces of one pattern have in common."""
        return tuple((op.name, op.args, op.extra) for op in self.ops)


def cut(body: Body) -> Cutting:
    """The pieces of a body between its seams, the patterns among them, and memory for what passes between them."""
    edges = sorted({0, *body.seams, len(body.ops)})
    body = with_signs(body)
    copies = [_copied(body, a, b) for a, b in pairwise(edges)]
    wanted = {number for copy in copies for number in copy.taken} | set(body.outputs)
    alike: dict[Any, list[_Copy]] = {}
    for copy in copies:
        if copy.ops:
            alike.setdefault(copy.key, []).append(copy)
    pieces: dict[_Copy, Piece] = {}
    for copies_of_one in alike.values():
        pieces |= _of_one_pattern(f"{body.name} piece", copies_of_one, wanted)
    return _placed(body, [pieces[copy] for copy in copies if copy.ops])


def _of_one_pattern(name: str, copies: list[_Copy], wanted: set[int]) -> dict[_Copy, Piece]:
    """The pieces of copies that do the same."""
    gives = [{i: n for n, i in copy.local.items() if n in wanted and n not in copy.taken} for copy in copies]
    outputs = sorted(set[int]().union(*gives))
    uses = list(zip(*(copy.constants for copy in copies), strict=True))
    columns = list(dict.fromkeys(use for use in uses if len(set(use)) > 1))
    ops = [_constant(op, uses, columns) if op.name == "const" else op for op in copies[0].ops]
    pattern = Pattern(Body(name, ops, len(copies[0].taken), tuple(outputs), []), columns)
    return {
        copy: Piece(pattern, list(copy.taken), [given.get(i) for i in outputs], [column[k] for column in columns])
        for k, (copy, given) in enumerate(zip(copies, gives, strict=True))
    }


def _constant(op: Op, uses: list[tuple[float, ...]], columns: list[tuple[float, ...]]) -> Op:
    """A constant that all pieces of a pattern share, or the one of their own."""
    place: int = op.extra
    use = uses[place]
    return Op("number", (), columns.index(use)) if len(set(use)) > 1 else Op("const", (), use[0])


def _copied(body: Body, start: int, stop: int) -> _Copy:
    copy = _Copy(body)
    for number in range(start, stop):
        if body.ops[number].name not in GIVEN and body.ops[number].name not in MASKS:
            copy.add(number)
    return copy


def _placed(body: Body, pieces: list[Piece]) -> Cutting:
    """Give each value a place, which is free again after the last piece that takes it."""
    last = {number: turn for turn, piece in enumerate(pieces) for number in piece.takes}
    last |= dict.fromkeys(body.outputs, len(pieces))
    given = [number for number, op in enumerate(body.ops) if op.name in ("input", "captured")]
    places = {number: place for place, number in enumerate(given)}
    free: list[int] = []
    size = len(given)
    ending: dict[int, list[int]] = {}
    for number, turn in last.items():
        ending.setdefault(turn, []).append(number)
    for turn, piece in enumerate(pieces):
        for number in (n for n in piece.gives if n is not None):
            places[number] = heappop(free) if free else size
            size = max(size, places[number] + 1)
        for number in ending.get(turn, ()):
            heappush(free, places[number])
    return Cutting(pieces, places, size)

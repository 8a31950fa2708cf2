"""Packs: alike operations of alike pieces of a program, such as the legs of a figure.

    f(a_0, b_0), f(a_1, b_1), .. are a pack if a_0, a_1, .. are alike, and b_0, b_1, .. are alike, equal, or constants

If there are no such operations, b_0, b_1, .. may be any values. Results of a pack are alike. The first alike values are
declared by a formula (declare_alike()).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gambol.lanes.bodies import CONTROL
from gambol.lanes.ops import COMMUTATIVE, MASKS, Op
from gambol.lanes.trace import Body, is_array

UNPACKED = frozenset({"input", "captured", "const", "undefined", "always", "array", "view", "load", "store"})
"""Operations that belong to no pack and no repeat: they have another meaning in another body."""

SYMMETRIC = COMMUTATIVE | {"fma", "fms", "fnma"}
"""Operations whose first two operands may be exchanged."""

MIN_PIECES = 3
"""Least number of alike pieces."""

MAX_OPERANDS = 16
"""Most operands of an operation in a pack or a repeat; loops have hundreds."""

Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Pack:
    """Alike operations.

    members: the operation of each piece, by piece. columns: for each operand the values of all pieces, in the order of
    members. pieces: the pieces.
    """

    members: dict[int, int]
    columns: tuple[tuple[int, ...], ...]
    pieces: tuple[int, ...]


class Packs:
    """The packs of a body's operations.

    ops: operations. users: indices of the operations that use each one. candidates: operations that may be in a pack.
    packs: all packs, None for one that was dissolved; pack_of: the pack of each operation. values: values that are
    alike, by piece; value_of: the index of a value among them, and its piece.
    """

    def __init__(self, body: Body) -> None:
        self.ops: Sequence[Op] = body.ops
        self.users: list[list[int]] = [[] for _ in body.ops]
        for i, op in enumerate(body.ops):
            for a in dict.fromkeys(op.args):
                self.users[a].append(i)
        arrays = arrays_of(body)
        self.candidates = [i for i, op in enumerate(body.ops) if can_be_grouped(op, arrays)]
        self.packs: list[Pack | None] = []
        self.pack_of: dict[int, int] = {}
        self.values: list[dict[int, int]] = []
        self.value_of: dict[int, tuple[int, int]] = {}
        self._dependence = _dependence(body)
        self._keys: dict[int, dict[tuple[int, bool], Key]] = {}  # known keys of operations, see _key()

    @staticmethod
    def of(body: Body) -> "Packs":
        """Return the packs that follow from the alike values of a body."""
        packs = Packs(body)
        groups = [group for group in body.alike if len(group) >= MIN_PIECES]
        for group in groups:
            packs.add_values(dict(enumerate(group)))
        for count in sorted({len(group) for group in groups}):
            sides = range(0, count, 2), range(1, count, 2)  # left and right limbs come in turn
            for pieces in (range(count), *(sides if count >= 2 * MIN_PIECES else ())):
                while packs.extend(pieces, count):
                    pass
        return packs

    def add_values(self, members: dict[int, int]) -> None:
        """Add values that are alike, unless one of them is known."""
        if any(i in self.value_of for i in members.values()) or len(set(members.values())) < len(members):
            return
        for piece, i in members.items():
            self.value_of[i] = len(self.values), piece
            for u in self.users[i]:
                self._keys.pop(u, None)
        self.values.append(members)

    def extend(self, pieces: Sequence[int], count: int) -> int:
        """Add packs of operations on alike values of some of `count` pieces; return their number."""
        before = len(self.packs)
        for i in self.candidates:
            if i in self.pack_of:
                continue
            alike = [a for a in dict.fromkeys(self.ops[i].args) if self.value_of.get(a, (0, -1))[1] == pieces[0]]
            anchors = [x for a in alike if max(x := self.values[self.value_of[a][0]]) < count]
            for loose, x in ((loose, x) for loose in (False, True) for x in anchors):
                if self._pack_users(i, x, pieces, loose):
                    break
        return len(self.packs) - before

    def _pack_users(self, i: int, anchors: dict[int, int], pieces: Sequence[int], loose: bool) -> bool:
        """Pack an operation with those of other pieces that use the same value; return False if there are none."""
        if not all(piece in anchors for piece in pieces):
            return False
        key = self._key(i, pieces[0], loose)
        found = [[u for u in self.users[anchors[piece]] if self._is_alike(u, i, piece, key, loose)] for piece in pieces]
        if any(len(users) != len(found[0]) for users in found):
            return False
        n = found[0].index(i)
        members = {piece: users[n] for piece, users in zip(pieces, found, strict=True)}
        if len(set(members.values())) < len(members):
            return False
        rows = [self._operands(u, piece, loose) for piece, u in members.items()]
        columns = tuple(zip(*rows, strict=True))
        if not all(map(self._is_column, columns)):
            return False
        for u in members.values():
            self.pack_of[u] = len(self.packs)
        self.packs.append(Pack(members, columns, tuple(pieces)))
        self.add_values(members)
        if len(pieces) == len(anchors):
            self._add_operands(members, columns)
        return True

    def _add_operands(self, members: dict[int, int], columns: Sequence[Sequence[int]]) -> None:
        """Add operands of alike operations as alike, if each depends on its own piece only."""
        for column in columns:
            if all(self._dependence[a] == 1 << piece for piece, a in zip(members, column, strict=True)):
                self.add_values(dict(zip(members, column, strict=True)))

    def _is_column(self, column: Sequence[int]) -> bool:
        """Return True if the values of all pieces can be an operand: masks must be computed in each loop again."""
        names = {self.ops[i].name for i in column}
        if not names & MASKS:
            return True
        if len(names) > 1 or any(self.ops[i].extra != self.ops[column[0]].extra for i in column):
            return False
        return all(map(self._is_column, zip(*(self.ops[i].args for i in column), strict=True)))

    def _is_alike(self, u: int, i: int, piece: int, key: Key, loose: bool) -> bool:
        return u not in self.pack_of and self.ops[u].name == self.ops[i].name and self._key(u, piece, loose) == key

    def _operands(self, i: int, piece: int, loose: bool) -> list[int]:
        """Return the operands of an operation; those that may be exchanged are in the order of their keys."""
        op = self.ops[i]
        args = list(op.args)
        if op.name in SYMMETRIC:
            args[:2] = sorted(args[:2], key=lambda a: self._operand_key(a, piece, loose))
        return args

    def _key(self, i: int, piece: int, loose: bool) -> Key:
        """Return what alike operations have in common. loose: True for operands from anywhere."""
        keys = self._keys.setdefault(i, {})
        if (piece, loose) not in keys:
            op = self.ops[i]
            extra = id(op.extra) if op.name in CONTROL else repr(op.extra)
            operands = tuple(self._operand_key(a, piece, loose) for a in self._operands(i, piece, loose))
            keys[piece, loose] = op.name, extra, operands
        return keys[piece, loose]

    def _operand_key(self, a: int, piece: int, loose: bool) -> tuple[str, int]:
        value, own_piece = self.value_of.get(a, (-1, -1))
        if value >= 0 and own_piece == piece:
            return "alike", value
        if self.ops[a].name == "const":
            return "constant", 0
        return ("any", 0) if loose else ("one", a)

    def dissolve(self, number: int) -> None:
        """Let the operations of a pack be on their own; their values stay alike."""
        pack = self.packs[number]
        if pack is not None:
            for i in pack.members.values():
                del self.pack_of[i]
        self.packs[number] = None

    def live(self) -> list[tuple[int, Pack]]:
        """Return the packs that are not dissolved, by number."""
        return [(n, pack) for n, pack in enumerate(self.packs) if pack is not None]


def can_be_grouped(op: Op, arrays: set[int]) -> bool:
    """Return True for an operation that may belong to a pack or a repeat. arrays: operations with arrays as results."""
    return op.name not in UNPACKED and len(op.args) <= MAX_OPERANDS and arrays.isdisjoint(op.args)


def arrays_of(body: Body) -> set[int]:
    """Return the operations of a body whose results are arrays."""
    return {
        i
        for i, op in enumerate(body.ops)
        if op.name in ("array", "view") or (op.name == "captured" and is_array(body.captured[op.extra]))
    }


def _dependence(body: Body) -> list[int]:
    """Return for each operation the pieces on whose alike values it depends, as bits."""
    known = {i: 1 << piece if len(group) > 1 else 0 for group in body.alike for piece, i in enumerate(group)}
    result: list[int] = []
    for i, op in enumerate(body.ops):
        bits = 0
        for a in op.args:
            bits |= result[a]
        result.append(known.get(i, bits))
    return result

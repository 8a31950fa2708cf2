"""Packs: alike operations of alike pieces of a program, such as the legs of a figure.

    f(a_0, b_0), f(a_1, b_1), .. are a pack if a_0, a_1, .. are results of a pack, and b_0, b_1, .. are, too, or are one
    value, or constants; or, if this is not so for operations that only differ in where b_0, b_1, .. come from.

The first packs are values that a formula declares as alike (trace.declare_alike).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gambol.lanes.bodies import CONTROL
from gambol.lanes.ops import COMMUTATIVE, MASKS, Op

UNPACKED = frozenset({"input", "captured", "const", "undefined", "always", "array", "view", "load", "store"})
"""Operations that belong to no pack."""

SYMMETRIC = COMMUTATIVE | {"fma", "fms", "fnma"}
"""Operations whose first two operands may be exchanged."""

Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Pack:
    """Alike operations. members: the operation of each piece, by piece. columns: for each operand the values of all
    pieces, in the order of members.
    """

    members: dict[int, int]
    columns: tuple[tuple[int, ...], ...]

    @property
    def lanes(self) -> tuple[int, ...]:
        """The pieces."""
        return tuple(self.members)


@dataclass
class Packs:
    """The packs of a body's operations.

    ops: operations. users: indices of the operations that use each one. packs: all packs, None for one that was
    dissolved; pack_of: the pack of each operation. values: values that are alike, by piece; value_of: the index of a
    value among them, and its piece.
    """

    ops: Sequence[Op]
    users: list[list[int]]
    pieces: list[int]
    count: int = 0
    packs: list[Pack | None] = field(default_factory=list[Pack | None])
    pack_of: dict[int, int] = field(default_factory=dict[int, int])
    values: list[dict[int, int]] = field(default_factory=list[dict[int, int]])
    value_of: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])

    @staticmethod
    def of(ops: Sequence[Op], alike: Sequence[Sequence[int]], shared: Sequence[int]) -> "Packs":
        """Return the packs that follow from alike values; alike: the indices of each value, by piece."""
        users: list[list[int]] = [[] for _ in ops]
        for i, op in enumerate(ops):
            for a in dict.fromkeys(op.args):
                users[a].append(i)
        packs = Packs(ops, users, _pieces(ops, alike, shared))
        if not alike:
            return packs
        for group in alike:
            packs.add_values(dict(enumerate(group)))
        count = packs.count = max(map(len, alike))
        for lanes in (range(count), *((range(0, count, 2), range(1, count, 2)) if count >= 6 else ())):
            while packs.extend(lanes):
                pass
        return packs

    def add_values(self, members: dict[int, int]) -> None:
        """Add values that are alike, unless one of them is known."""
        if any(i in self.value_of for i in members.values()) or len(set(members.values())) < len(members):
            return
        for lane, i in members.items():
            self.value_of[i] = len(self.values), lane
        self.values.append(members)

    def extend(self, lanes: Sequence[int]) -> int:
        """Add packs of operations on alike values of some pieces; return their number."""
        before = len(self.packs)
        for i, op in enumerate(self.ops):
            if op.name in UNPACKED or i in self.pack_of:
                continue
            anchors = [a for a in dict.fromkeys(op.args) if self.value_of.get(a, (0, -1))[1] == lanes[0]]
            for loose, a in ((loose, a) for loose in (False, True) for a in anchors):
                if self._pack_users(i, self.values[self.value_of[a][0]], lanes, loose):
                    break
        return len(self.packs) - before

    def _pack_users(self, i: int, anchors: dict[int, int], lanes: Sequence[int], loose: bool) -> bool:
        """Pack an operation with those of other pieces that use the same value; return False if there are none."""
        if not all(lane in anchors for lane in lanes):
            return False
        key = self._key(i, lanes[0], loose)
        found = [[u for u in self.users[anchors[lane]] if self._is_alike(u, i, lane, key, loose)] for lane in lanes]
        if any(len(users) != len(found[0]) for users in found):
            return False
        n = found[0].index(i)
        members = {lane: users[n] for lane, users in zip(lanes, found, strict=True)}
        if len(set(members.values())) < len(members):
            return False
        rows = [self._operands(u, lane, loose) for lane, u in members.items()]
        columns = tuple(zip(*rows, strict=True))
        if not all(map(self._is_column, columns)):
            return False
        for u in members.values():
            self.pack_of[u] = len(self.packs)
        self.packs.append(Pack(members, columns))
        self.add_values(members)
        if len(lanes) == len(anchors):
            for column in columns:
                if all(self.pieces[a] == 1 << lane for lane, a in zip(members, column, strict=True)):
                    self.add_values(dict(zip(members, column, strict=True)))
        return True

    def _is_column(self, column: Sequence[int]) -> bool:
        """Return True if the values of all pieces can be an operand: masks must be computed in each loop again."""
        names = {self.ops[i].name for i in column}
        if not names & MASKS:
            return not names & {"array", "view"}
        if len(names) > 1 or any(self.ops[i].extra != self.ops[column[0]].extra for i in column):
            return False
        return all(map(self._is_column, zip(*(self.ops[i].args for i in column), strict=True)))

    def _is_alike(self, u: int, i: int, lane: int, key: Key, loose: bool) -> bool:
        return u not in self.pack_of and self.ops[u].name == self.ops[i].name and self._key(u, lane, loose) == key

    def _operands(self, i: int, lane: int, loose: bool) -> list[int]:
        """Return the operands of an operation; those that may be exchanged are in the order of their keys."""
        op = self.ops[i]
        args = list(op.args)
        if op.name in SYMMETRIC:
            args[:2] = sorted(args[:2], key=lambda a: self._operand_key(a, lane, loose))
        return args

    def _key(self, i: int, lane: int, loose: bool) -> Key:
        """Return what alike operations have in common. loose: True for operands from anywhere."""
        op = self.ops[i]
        extra = id(op.extra) if op.name in CONTROL else repr(op.extra)
        return op.name, extra, tuple(self._operand_key(a, lane, loose) for a in self._operands(i, lane, loose))

    def _operand_key(self, a: int, lane: int, loose: bool) -> tuple[str, int]:
        value, piece = self.value_of.get(a, (-1, -1))
        if value >= 0 and piece == lane:
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


def _pieces(ops: Sequence[Op], alike: Sequence[Sequence[int]], shared: Sequence[int]) -> list[int]:
    """Return for each operation the pieces on whose alike values it depends, as bits."""
    known = {i: 1 << lane for group in alike for lane, i in enumerate(group)} | dict.fromkeys(shared, 0)
    result: list[int] = []
    for i, op in enumerate(ops):
        bits = 0
        for a in op.args:
            bits |= result[a]
        result.append(known.get(i, bits))
    return result

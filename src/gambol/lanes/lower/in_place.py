"""In-place carry: a state that stays in the same memory through a chain of branches, each of which may change it.

    state = when(a, f, state, x, otherwise=state)
    state = when(b, f, state, y, otherwise=state)

If nothing else reads the state in between, a branch whose condition is False in all lanes copies nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from gambol.lanes.ops import Op
from gambol.lanes.trace import Body


@dataclass(frozen=True, slots=True)
class InPlaceCarry:
    """The chain of whens that share a state's memory. first, last: numbers of its first and last operation."""

    first: int
    last: int


def in_place_carries(body: Body) -> dict[int, InPlaceCarry]:
    """Return the chain of each `when` of a body that gets its state from another or passes it to one, by number."""
    successor: dict[int, int] = {}
    users = _users(body)
    for number, op in enumerate(body.ops):
        if _is_identity_elsewhere(op) and (after := _successor(body, users, number)) is not None:
            successor[number] = after
    return _chains(successor)


def _chains(successor: Mapping[int, int]) -> dict[int, InPlaceCarry]:
    """Return the chain of each member, from the successor of each."""
    chains: dict[int, InPlaceCarry] = {}
    for first in sorted(set(successor) - set(successor.values())):
        members = [first]
        while members[-1] in successor:
            members.append(successor[members[-1]])
        chains |= dict.fromkeys(members, InPlaceCarry(first, members[-1]))
    return chains


def _is_identity_elsewhere(op: Op) -> bool:
    """True for a `when` that returns its first arguments in lanes where the condition is False."""
    if op.name != "when":
        return False
    count = len(cast("Body", op.extra).outputs)
    return op.args[1 : 1 + count] == op.args[1 + count : 1 + 2 * count]


def _users(body: Body) -> dict[int, list[tuple[int, int]]]:
    """Return the users of each value: (operation, index of the argument); operation -1 is an output of the body."""
    users: dict[int, list[tuple[int, int]]] = {}
    for number, op in enumerate(body.ops):
        for index, arg in enumerate(op.args):
            users.setdefault(arg, []).append((number, index))
    for arg in body.outputs:
        users.setdefault(arg, []).append((-1, 0))
    return users


def _successor(body: Body, users: Mapping[int, list[tuple[int, int]]], number: int) -> int | None:
    """Return the `when` of the same function that is the only user of the results of this one, as its state."""
    op = body.ops[number]
    count, after = len(cast("Body", op.extra).outputs), -1
    parts = users.get(number, [])
    if not count or len(parts) != count:
        return None
    for part, _ in parts:
        k = cast("int", body.ops[part].extra)
        uses = users.get(part, [])
        after = uses[0][0] if uses else -1
        if after < 0 or uses != [(after, 1 + k), (after, 1 + count + k)] or body.ops[after].extra is not op.extra:
            return None
    return after if _is_identity_elsewhere(body.ops[after]) else None

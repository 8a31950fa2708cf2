"""In-place carry: a state that stays in the same memory through a chain of branches, each of which may change it.

    state = when(a, f, state, x, otherwise=state)
    state = when(b, f, state, y, otherwise=state)

If no other operation reads the state in between, a branch with a condition that is False in all lanes does not copy it.
The same holds for the carry of a scan that one branch may change.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from gambol.lanes.ops import Op
from gambol.lanes.trace import Body


@dataclass(frozen=True, slots=True)
class InPlaceCarry:
    """A chain of whens with a state that stays in the same memory.

    first, last: indices of its first and last operation.
    """

    first: int
    last: int


def in_place_carries(body: Body) -> dict[int, InPlaceCarry]:
    """Return the chain of each `when` that belongs to one, by index of the operation."""
    candidates = [index for index, op in enumerate(body.ops) if _is_identity_elsewhere(op)]
    if not candidates:
        return {}
    users = _users(body)
    following = {index: _successor(body, users, index) for index in candidates}
    return _chains({index: next_when for index, next_when in following.items() if next_when is not None})


def _chains(successor: Mapping[int, int]) -> dict[int, InPlaceCarry]:
    """Return the chain of each member. successor: the next member of each member but the last."""
    chains: dict[int, InPlaceCarry] = {}
    for first in sorted(set(successor) - set(successor.values())):
        members = [first]
        while members[-1] in successor:
            members.append(successor[members[-1]])
        chains |= dict.fromkeys(members, InPlaceCarry(first, members[-1]))
    return chains


def _is_identity_elsewhere(op: Op) -> bool:
    """Return True for a `when` that returns its first arguments unchanged in lanes where the condition is False.

    False for a rare branch, whose lanes may wait.
    """
    if op.name != "when" or cast("Body", op.extra).rarity:
        return False
    count = len(cast("Body", op.extra).outputs)
    return op.args[1 : 1 + count] == op.args[1 + count : 1 + 2 * count]


def _users(body: Body) -> dict[int, list[tuple[int, int]]]:
    """Return the users of each value as (operation, index of the argument); operation -1 is an output of the body."""
    users: dict[int, list[tuple[int, int]]] = {}
    for index, op in enumerate(body.ops):
        for position, arg in enumerate(op.args):
            users.setdefault(arg, []).append((index, position))
    for arg in body.outputs:
        users.setdefault(arg, []).append((-1, 0))
    return users


def _successor(body: Body, users: Mapping[int, list[tuple[int, int]]], index: int) -> int | None:
    """Return the index of the next `when` of a chain; None if there is none.

    It has the same body, and is the only user of the results, which are its state. index: index of a `when`.
    """
    op = body.ops[index]
    count, successor = len(cast("Body", op.extra).outputs), -1
    parts = users.get(index, [])
    if not count or len(parts) != count:
        return None
    for part, _ in parts:
        k = cast("int", body.ops[part].extra)
        uses = users.get(part, [])
        successor = uses[0][0] if uses else -1
        if (
            successor < 0
            or uses != [(successor, 1 + k), (successor, 1 + count + k)]
            or body.ops[successor].extra is not op.extra
        ):
            return None
    return successor if _is_identity_elsewhere(body.ops[successor]) else None


def values_in_place(body: Body, carried: int) -> set[int]:
    """Return the carried values that need no copy at the end of a body: unchanged, or changed in place by a branch."""
    by_branches = {n for places in branches_in_place(body, carried).values() for n in places.values()}
    return by_branches | {n for n in range(carried) if _is_input(body, body.outputs[n], n)}


def branches_in_place(body: Body, carried: int) -> dict[int, dict[int, int]]:
    """Return the branches that may change carried values in place: for each, the carried value of each result.

    All results of such a branch are outputs of the body. Where its condition is False, they are the carried values as
    they were, which no other operation reads.
    """
    candidates = [
        (index, op) for index, op in enumerate(body.ops) if op.name == "when" and not cast("Body", op.extra).rarity
    ]
    if not candidates:
        return {}
    users: dict[int, set[int]] = {}
    for index, op in enumerate(body.ops):
        for a in op.args:
            users.setdefault(a, set()).add(index)
    outputs = {index: n for n, index in enumerate(body.outputs)}
    found: dict[int, dict[int, int]] = {}
    for index, op in candidates:
        parts = {cast("int", body.ops[part].extra): part for part in users.get(index, ())}
        places = {k: outputs.get(part, carried) for k, part in parts.items()}  # from `carried` on: not a carried value
        if all(
            n < carried
            and not users.get(parts[k])
            and body.outputs.count(parts[k]) == 1
            and _is_input(body, op.args[1 + k], n)
            and users[op.args[1 + k]] == {index}
            and op.args[1 + k] not in body.outputs
            for k, n in places.items()
        ):
            found[index] = places
    return found


def _is_input(body: Body, index: int, input_index: int) -> bool:
    """Return True if an operation is the input with this index."""
    return body.ops[index].name == "input" and body.ops[index].extra == input_index

"""State handed on from branch to branch: one that stays in memory while whens in a row may change it.

    state = when(a, f, state, x, otherwise=state)
    state = when(b, f, state, y, otherwise=state)

Where nothing else looks at the state in between, no value of it is moved where no lane needs the work.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from gambol.lanes.ops import Op
from gambol.lanes.trace import Body


@dataclass(frozen=True, slots=True)
class Handing:
    """A `when` among those that hand a state on. first: number of the first of them; last: of the last."""

    first: int
    last: int


def handings(body: Body) -> dict[int, Handing]:
    """The whens of a body, by number, that take a state from another or hand it on."""
    follower: dict[int, int] = {}
    users = _users(body)
    for number, op in enumerate(body.ops):
        if _keeps(op) and (to := _handed_to(body, users, number)) is not None:
            follower[number] = to
    return _in_rows(follower)


def _in_rows(follower: Mapping[int, int]) -> dict[int, Handing]:
    """Each member of each row, from what follows each."""
    found: dict[int, Handing] = {}
    for first in sorted(set(follower) - set(follower.values())):
        row = [first]
        while row[-1] in follower:
            row.append(follower[row[-1]])
        found |= dict.fromkeys(row, Handing(first, row[-1]))
    return found


def _keeps(op: Op) -> bool:
    """Whether an operation is a `when` that gives its first arguments back where it does nothing."""
    if op.name != "when":
        return False
    count = len(cast("Body", op.extra).outputs)
    return op.args[1 : 1 + count] == op.args[1 + count : 1 + 2 * count]


def _users(body: Body) -> dict[int, list[tuple[int, int]]]:
    """By which operations, and in which of their places, each value is used; -1 gives it out."""
    users: dict[int, list[tuple[int, int]]] = {}
    for number, op in enumerate(body.ops):
        for place, arg in enumerate(op.args):
            users.setdefault(arg, []).append((number, place))
    for arg in body.outputs:
        users.setdefault(arg, []).append((-1, 0))
    return users


def _handed_to(body: Body, users: Mapping[int, list[tuple[int, int]]], number: int) -> int | None:
    """The `when` of the same function that takes all results of one, and all that takes any."""
    op = body.ops[number]
    count, to = len(cast("Body", op.extra).outputs), -1
    parts = users.get(number, [])
    if not count or len(parts) != count:
        return None
    for part, _ in parts:
        k = cast("int", body.ops[part].extra)
        taken = users.get(part, [])
        to = taken[0][0] if taken else -1
        if to < 0 or taken != [(to, 1 + k), (to, 1 + count + k)] or body.ops[to].extra is not op.extra:
            return None
    return to if _keeps(body.ops[to]) else None

"""The order of a body's operations: one in which few values are alive at a time, since each vector is a line of cache.

A formula computes the poses of all links, then their velocities, and so on, so that most values wait for long in the
stack. Each operation is therefore moved to its first use, operands before it, and before what has no other use for
them: an operation that is the last user of two values or more follows its operands at once, as it leaves fewer values.
Operations that run bodies or work on arrays keep their order. Results do not change: operands are the same.
"""

from collections.abc import Sequence

from gambol.lanes.bodies import CONTROL, MEMORY
from gambol.lanes.ops import MASKS
from gambol.lanes.trace import Body

FIXED = CONTROL | MEMORY
"""Operations that stay in order."""

IN_NO_VECTOR = FIXED | MASKS | {"input", "captured", "const", "undefined"}
"""Operations whose results need no vector register while they wait: they are in memory, constants or masks."""


def order_of(body: Body) -> list[int]:
    """Return the indices of a body's operations in the order in which they are computed; those without use are left
    out.
    """
    return _last_users_early(body, _by_first_use(body))


def _by_first_use(body: Body) -> list[int]:
    """Return the indices of a body's operations, each just before the first one that uses it."""
    ops, done, order = body.ops, bytearray(len(body.ops)), list[int]()
    roots = [index for index, op in enumerate(ops) if op.name in FIXED]
    for root in (*roots, *body.outputs):
        waiting = [root]
        while waiting:
            index = waiting[-1]
            missing = [] if done[index] else [a for a in ops[index].args if not done[a]]
            if missing:
                waiting += sorted(missing, reverse=True)
                continue
            waiting.pop()
            if not done[index]:
                done[index] = True
                order.append(index)
    return order


def _last_users_early(body: Body, order: Sequence[int]) -> list[int]:
    """Return an order in which the last user of two values or more follows its operands at once."""
    ops, result = body.ops, list[int]()
    operands = {index: set(ops[index].args) for index in order}
    users, sums = [0] * len(ops), [0] * len(ops)  # the number of users that are left, and the sum of their indices
    for index in order:
        for a in operands[index]:
            users[a], sums[a] = users[a] + 1, sums[a] + index
    for index in body.outputs:
        users[index] += 2  # it is never without use
    done, ending = bytearray(len(ops)), [0] * len(ops)
    for first in order:
        ready = [first]
        while ready:
            index = ready.pop()
            if done[index]:
                continue
            done[index] = True
            result.append(index)
            for a in operands[index]:
                users[a], sums[a] = users[a] - 1, sums[a] - index
            for a in (*operands[index], index):
                if users[a] == 1 and ops[a].name not in IN_NO_VECTOR:
                    user = sums[a]
                    ending[user] += 1
                    if ending[user] > 1 and ops[user].name not in FIXED and all(done[b] for b in operands[user]):
                        ready.append(user)
    return result

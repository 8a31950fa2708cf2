"""The bodies that operations run, and the arrays that operations change."""

from typing import Any, cast

from gambol.lanes.ops import Op
from gambol.lanes.trace import Body, Value

CONTROL = frozenset({"call", "when", "loop", "scan", "fori"})
"""Operations that run bodies."""

MEMORY = frozenset({"array", "view", "load", "store"})
"""Operations on arrays, see arrays.py."""


def bodies_of(op: Op) -> tuple[Body, ...]:
    """Return the bodies that an operation runs, the last of which gives its results; none if it is not in CONTROL."""
    if op.name not in CONTROL:
        return ()
    extra: Any = op.extra.body if op.name == "scan" else op.extra
    items = cast("tuple[Any, ...]", extra if isinstance(extra, tuple) else (extra,))
    return tuple(x for x in items if isinstance(x, Body))


def changes_arrays(op: Op) -> bool:
    """Return True for an operation that changes an array, or runs a body that does."""
    return op.name == "store" or any(body.stores for body in bodies_of(op))


def changed_captures(body: Body) -> set[tuple[int, int]]:
    """Return the captured arrays that a body changes, by trace and index."""
    changed: set[tuple[int, int]] = set()
    for op in body.ops:
        if op.name == "store":
            array = body.ops[op.args[0]]
            changed |= {_key(captured(body, array))} if array.name == "captured" else set()
        for inner in bodies_of(op):
            changed |= changed_captures(inner) if inner.stores else set()
    return changed & set(map(_key, body.captured))


def _key(value: Value) -> tuple[int, int]:
    return id(value.trace), value.id


def captured(body: Body, op: Op) -> Value:
    """Return the value of an operation "captured" of a body."""
    number: int = op.extra
    return body.captured[number]

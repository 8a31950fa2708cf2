"""The bodies that operations run, and the arrays that operations change."""

from typing import Any, cast

from gambol.lanes.ops import Op
from gambol.lanes.trace import Body

CONTROL = frozenset({"call", "when", "loop", "scan", "fori"})
"""Operations that run bodies."""

MEMORY = frozenset({"array", "view", "load", "store"})
"""Operations on arrays, see arrays.py."""


def bodies_of(op: Op) -> tuple[Body, ...]:
    """Return the bodies that an operation runs, last the one that gives its results; none if it is not in CONTROL."""
    if op.name not in CONTROL:
        return ()
    extra: Any = op.extra.body if op.name == "scan" else op.extra
    items = cast("tuple[Any, ...]", extra if isinstance(extra, tuple) else (extra,))
    return tuple(x for x in items if isinstance(x, Body))


def changes_arrays(op: Op) -> bool:
    """Return True for an operation that changes an array, or runs a body that does."""
    return op.name == "store" or any(body.stores for body in bodies_of(op))

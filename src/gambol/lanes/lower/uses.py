"""What a body uses: operations and their results, its inputs, and other bodies."""

from collections import Counter
from typing import Any, cast

from gambol.lanes.ops import Op
from gambol.lanes.trace import Body


def parts_used(body: Body) -> dict[int, list[int]]:
    """Which results of each operation that has several are used."""
    used: dict[int, list[int]] = {}
    for op in body.ops:
        if op.name == "part":
            used.setdefault(op.args[0], []).append(op.extra)
    return used


def inputs_used(body: Body) -> list[int]:
    """The numbers of the inputs that a body uses."""
    return sorted({op.extra for op in body.ops if op.name == "input"})


def run_once(body: Body) -> set[int]:
    """The bodies, by id, of the whens and loops of a body that nothing else in it runs."""
    runs = Counter(id(_runs(op)) for op in body.ops if op.name in ("call", "when", "loop"))
    return {id(_runs(op)) for op in body.ops if op.name in ("when", "loop") and runs[id(_runs(op))] == 1}


def _runs(op: Op) -> Body:
    """What a call, a branch or a loop runs."""
    return op.extra[1] if op.name == "loop" else op.extra


def operations(body: Body) -> int:
    """How many operations a body and all bodies that it calls have, each counted once."""
    seen: dict[int, int] = {}

    def count(b: Body) -> None:
        if id(b) in seen:
            return
        seen[id(b)] = sum(op.name not in ("input", "captured", "const", "anything", "part") for op in b.ops)
        for op in b.ops:
            inner = cast("tuple[Any, ...]", op.extra) if op.name == "loop" else (op.extra,)
            for x in inner:
                if isinstance(x, Body):
                    count(x)

    count(body)
    return sum(seen.values())

"""The results, inputs and other bodies that a body uses."""

from collections import Counter

from gambol.lanes.bodies import CONTROL, bodies_of
from gambol.lanes.cpu.lower.split import MIN_SPLIT_OPERATIONS_WITH_ARRAYS, is_split
from gambol.lanes.program_spec import operation_count
from gambol.lanes.trace import Body


def parts_used(body: Body) -> dict[int, list[int]]:
    """Return the used results of each operation with several results, by index of the operation."""
    used: dict[int, list[int]] = {}
    for op in body.ops:
        if op.name == "part":
            used.setdefault(op.args[0], []).append(op.extra)
    return used


def inputs_used(body: Body) -> list[int]:
    """Return the indices of the inputs that a body uses."""
    return sorted({op.extra for op in body.ops if op.name == "input"})


def inlined_bodies(body: Body) -> set[int]:
    """Return the ids of the bodies of branches and loops that exactly one operation of this body runs.

    Split bodies are left out: each is a separate function. A loop with a counter passes it to its own body only.
    """
    run = [(op.name, bodies_of(op)[-1]) for op in body.ops if op.name in CONTROL]
    counts = Counter(id(inner) for _, inner in run)
    once = [(name, inner) for name, inner in run if name != "call" and counts[id(inner)] == 1]
    return {id(inner) for name, inner in once if name == "fori" or not is_split(inner)}


def called_once(step: Body) -> set[int]:
    """Return the ids of the bodies that exactly one operation of a loop's step calls, outside of its branches.

    They are part of each step, so to inline them saves the copies of their arguments and results. An ant's step takes
    0.98 of the time. None are inlined if the function would be too long to be optimised, nor those that a branch calls
    again.
    """
    if operation_count(step) > MIN_SPLIT_OPERATIONS_WITH_ARRAYS:
        return set()
    called = [op.extra for op in step.ops if op.name == "call"]
    counts = Counter(map(id, called))
    inner = _run_within(step, set())
    return {id(body) for body in called if counts[id(body)] == 1 and not is_split(body)} - inner


def _run_within(body: Body, seen: set[int]) -> set[int]:
    """Return the ids of the bodies that the bodies within a body run. seen: ids already visited."""
    found: set[int] = set()
    for inner in (x for op in body.ops for x in bodies_of(op)):
        if id(inner) not in seen:
            seen.add(id(inner))
            found |= {id(x) for op in inner.ops for x in bodies_of(op)} | _run_within(inner, seen)
    return found

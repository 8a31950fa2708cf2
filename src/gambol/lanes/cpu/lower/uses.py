"""The results, inputs and other bodies that a body uses."""

from collections import Counter

from gambol.lanes.bodies import CONTROL, bodies_of
from gambol.lanes.cpu.lower.split import is_split
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

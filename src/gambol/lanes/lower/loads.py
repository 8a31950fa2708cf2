"""Lazy loading of a function's inputs: each is loaded where it is first used."""

from collections.abc import Callable, Sequence

from gambol.lanes.ops import Op
from gambol.lanes.trace import Body

LAZY_ARGUMENTS = 256
"""Number of inputs not loaded yet above which a call or a loop takes them from memory. Else they would all be loaded
first, and stored to the stack at once: LLVM's time for it grows faster than their number (docs/use/benchmarks.md)."""


class InMemory(str):
    """Stands for the value of a function's input that is not loaded. slot: the number of the input."""

    slot: int

    def __new__(cls, slot: int) -> "InMemory":
        """Return the input of this number."""
        made = super().__new__(cls, f"input {slot}")
        made.slot = slot
        return made


class Loads:
    """The inputs and captures of a body, loaded at first use, and the results of its calls, branches and loops.

    fetch: loads input k; body: theirs; known: values of inputs that are available already, by number.
    """

    def __init__(self, fetch: Callable[[int], str], body: Body, known: dict[int, str]) -> None:
        self.fetch = fetch
        self.inputs = body.inputs
        self.known = dict(known)
        self.slots: dict[int, int] = {}
        self.results: dict[int, dict[int, str]] = {}

    def defer(self, number: int, op: Op) -> str:
        """Register an input or capture without loading it."""
        self.slots[number] = op.extra + (self.inputs if op.name == "captured" else 0)
        return ""

    def value(self, values: list[str], number: int) -> str:
        """Return the name of an operation's value; an input is loaded at its first use."""
        if number not in self.slots:
            return values[number]
        slot = self.slots[number]
        known = self.known.get(slot) or InMemory(slot)
        if isinstance(known, InMemory):
            self.known[slot] = known = self.fetch(known.slot)
        return known

    def arguments(self, values: list[str], op: Op) -> list[str]:
        """Return the operands of a call, branch or loop; if very many are not loaded, those it only reads stay so."""
        first = _first_read_only(op)
        args = [self._without_loading(a) if k >= first else None for k, a in enumerate(op.args)]
        lazy = sum(isinstance(x, InMemory) for x in args) > LAZY_ARGUMENTS
        return [x if lazy and x is not None else self.value(values, a) for x, a in zip(args, op.args, strict=True)]

    def _without_loading(self, number: int) -> str | None:
        """Return the value of an input or capture as far as it is known; None for other operations."""
        slot = self.slots.get(number)
        return None if slot is None else self.known.get(slot) or InMemory(slot)


def _first_read_only(op: Op) -> int:
    """Return the number of the first operand that a call, branch or loop passes to its body and does not change."""
    if op.name == "call":
        return 0
    body: Body = op.extra[1] if op.name == "loop" else op.extra
    return len(body.outputs) + (op.name == "when")


def runs(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Return pairs of numbers (i, k) as runs (first i, count, first k), in which both grow by one."""
    result: list[tuple[int, int, int]] = []
    for i, k in pairs:
        first, count, start = result[-1] if result else (0, 0, 0)
        if count and (i, k) == (first + count, start + count):
            result[-1] = first, count + 1, start
        else:
            result.append((i, 1, k))
    return result

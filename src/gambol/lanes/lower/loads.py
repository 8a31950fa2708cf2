"""Lazy loading of a function's inputs: each is loaded where it is first used."""

from collections.abc import Callable

from gambol.lanes.ops import Op
from gambol.lanes.trace import Body


class Loads:
    """The inputs and captures of a body, loaded at first use, and the results of its calls, branches and loops.

    fetch: loads input k; body: the body; known: names of the values of inputs that are loaded already, by input number.
    """

    def __init__(self, fetch: Callable[[int], str], body: Body, known: dict[int, str]) -> None:
        self.fetch = fetch
        self.inputs = body.inputs
        self.known = dict(known)
        self.slots: dict[int, int] = {}
        self.results: dict[int, dict[int, str]] = {}

    def defer(self, index: int, op: Op) -> str:
        """Register an input or capture, to be loaded at its first use. index, op: of its operation."""
        self.slots[index] = op.extra + (self.inputs if op.name == "captured" else 0)
        return ""

    def value(self, values: list[str], index: int) -> str:
        """Return the name of the value of operation `index`; load an input at its first use. values: names so far."""
        if index not in self.slots:
            return values[index]
        slot = self.slots[index]
        if slot not in self.known:
            self.known[slot] = self.fetch(slot)
        return self.known[slot]

"""Lazy loading of a function's inputs: each is loaded where it is first used."""

from collections.abc import Callable

from gambol.lanes.ops import Op
from gambol.lanes.trace import Body


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
        if slot not in self.known:
            self.known[slot] = self.fetch(slot)
        return self.known[slot]

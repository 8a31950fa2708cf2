"""What a function takes, loaded where it is first used; and the results of its calls, branches and loops."""

from collections.abc import Callable

from gambol.lanes.ops import Op
from gambol.lanes.trace import Body


class Loads:
    """Inputs and captures of a body, loaded where they are first used."""

    def __init__(self, fetch: Callable[[int], str], body: Body, given: dict[int, str]) -> None:
        self.fetch = fetch
        self.inputs = body.inputs
        self.known = dict(given)
        self.slots: dict[int, int] = {}
        self.results: dict[int, dict[int, str]] = {}

    def later(self, number: int, op: Op) -> str:
        """Note where an input or capture lies."""
        self.slots[number] = op.extra + (self.inputs if op.name == "captured" else 0)
        return ""

    def now(self, values: list[str], number: int) -> str:
        """The name of an operation's value, loaded if it is an input not used before."""
        if number not in self.slots:
            return values[number]
        slot = self.slots[number]
        if slot not in self.known:
            self.known[slot] = self.fetch(slot)
        return self.known[slot]

"""Lazy loading of a function's inputs: each input is loaded where it is first used."""

from collections.abc import Callable, Sequence

from gambol.lanes.body_tree import bodies_of
from gambol.lanes.ops import Op
from gambol.lanes.trace import Body

MAX_EAGER_ARGUMENTS = 256
"""Number of inputs not yet loaded above which a call or a loop reads them from memory. Otherwise all of them would be
loaded and immediately stored to the stack, for which LLVM's time grows faster than their number
(docs/use/benchmarks.md)."""


class InMemory(str):
    """Stands for the value of a function's input that is not loaded. slot: the number of the input."""

    slot: int

    def __new__(cls, slot: int) -> "InMemory":
        """Return the placeholder of the input of this number."""
        placeholder = super().__new__(cls, f"input {slot}")
        placeholder.slot = slot
        return placeholder


class Deferred(str):
    """Stands for a value that is loaded where it is used. load: writes the load, and returns the value's name.

    home: place of the value in the arena of the function (instructions.py); None for a place that varies.
    """

    load: Callable[[], str]
    home: int | None

    def __new__(cls, name: str, load: Callable[[], str], home: int | None = None) -> "Deferred":
        """Return the placeholder of a value with a unique name."""
        placeholder = super().__new__(cls, name)
        placeholder.load, placeholder.home = load, home
        return placeholder


def loaded(value: str, fetch: Callable[[int], str]) -> str:
    """Return the name of a value; load one that is not loaded. fetch: loads an input."""
    if isinstance(value, InMemory):
        return fetch(value.slot)
    return value.load() if isinstance(value, Deferred) else value


class Loads:
    """The inputs and captures of a body, loaded at first use, and the results of its calls, branches and loops.

    fetch: loads input k; body: the body; known: names of the values of inputs that are loaded already, by input number.
    """

    def __init__(self, fetch: Callable[[int], str], body: Body, known: dict[int, str]) -> None:
        self.fetch = fetch
        self.inputs = body.inputs
        self.known = dict(known)
        self.given = dict(known)
        self.slots: dict[int, int] = {}
        self.results: dict[int, dict[int, str]] = {}

    def defer(self, index: int, op: Op) -> str:
        """Register an input or capture, to be loaded at its first use.

        index, op: index of its operation, and the operation.
        """
        self.slots[index] = op.extra + (self.inputs if op.name == "captured" else 0)
        return ""

    def value(self, values: list[str], index: int) -> str:
        """Return the name of the value of operation `index`; load an input at its first use. values: names so far."""
        if index not in self.slots:
            values[index] = loaded(values[index], self.fetch)
            return values[index]
        slot = self.slots[index]
        self.known[slot] = loaded(self.known.get(slot) or InMemory(slot), self.fetch)
        return self.known[slot]

    def arguments(self, values: list[str], op: Op) -> list[str]:
        """Return the operands of a call, branch, loop or scan. Some are not loaded.

        These are all operands of a scan; those that only the branch reads; values with a home that a loop reads; and
        very many inputs.
        """
        if op.name == "scan":
            return [self.unloaded(values, a) for a in op.args]
        first = _first_read_only(op)
        args = [self._without_loading(values, a) if k >= first else "" for k, a in enumerate(op.args)]
        lazy = sum(isinstance(x, InMemory) for x in args) > MAX_EAGER_ARGUMENTS
        return [
            x if _stays(op.name, x) or (lazy and isinstance(x, InMemory)) else self.value(values, a)
            for x, a in zip(args, op.args, strict=True)
        ]

    def unloaded(self, values: list[str], index: int) -> str:
        """Return the value of operation `index` as it was given, if it is an input or capture, else its value."""
        slot = self.slots.get(index)
        return values[index] if slot is None else self.given.get(slot) or InMemory(slot)

    def _without_loading(self, values: list[str], index: int) -> str:
        """Return the value of operation `index`, which may not be loaded yet."""
        slot = self.slots.get(index)
        return values[index] if slot is None else self.known.get(slot) or InMemory(slot)


def _stays(name: str, value: str) -> bool:
    """Return True if an operation of this name takes a value without loading it."""
    return isinstance(value, Deferred) and (name == "when" or (name == "loop" and value.home is not None))


def _first_read_only(op: Op) -> int:
    """Return the index of the first operand after a loop's state, or after a branch's condition and alternative."""
    if op.name == "call":
        return 0
    body = bodies_of(op)[-1]
    return len(op.args) - len(body.captured) if op.name == "fori" else len(body.outputs) + (op.name == "when")


def runs(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Return pairs of integers (i, k) as runs (first i, count, first k), in which both numbers increase by one."""
    result: list[tuple[int, int, int]] = []
    for i, k in pairs:
        first, count, start = result[-1] if result else (0, 0, 0)
        if count and (i, k) == (first + count, start + count):
            result[-1] = first, count + 1, start
        else:
            result.append((i, 1, k))
    return result

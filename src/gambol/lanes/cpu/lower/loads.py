"""Lazy loading of a function's inputs: each input is loaded where it is first used."""

from collections.abc import Callable, Sequence

from gambol.lanes.bodies import bodies_of
from gambol.lanes.ops import Op
from gambol.lanes.trace import Body

MAX_EAGER_ARGUMENTS = 256
"""If a call or a loop has more operands than this that are inputs not yet loaded, it reads these inputs from memory.
Otherwise all of them would be loaded and immediately stored to the stack, for which LLVM's time grows faster than their
number (docs/use/benchmarks.md)."""


class InMemory(str):
    """Stands for the value of a function's input that is not loaded. slot: the index of the input."""

    slot: int

    def __new__(cls, slot: int) -> "InMemory":
        """Return the placeholder of the input with this index."""
        placeholder = super().__new__(cls, f"input {slot}")
        placeholder.slot = slot
        return placeholder


class Deferred(str):
    """Stands for a value that is loaded where it is used. load: writes the load, and returns the value's name.

    arena_index: index of the value in the arena of the function (instructions.py); None if the index varies.
    """

    load: Callable[[], str]
    arena_index: int | None

    def __new__(cls, name: str, load: Callable[[], str], arena_index: int | None = None) -> "Deferred":
        """Return the placeholder of a value with a unique name."""
        placeholder = super().__new__(cls, name)
        placeholder.load, placeholder.arena_index = load, arena_index
        return placeholder


def loaded(value: str, fetch: Callable[[int], str]) -> str:
    """Return the name of a value; load one that is not loaded. fetch: loads an input."""
    if isinstance(value, InMemory):
        return fetch(value.slot)
    return value.load() if isinstance(value, Deferred) else value


class Loads:
    """The inputs and captures of a body, loaded at first use, and the results of its calls, branches and loops.

    fetch: loads input k; here: returns the name of a value in the current block, see reloads.py; body: the body; known:
    names of the values of inputs that are loaded already, by input index.
    """

    def __init__(
        self, fetch: Callable[[int], str], here: Callable[[str], str], body: Body, known: dict[int, str]
    ) -> None:
        self.fetch = fetch
        self.here = here
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
            return self.here(values[index])
        slot = self.slots[index]
        self.known[slot] = loaded(self.known.get(slot) or InMemory(slot), self.fetch)
        return self.here(self.known[slot])

    def arguments(self, values: list[str], op: Op) -> list[str]:
        """Return the operands of a call, branch, loop or scan. Some of them are not loaded.

        Not loaded are: all operands of a scan; operands that only the body of a branch reads; values in the arena that
        a loop reads; and inputs, if there are more than MAX_EAGER_ARGUMENTS.
        """
        if op.name == "scan":
            return [self.unloaded(values, a) for a in op.args]
        first = _first_read_only(op)
        args = [self._without_loading(values, a) if k >= first else "" for k, a in enumerate(op.args)]
        lazy = sum(isinstance(x, InMemory) for x in args) > MAX_EAGER_ARGUMENTS
        return [
            x if _takes_unloaded(op.name, x) or (lazy and isinstance(x, InMemory)) else self.value(values, a)
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


def _takes_unloaded(name: str, value: str) -> bool:
    """Return True if an operation of this name takes a value without loading it."""
    return isinstance(value, Deferred) and (name == "when" or (name == "loop" and value.arena_index is not None))


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

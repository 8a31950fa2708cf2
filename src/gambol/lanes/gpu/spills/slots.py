"""Where values outside the registers are: in memory that threads of a block share, as far as it lasts, or in their own.

Values that are never in use at the same time have the same place. The shared memory is given first to values that are
stored and loaded most often for the time that they occupy it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gambol.lanes.gpu.spills.code import words_of
from gambol.lanes.gpu.spills.eviction import Eviction

LOOP_WEIGHT = 4.0
"""How often a loop runs, about: sweeps over contacts end after a few rounds."""


@dataclass(slots=True)
class Value:
    """A register with a place in memory. first, last: steps between which it is in use; accesses: their number."""

    register: str
    words: int
    first: int
    last: int
    accesses: float = 0.0

    @property
    def density(self) -> float:
        """Accesses for each step that it occupies its place."""
        return self.accesses / (self.last - self.first + 1)


@dataclass(eq=False)
class Places:
    """Places of the values of a function. size: words of them; at: word of each register."""

    size: int = 0
    at: dict[str, int] = field(default_factory=dict[str, int])
    _taken: list[list[tuple[int, int]]] = field(default_factory=list[list[tuple[int, int]]])

    def find(self, value: Value, words: int) -> int:
        """Return the first word of free places for a value. words: their number, by which the place is divisible."""
        word = 0
        while any(self._is_taken(word + k, value) for k in range(words)):
            word += words
        return word

    def _is_taken(self, word: int, value: Value) -> bool:
        taken = self._taken[word] if word < len(self._taken) else []
        return any(first <= value.last and value.first <= last for first, last in taken)

    def take(self, value: Value, word: int, words: int) -> None:
        """Give places to a value."""
        self.at[value.register] = word
        self.size = max(self.size, word + words)
        self._taken += [[] for _ in range(self.size - len(self._taken))]
        for k in range(words):
            self._taken[word + k].append((value.first, value.last))


def values_of(eviction: Eviction, lengths: Mapping[str, int]) -> list[Value]:
    """Return the values of a function that are loaded. lengths: steps of the functions that it may call."""
    uses = eviction.uses
    loaded = eviction.loaded() - eviction.arguments.loads.keys()
    values: dict[str, Value] = {}
    step = 0
    for number in uses.order:
        weight = LOOP_WEIGHT ** uses.depth(number)
        _extend(values, loaded & uses.at_start[number].keys(), step)
        for place, each in enumerate(uses.code.blocks[number].steps):
            step += 1 + lengths.get(each.called, 0)
            _extend(values, loaded.intersection((*each.reads, *each.sets)), step)
            for register in (*eviction.before.get((number, place), ()), *each.sets):
                if register in loaded:
                    values[register].accesses += weight
        for register in loaded.intersection(eviction.before_jump.get(number, ())):
            _extend(values, [register], step)
            values[register].accesses += weight
        _extend(values, loaded & uses.at_end[number].keys(), step)
    return list(values.values())


def _extend(values: dict[str, Value], registers: Iterable[str], step: int) -> None:
    """Let values be in use at a step, too."""
    for register in registers:
        value = values.setdefault(register, Value(register, words_of(register), step, step))
        value.last = max(value.last, step)


@dataclass(eq=False)
class Allocation:
    """Places of all functions. calls: the functions that each calls; limit: words of shared memory for a thread.

    unit: words of each place in shared memory, 2 if most values have 2. Threads of a warp may be at different steps,
    even in different functions, so the bytes of a thread in a place must not depend on the value. A larger value has no
    place there.
    """

    calls: Mapping[str, set[str]]
    limit: int
    unit: int = field(init=False, default=1)
    shared: dict[str, Places] = field(init=False)
    own: dict[str, Places] = field(init=False)

    def __post_init__(self) -> None:
        self.shared, self.own = ({name: Places() for name in self.calls} for _ in range(2))

    def place(self, values: Mapping[str, list[Value]]) -> None:
        """Give places to all values of functions: first to those of functions that others do not have to call."""
        depths = {name: self.depth(name) for name in values}
        pairs = [(name, value) for name in values for value in values[name]]
        self.unit = 2 if 2 * sum(value.words == 2 for _, value in pairs) > len(pairs) else 1
        pairs.sort(key=lambda pair: (depths[pair[0]], -pair[1].density, pair[1].first, pair[1].register))
        for name, value in pairs:
            if value.words > self.unit or not self._take_shared(self.shared[name], value):
                own = self.own[name]
                own.take(value, own.find(value, value.words), value.words)

    def _take_shared(self, places: Places, value: Value) -> bool:
        """Give a place in shared memory to a value; return False if there is none."""
        word, size = places.find(value, self.unit), places.size
        places.size = max(size, word + self.unit)
        fits, places.size = self.most() <= self.limit, size
        if fits:
            places.take(value, word, self.unit)
        return fits

    def most(self) -> int:
        """Return the most words of shared memory that functions which call one another take together."""
        return max((self.start(name) + self.shared[name].size for name in self.calls), default=0)

    def depth(self, name: str) -> int:
        """Return the most calls that lead to a function."""
        return max((1 + self.depth(caller) for caller, called in self.calls.items() if name in called), default=0)

    def start(self, name: str) -> int:
        """Return the first word of a function's places in shared memory: those of all that may call it are before."""
        callers = [caller for caller, called in self.calls.items() if name in called]
        return max((self.start(caller) + self.shared[caller].size for caller in callers), default=0)

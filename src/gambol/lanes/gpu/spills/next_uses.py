"""How far each register's next use is from a point of a function, over all ways that lead on from there."""

from dataclasses import dataclass, field

from gambol.lanes.gpu.spills.code import Code, words_of

BEYOND_LOOP = 100_000
"""Distance that the end of a loop adds [instructions]: what is used in the loop is always nearer than what is not."""


@dataclass(eq=False)
class NextUses:
    """Distances of next uses [instructions], by register; a register without one is not in use.

    order, jumps, loops: see Code. at_start, at_end: distances at the start and the end of each block.
    """

    code: Code
    order: list[int] = field(init=False)
    jumps: list[tuple[int, int]] = field(init=False)
    loops: dict[int, set[int]] = field(init=False)
    at_start: list[dict[str, int]] = field(init=False)
    at_end: list[dict[str, int]] = field(init=False)

    def __post_init__(self) -> None:
        count = len(self.code.blocks)
        self.order, self.jumps = self.code.order()
        self.loops = self.code.loops(self.jumps)
        self.at_start, self.at_end = ([dict[str, int]() for _ in range(count)] for _ in range(2))
        self._lengths = [len(block.steps) for block in self.code.blocks]
        self._own = [self._first_uses(k) for k in range(count)]
        while sum(self._update(block) for block in reversed(self.order)):
            pass

    def _first_uses(self, number: int) -> tuple[dict[str, int], set[str]]:
        """Return the place of the first use of each register that a block reads first, and all that it sets."""
        first, sets = dict[str, int](), set[str]()
        for place, step in enumerate(self.code.blocks[number].steps):
            for register in step.reads:
                if register not in sets:
                    first.setdefault(register, place)
            sets.update(step.sets)
        return first, sets

    def _update(self, number: int) -> bool:
        """Compute the distances of a block from those of its followers; return True if any changed."""
        end = dict[str, int]()
        for follower in self.code.blocks[number].followers:
            left = sum(number in loop and follower not in loop for loop in self.loops.values()) * BEYOND_LOOP
            for register, distance in self.at_start[follower].items():
                end[register] = min(end.get(register, distance + left), distance + left)
        first, sets = self._own[number]
        length = self._lengths[number]
        start = {register: distance + length for register, distance in end.items() if register not in sets} | first
        changed = start != self.at_start[number]
        self.at_start[number], self.at_end[number] = start, end
        return changed

    def depth(self, number: int) -> int:
        """Return the number of loops that a block is in."""
        return sum(number in loop for loop in self.loops.values())

    def most(self, number: int) -> int:
        """Return the most words of registers in use at once in a block."""
        live = set(self.at_end[number])
        words = most = sum(map(words_of, live))
        for step in reversed(self.code.blocks[number].steps):
            words -= sum(words_of(r) for r in step.sets if r in live)
            live.difference_update(step.sets)
            words += sum(words_of(r) for r in set(step.reads) - live)
            live.update(step.reads)
            most = max(most, words)
        return most

    def words_at_calls(self) -> int:
        """Return the most words of registers in use across a call."""
        most = 0
        for number in self.order:
            live = set(self.at_end[number])
            for step in reversed(self.code.blocks[number].steps):
                if step.called:
                    most = max(most, sum(map(words_of, live)))
                live.difference_update(step.sets)
                live.update(step.reads)
        return most

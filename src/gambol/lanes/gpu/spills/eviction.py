"""Which values leave the registers where: the one whose next use is farthest, when there are too many.

    [Belady 1966, A study of replacement algorithms; Braun and Hack 2009, Register spilling and live-range splitting for
    SSA-form programs]

A value that leaves is stored once, where it is computed, and loaded before its next use; an argument of the function is
in memory already. A loop begins with the values that it uses, as far as they fit; where ways meet, only what all of
them kept is in a register.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from gambol.lanes.gpu.spills.arguments import ReadOnlyArguments
from gambol.lanes.gpu.spills.code import words_of
from gambol.lanes.gpu.spills.next_uses import NextUses

NEVER = 1 << 60
"""Distance of a use that does not come."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Words of registers that values may occupy. words: anywhere; at_calls: across a call of another function."""

    words: int
    at_calls: int


@dataclass(eq=False)
class Eviction:
    """The loads that a function needs. before: registers to load before a step of a block, by block and step.

    before_jump: registers to load at the end of a block, before its last jump. arguments: see ReadOnlyArguments.
    """

    uses: NextUses
    limits: Limits
    arguments: ReadOnlyArguments = field(init=False)
    before: dict[tuple[int, int], list[str]] = field(init=False, default_factory=dict[tuple[int, int], list[str]])
    before_jump: dict[int, list[str]] = field(init=False, default_factory=dict[int, list[str]])
    _at_start: dict[int, set[str]] = field(init=False, default_factory=dict[int, set[str]])
    _at_end: dict[int, set[str]] = field(init=False, default_factory=dict[int, set[str]])

    def __post_init__(self) -> None:
        self.arguments = ReadOnlyArguments.of(self.uses.code)
        for number in self.uses.order:
            held = self._at_start[number] = self._held_at_start(number)
            self._at_end[number] = _Walk(self, number, set(held)).end()
        for last, first in self.uses.jumps:
            self._load_at_end(last, self._at_start[first])

    def loaded(self) -> set[str]:
        """Return all registers that are loaded anywhere."""
        return {r for registers in (*self.before.values(), *self.before_jump.values()) for r in registers}

    def _held_at_start(self, number: int) -> set[str]:
        """Return the registers that hold their values when a block begins."""
        leaders = [k for k in self.uses.code.blocks[number].leaders if k in self._at_end]
        if not leaders:
            return set()
        common = set[str].intersection(*(self._at_end[k] for k in leaders)) & set(self.uses.at_start[number])
        if number not in self.uses.loops:
            return common
        held = self._held_in_loop(number, common)
        for leader in leaders:
            self._load_at_end(leader, held)
        return held

    def _held_in_loop(self, number: int, common: set[str]) -> set[str]:
        """Return the registers that hold their values when a loop begins: first those that it uses.

        number: its first block; common: registers that hold their values before it.
        """
        uses, blocks = self.uses, self.uses.code.blocks
        inside = uses.loops[number]
        read = {r for k in inside for step in blocks[k].steps for r in step.reads}
        nearest = sorted(uses.at_start[number], key=lambda r: (uses.at_start[number][r], r))
        through = sum(words_of(r) for r in nearest if r not in read)
        most = max(uses.most(k) for k in inside) - through
        held = self._first([r for r in nearest if r in read], self.limits.words)
        space = self.limits.words - max(most, sum(map(words_of, held)))
        return held | self._first([r for r in nearest if r not in read and r in common], space)

    @staticmethod
    def _first(registers: Iterable[str], space: int) -> set[str]:
        """Return the first registers that fit into a number of words."""
        chosen = set[str]()
        for register in registers:
            if words_of(register) <= space:
                chosen.add(register)
                space -= words_of(register)
        return chosen

    def _load_at_end(self, number: int, needed: set[str]) -> None:
        """Load what is needed after a block, and is not in a register at its end."""
        known = self.before_jump.setdefault(number, [])
        known += sorted(needed - self._at_end[number] - set(known))


class _Walk:
    """The way through a block. held: the registers that hold their values, at first those at its start."""

    def __init__(self, plan: Eviction, number: int, held: set[str]) -> None:
        self.plan, self.number, self.held = plan, number, held
        self.steps = plan.uses.code.blocks[number].steps
        self.words = sum(map(words_of, held))
        self.after = {r: distance + len(self.steps) for r, distance in plan.uses.at_end[number].items()}
        self.places: dict[str, list[int]] = {}
        for place in reversed(range(len(self.steps))):
            for register in set(self.steps[place].reads):
                self.places.setdefault(register, []).append(place)

    def end(self) -> set[str]:
        """Walk to the end of the block; return the registers that hold their values there."""
        for place, step in enumerate(self.steps):
            reads = sorted(set(step.reads))
            if missing := [r for r in reads if r not in self.held]:
                self.plan.before[self.number, place] = missing
                self._hold(missing)
            for register in reads:
                self.places[register].pop()
            limits = self.plan.limits
            self._evict(limits.at_calls if step.called else limits.words, set(reads))
            self._drop([r for r in reads if self._next(r) == NEVER])
            new = [r for r in step.sets if r not in self.held and self._next(r) < NEVER]
            self._evict(limits.words - sum(map(words_of, new)), set())
            self._hold(new)
        return self.held

    def _next(self, register: str) -> int:
        """Return the place of the next use of a register."""
        left = self.places.get(register)
        return left[-1] if left else self.after.get(register, NEVER)

    def _evict(self, words: int, kept: set[str]) -> None:
        """Let registers go until at most some words are held; not those that are kept."""
        if self.words > words:
            kept = kept | {self.plan.arguments.base}
            for register in sorted(self.held - kept, key=lambda r: (-self._next(r), r)):
                if self.words <= words:
                    break
                self._drop([register])

    def _hold(self, registers: Iterable[str]) -> None:
        self.held.update(registers)
        self.words += sum(map(words_of, registers))

    def _drop(self, registers: Iterable[str]) -> None:
        self.held.difference_update(registers)
        self.words -= sum(map(words_of, registers))

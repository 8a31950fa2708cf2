"""Everything that a step changes, and the clock by which it goes."""

from dataclasses import dataclass, replace
from typing import Any

from gambol.lanes import Scalar, leaves, rebuilt, where
from gambol.world.laws import Ledger, Memory, Moment
from gambol.world.world import World

RUNNING, NOT_FINITE, UNDERFLOW = 0.0, 1.0, 2.0


@dataclass(frozen=True, slots=True)
class Clock:
    """frame: how many have begun and ended; elapsed: time since the last one [s]; step: to try next [s].

    taken, rejected: steps so far; status: RUNNING, or why the world stopped. missed: the most by which an implicit step
    that was kept misses its equations [rad/s or m/s].
    """

    frame: Scalar
    elapsed: Scalar
    step: Scalar
    taken: Scalar
    rejected: Scalar
    status: Scalar
    missed: Scalar = 0.0

    def moment(self, frame: Scalar) -> Moment:
        """The moment at which the next step begins; frame: how long each lasts [s]."""
        return Moment(self.frame * frame, self.elapsed, self.elapsed)


@dataclass(frozen=True, slots=True)
class Living:
    """Everything that a step changes: q, v, memory, ledger [J], the integrator's own memory (trail), and clock."""

    q: list[Scalar]
    v: list[Scalar]
    memory: Memory
    ledger: Ledger
    trail: list[Scalar]
    clock: Clock


def entries(ledger: Ledger) -> list[Scalar]:
    """The entries of a ledger."""
    return list(leaves(ledger))


def advanced(world: World, memory: Memory, done: Scalar) -> Memory:
    """A memory with the controller's at the end of a frame, where one is done."""
    if world.controller is None:
        return memory
    control = world.controller.advanced(memory.control, world.timing.frame)
    return replace(memory, control=chosen(done, control, memory.control))


def chosen(condition: Scalar, yes: Any, no: Any) -> Any:
    """The nest yes where a condition holds, the nest no of the same form elsewhere."""
    pairs = zip(leaves(yes), leaves(no), strict=True)
    return rebuilt(no, iter([where(condition, new, old) for new, old in pairs]))

"""A finite state machine of poses: a phase ends after a time, or when an event happens.

A machine runs through its phases in order and begins again with the first. Walking and running machines describe one
step: a phase that swaps exchanges the roles of the two legs, such as stance and swing, so that a stride consists of two
cycles of the machine. With one row of values for each phase this is a pose control graph. [Yin, Loken and van de Panne
2007, section 3]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar, where


@dataclass(frozen=True)
class Phase:
    """One phase of a machine. It ends when its shortest duration has passed and its event, if it has one, happens.

    values: constants of this phase, by name, such as target angles; all phases of a machine have the same names. after:
    its shortest duration [s]. event: name of the event that ends it; "": it ends after the shortest duration. swaps:
    True if the roles of the legs are exchanged at its end.
    """

    values: Mapping[str, float]
    after: float = 0.0
    event: str = ""
    swaps: bool = False


@dataclass(frozen=True, slots=True)
class PhaseMemory:
    """The state of a machine.

    index: index of the phase. elapsed: time in the phase [s]. side: 1, or -1 with exchanged legs.
    """

    index: Scalar
    elapsed: Scalar
    side: Scalar


@dataclass(frozen=True)
class StateMachine:
    """A cycle of phases. Raises WorldError if there is no phase, or if names or durations are impossible.

    phases: in order. first: index of the phase in which it begins.
    """

    phases: tuple[Phase, ...]
    first: int = 0
    names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        if not self.phases:
            raise WorldError("a state machine needs at least one phase")
        object.__setattr__(self, "names", tuple(self.phases[0].values))
        for k, phase in enumerate(self.phases):
            if set(phase.values) != set(self.names):
                raise WorldError(f"phase {k} has the values {sorted(phase.values)}, phase 0 has {sorted(self.names)}")
            if not 0.0 <= phase.after < float("inf"):
                raise WorldError(f"phase {k} lasts {phase.after} s; give 0 or more, and a finite time")
        if not 0 <= self.first < len(self.phases):
            raise WorldError(f"a machine of {len(self.phases)} phases cannot begin in phase {self.first}")

    def numbers(self) -> dict[str, Any]:
        """Return the numbers that may differ between worlds: durations, and for each name its value in each phase."""
        values = {name: [phase.values[name] for phase in self.phases] for name in self.names}
        return {"after": [phase.after for phase in self.phases], "values": values}

    def memory(self) -> PhaseMemory:
        """Return the memory at the start: the first phase, and legs that are not exchanged."""
        return PhaseMemory(float(self.first), 0.0, 1.0)

    def value(self, numbers: Mapping[str, Any], memory: PhaseMemory, name: str) -> Scalar:
        """Return a value in the current phase.

        numbers: in the structure of numbers(). Raises WorldError for unknown names.
        """
        if name not in self.names:
            raise WorldError(f'no phase has a value "{name}"; {did_you_mean(name, self.names)}')
        return self.selected(numbers["values"][name], memory)

    def selected(self, row: Sequence[Scalar], memory: PhaseMemory) -> Scalar:
        """Return the entry for the current phase. row: one scalar for each phase."""
        chosen = row[-1]
        for k in range(len(row) - 2, -1, -1):
            chosen = where(memory.index < k + 0.5, row[k], chosen)
        return chosen

    def advanced(
        self, numbers: Mapping[str, Any], memory: PhaseMemory, events: Mapping[str, Scalar], dt: Scalar
    ) -> PhaseMemory:
        """Return the memory a time dt [s] later; at most one phase ends.

        numbers: in the structure of numbers(). events: conditions by name of the event. Raises WorldError for an
        unknown event.
        """
        elapsed = memory.elapsed + dt
        ends = elapsed >= self.selected(numbers["after"], memory)
        for k, phase in enumerate(self.phases):
            if phase.event:
                if phase.event not in events:
                    raise WorldError(f'phase {k} waits for "{phase.event}"; {did_you_mean(phase.event, events)}')
                is_other = abs(memory.index - float(k)) > 0.5
                ends = ends & (is_other | events[phase.event])
        swap = self.selected([-1.0 if phase.swaps else 1.0 for phase in self.phases], memory)
        following = where(memory.index > len(self.phases) - 1.5, 0.0, memory.index + 1.0)
        return PhaseMemory(
            where(ends, following, memory.index),
            where(ends, 0.0, elapsed),
            where(ends, memory.side * swap, memory.side),
        )

    def structure(self) -> tuple[Any, ...]:
        """Return the compiled structure: events, swaps, names and the first phase."""
        return tuple((phase.event, phase.swaps) for phase in self.phases), self.names, self.first

"""The segments of a script's run: between two of them, commands change its world or its state."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.world import State

CHANGED = -1
"""The origin of a row of a state that commands have set, see Segment.origin."""

Rows = NDArray[np.int_]


@dataclass(frozen=True, eq=False)
class Segment:
    """A segment of a run, in which only the simulation changes the state.

    start: its first state. begin: time of the film at which it begins [s]. end: rows of its last state. last_step:
    control step of its world that begins at its end. origin: for each row of the first state the row of the last state
    of the segment before, from which it was copied, or CHANGED. commands: the commands between the two. numbers: inputs
    of its world (rows, 1); None: the world's own.
    """

    start: State
    begin: float
    end: NDArray[Any]
    last_step: int
    origin: Rows
    commands: tuple[str, ...]
    numbers: NDArray[Any] | None = None


@dataclass(slots=True)
class SegmentList:
    """The segments of a run so far. commands: commands since the end of the last one."""

    found: list[Segment] = field(default_factory=list[Segment])
    commands: list[str] = field(default_factory=list[str])

    def add(
        self, first: State, last: State, begin: float, origin: Sequence[int] | Rows, numbers: NDArray[Any] | None = None
    ) -> None:
        """Add a piece: it continues the segment if it has the same world, and begins where the segment ends.

        first, last: states of its beginning and of its end. begin, origin, numbers: see Segment.
        """
        start, commands, before = first, tuple(self.commands), self.found[-1] if self.found else None
        is_same = before is not None and before.start.world == first.world and _equal(before.numbers, numbers)
        if before is not None and is_same and np.array_equal(before.end, first.rows):
            self.found.pop()
            start, begin, origin, commands = before.start, before.begin, before.origin, before.commands
        last_step = int(last.step_state.clock.control_steps[0])
        self.found.append(Segment(start, begin, last.rows.copy(), last_step, np.array(origin), commands, numbers))
        self.commands.clear()


def _equal(a: NDArray[Any] | None, b: NDArray[Any] | None) -> bool:
    return np.array_equal(a, b) if a is not None and b is not None else a is b

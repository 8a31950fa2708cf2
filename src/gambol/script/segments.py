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
    of the segment before, from which it was copied, or CHANGED. commands: the commands between the two.
    """

    start: State
    begin: float
    end: NDArray[Any]
    last_step: int
    origin: Rows
    commands: tuple[str, ...]


@dataclass(slots=True)
class SegmentList:
    """The segments of a run so far. commands: commands since the end of the last one."""

    found: list[Segment] = field(default_factory=list[Segment])
    commands: list[str] = field(default_factory=list[str])

    def add(self, first: State, last: State, begin: float, origin: Sequence[int] | Rows) -> None:
        """Add a piece: it continues the segment if it has the same world, and begins where the segment ends.

        first, last: states of its beginning and of its end. begin, origin: see Segment.
        """
        start, commands, before = first, tuple(self.commands), self.found[-1] if self.found else None
        if before and before.start.world == first.world and np.array_equal(before.end, first.rows):
            self.found.pop()
            start, begin, origin, commands = before.start, before.begin, before.origin, before.commands
        last_step = int(last.step_state.clock.control_steps[0])
        self.found.append(Segment(start, begin, last.rows.copy(), last_step, np.array(origin), commands))
        self.commands.clear()

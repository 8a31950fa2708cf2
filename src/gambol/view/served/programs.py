"""The programs that advance the world of a live view: its own, and one with inputs for disturbances by a visitor.

The second one, see gambol.view.live.disturbance, is compiled when it is first needed. It advances the world only while
a body is pulled, the ground is tilted, a limb is cut off or a medium acts, so a world that nobody disturbs has the bits
of its own program.
"""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import Program
from gambol.view.live.disturbance import LiveWorld
from gambol.view.served.hand import Hand
from gambol.world import Engine, State
from gambol.world.capacity import GrowingCapacity
from gambol.world.observe import observe_wrench_accelerations

Array = NDArray[Any]


class Programs:
    """An advancer of a world, see Advancer.

    live: the worlds. numbers: inputs of the disturbed world, (rows, 1). own_numbers: inputs of the world itself, which
    a control function may change. hand: the hand that pulls a body.
    """

    def __init__(self, live: LiveWorld, hand: Hand) -> None:
        self.live, self.hand = live, hand
        self.numbers, self._first = live.numbers, live.numbers.copy()
        self._sources = live.input_sources(live.undisturbed)
        self.own_numbers: Array = np.empty_like(live.undisturbed.numbers())
        self.own_numbers[:, 0] = [self._own_value(*source) for source in self._sources]
        self._own = GrowingCapacity(live.undisturbed, self.own_numbers)

    @property
    def is_disturbed(self) -> bool:
        """True while the program of the world itself cannot take the steps."""
        rows = self.live.disturbing
        return self.hand.grabbed is not None or bool(np.any(self.numbers[rows] != self._first[rows]))

    def prepare(self) -> None:
        """Compile the programs of the disturbed world, for the hand, too."""
        _ = self.live.engine.advance_program, self._accelerations

    def set(self, row: int, value: float) -> None:
        """Set an input. row: its row in `numbers`."""
        self.numbers[row] = value
        for own, (source, factor) in enumerate(self._sources):
            if source == row:
                self.own_numbers[own] = self._own_value(source, factor)

    def advance(self, state: State, until: int) -> None:
        """Advance a state in place to control step `until`, with a constant force of the hand."""
        if not self.is_disturbed:
            return self._own.advance(state, until)
        self.copy_commands()
        if self.hand.grabbed is None:
            return self._disturbed.advance(state, until)
        first = self.live.number_names.index(f"wrenches.{self.hand.grabbed.name}[0]")
        snapshot = self.observe(state.rows)
        wrench = self.hand.wrench(snapshot, lambda force: self._responses(state, first, force))
        before = self.numbers[first : first + 6].copy()
        self.numbers[first : first + 6, 0] += wrench
        self._disturbed.advance(state, until)
        self.numbers[first : first + 6] = before
        return None

    def copy_commands(self) -> None:
        """Copy inputs that a control function has changed to the inputs of the disturbed world."""
        for own, (row, factor) in enumerate(self._sources):
            if factor == 1.0 and row is not None:
                self.numbers[row] = self.own_numbers[own]

    def observe(self, rows: Array) -> Array:
        """Return the snapshot of a state, see snapshot_rows(). rows: of the state, (rows, 1)."""
        engine, numbers = self._observing
        (snapshot,) = engine.observe_program(rows, numbers, tables=engine.tables)
        return snapshot

    def contacts(self, rows: Array) -> Array:
        """Return the contacts of a state. rows: of the state, (rows, 1)."""
        engine, numbers = self._observing
        (points,) = engine.contact_program(rows, numbers, tables=engine.tables)
        return points

    @property
    def _observing(self) -> tuple[Engine, Array]:
        """The engine that observes the present world, and its inputs."""
        return (self.live.engine, self.numbers) if self.is_disturbed else (self.live.undisturbed, self.own_numbers)

    @cached_property
    def _disturbed(self) -> GrowingCapacity:
        return GrowingCapacity(self.live.engine, self.numbers)

    @cached_property
    def _accelerations(self) -> Program:
        return self.live.engine.observer("wrench accelerations", observe_wrench_accelerations)

    def _responses(self, state: State, first: int, wrench: Array) -> Array:
        """Return the accelerations of all links by a wrench. first: the first row of the wrench in the numbers."""
        numbers = np.zeros_like(self.numbers)
        numbers[first : first + 6, 0] = wrench
        (out,) = self._accelerations(state.rows, numbers, tables=self.live.engine.tables)
        return out[:, 0]

    def _own_value(self, row: int | None, factor: float) -> float:
        return factor if row is None else factor * float(self.numbers[row, 0])

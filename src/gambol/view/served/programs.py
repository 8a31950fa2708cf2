"""The programs that advance the world of a live view: its own, and one with inputs for disturbances by a visitor.

The second one, see gambol.view.live.disturbance, is compiled when it is first needed. It advances the world only while
a body is pulled, the ground is tilted, a limb is cut off or a medium acts, so a world that nobody disturbs has the bits
of its own program. A third one has the same inputs, and hills.
"""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.lanes import Program
from gambol.view.live.disturbance import LiveWorld
from gambol.view.live.hills import HILLS, SHAPE, SHAPES
from gambol.view.served.hand import Hand
from gambol.view.served.hilly import ServedHills
from gambol.world import Engine, State
from gambol.world.capacity import GrowingCapacity
from gambol.world.observe import observe_wrench_accelerations

Array = NDArray[Any]


class Programs:
    """An advancer of a world, see Advancer.

    live: the worlds. numbers: inputs of the disturbed world, then height and shape of hills, if it can have any, (rows,
    1). own_numbers: inputs of the world itself, which a control function may change. hand: the hand that pulls a body.
    """

    def __init__(self, live: LiveWorld, hand: Hand) -> None:
        self.live, self.hand = live, hand
        self.hills = None if live.hilly is None else ServedHills(live)
        more = np.zeros((len(live.number_names) - len(live.numbers), 1), live.numbers.dtype)
        self.numbers = np.concatenate([live.numbers, more])
        self._inputs, self._first = self.numbers[: len(live.numbers)], live.numbers.copy()
        self._sources = live.input_sources(live.undisturbed)
        self.own_numbers: Array = np.empty_like(live.undisturbed.numbers())
        self.own_numbers[:, 0] = [self._own_value(*source) for source in self._sources]
        self._own = GrowingCapacity(live.undisturbed, self.own_numbers)
        self._hilly: GrowingCapacity | None = None

    @property
    def is_disturbed(self) -> bool:
        """True while the program of the world itself cannot take the steps."""
        rows = self.live.disturbing
        return self.is_hilly or self.hand.grabbed is not None or bool(np.any(self.numbers[rows] != self._first[rows]))

    @property
    def is_hilly(self) -> bool:
        """True while the ground has hills."""
        return self.hills is not None and bool(self.numbers[-2, 0] > 0.0)

    def prepare(self, *, hilly: bool = False) -> None:
        """Compile the programs of the disturbed world, for the hand, too. hilly: True for those on hills."""
        _ = (self.hills.engine if hilly and self.hills else self.live.engine).advance_program, self._accelerations

    def check(self, name: str, value: float) -> None:
        """Raise GambolError for a height or a shape of hills that is not possible."""
        if name == HILLS and not value >= 0.0:
            raise GambolError(f"{name} cannot be {value}; give a height of 0 or more")
        if name == SHAPE and value not in range(len(SHAPES)):
            raise GambolError(f"{name} cannot be {value}; give a whole number from 0 to {len(SHAPES) - 1}")

    def set(self, row: int, value: float) -> None:
        """Set an input. row: its row in `numbers`."""
        self.numbers[row] = value
        if self.hills is not None and row >= len(self._inputs):
            height, shape = self.numbers[-2:, 0].tolist()
            self.hills.raise_to(height, int(shape))
            self._hilly = None  # it may have a copy of the heights
        for own, (source, factor) in enumerate(self._sources):
            if source == row:
                self.own_numbers[own] = self._own_value(source, factor)

    def advance(self, state: State, until: int) -> None:
        """Advance a state in place to control step `until`, with a constant force of the hand."""
        if not self.is_disturbed:
            return self._own.advance(state, until)
        self.copy_commands()
        if self.hand.grabbed is None:
            return self._advance_disturbed(state, until)
        first = self.live.number_names.index(f"wrenches.{self.hand.grabbed.name}[0]")
        snapshot = self.observe(state.rows)
        wrench = self.hand.wrench(snapshot, lambda force: self._responses(state, first, force))
        before = self.numbers[first : first + 6].copy()
        self.numbers[first : first + 6, 0] += wrench
        self._advance_disturbed(state, until)
        self.numbers[first : first + 6] = before
        return None

    def _advance_disturbed(self, state: State, until: int) -> None:
        """Advance a state in place by the program of the disturbed world, or of that on hills."""
        if self.hills is None or not self.is_hilly:
            return self._disturbed.advance(state, until)
        if self._hilly is None:
            self._hilly = GrowingCapacity(self.hills.engine, self.hills.inputs(self.numbers))
        self._hilly.numbers[:] = self.hills.inputs(self.numbers)
        return self._hilly.advance(state, until)

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
        if self.hills is not None and self.is_hilly:
            return self.hills.engine, self.hills.inputs(self.numbers)
        return (self.live.engine, self._inputs) if self.is_disturbed else (self.live.undisturbed, self.own_numbers)

    @cached_property
    def _disturbed(self) -> GrowingCapacity:
        return GrowingCapacity(self.live.engine, self._inputs)

    @cached_property
    def _accelerations(self) -> Program:
        return self.live.engine.observer("wrench accelerations", observe_wrench_accelerations)

    def _responses(self, state: State, first: int, wrench: Array) -> Array:
        """Return the accelerations of all links by a wrench. first: the first row of the wrench in the numbers."""
        numbers = np.zeros_like(self._inputs)
        numbers[first : first + 6, 0] = wrench
        (out,) = self._accelerations(state.rows, numbers, tables=self.live.engine.tables)
        return out[:, 0]

    def _own_value(self, row: int | None, factor: float) -> float:
        return factor if row is None else factor * float(self.numbers[row, 0])

"""Frames in which more contacts are near than there is room for, made again with more room.

Each frame begins with the room of the world itself, so what comes of it depends on the state alone, and not on how long
a run has gone on or what other worlds needed.
"""

import logging
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import leaves, rebuilt
from gambol.world.encounters.touchable import contacts_of
from gambol.world.laws import Pressed
from gambol.world.state import Engine, State, resting
from gambol.world.step.living import Living
from gambol.world.world import World

Array = NDArray[Any]
LOG = logging.getLogger("gambol.world")


@dataclass(frozen=True)
class Growing:
    """An engine that makes frames with too little room for contacts again, in a world with twice the room.

    numbers: of the worlds, (rows, 1) or (rows, W). threads: at once.
    """

    engine: Engine
    numbers: Array
    threads: int = 1

    @cached_property
    def wider(self) -> Engine:
        """The engine of the same world with twice the room for contacts, or with room for all."""
        world, engine = self.engine.world, self.engine
        room = min(2 * world.most_contacts, contacts_of(world))
        LOG.info(
            "more contacts are near than room=%d; frames with more are made with room=%d", world.most_contacts, room
        )
        return Engine(replace(world, room=room), engine.precision, engine.lanes)

    @cached_property
    def counter(self) -> int | None:
        """The row of a state that counts steps with too little room; None where there is room for all."""
        form = resting(self.engine.world)
        numbered: Living = rebuilt(form, iter([float(k) for k in range(len(leaves(form)))]))
        pressed = numbered.memory.pressed
        return round(float(pressed.crowded[0])) if pressed is not None and pressed.crowded else None

    def move(self, state: State, until: int) -> None:
        """Move a state to frame `until`, as Engine.move does, with more room in frames that need it."""
        if self.counter is None:
            self.engine.move(state, until, self.numbers, self.threads)
            return
        begun = state.rows.copy()
        self.engine.move(state, until, self.numbers, self.threads)
        lanes = np.flatnonzero(state.rows[self.counter] > begun[self.counter])
        if not len(lanes):
            return
        now = State(state.world, np.ascontiguousarray(begun[:, lanes]))
        for frame in range(int(now.living.clock.frame.min()) + 1, until + 1):
            self._move_one(now, frame, self._of(lanes))
        state.rows[:, lanes] = now.rows

    def _move_one(self, state: State, frame: int, numbers: Array) -> None:
        """Move a state in place by one frame, with more room where it takes that."""
        if self.counter is None:
            self.engine.move(state, frame, numbers, self.threads)
            return
        begun = state.rows.copy()
        self.engine.move(state, frame, numbers, self.threads)
        lanes = np.flatnonzero(state.rows[self.counter] > begun[self.counter])
        if len(lanes):
            few = State(state.world, np.ascontiguousarray(begun[:, lanes]))
            wide = refitted(few, self.wider.world)
            Growing(self.wider, numbers if numbers.shape[1] == 1 else numbers[:, lanes], self.threads).move(wide, frame)
            state.rows[:, lanes] = refitted(wide, state.world).rows

    def _of(self, lanes: Array) -> Array:
        """The numbers of some worlds."""
        return self.numbers if self.numbers.shape[1] == 1 else np.ascontiguousarray(self.numbers[:, lanes])


def refitted(state: State, world: World) -> State:
    """The state in a world that differs in its room for contacts: those with the largest impulses are remembered."""
    living, form = state.living, resting(world).memory.pressed
    old = living.memory.pressed
    assert old is not None
    assert form is not None
    worlds, places = state.rows.shape[1], len(form.impulses) - _bounds(world)
    had = len(old.impulses) - _bounds(state.world)
    numbers = np.array(old.numbers) if old.numbers else np.repeat(np.arange(had)[:, None], worlds, axis=1)
    impulses = np.array(old.impulses[:had]).reshape(had, 3, worlds)
    if form.numbers:
        order = np.lexsort((numbers, -impulses[:, 0], numbers < 0), axis=0)[:places]
        there = np.full((places, worlds), -1.0)
        there[: len(order)] = np.take_along_axis(numbers, order, axis=0)
    else:
        there = np.repeat(np.arange(places, dtype=float)[:, None], worlds, axis=1)
    same = ((there[:, None] == numbers[None]) & (numbers >= 0)).astype(float)
    pushed = np.einsum("tpw,pcw->tcw", same, impulses)
    speeds = [*np.einsum("tpw,pcw->tcw", same, np.array(old.speeds))] if old.speeds else []
    held = [*np.einsum("tpw,pw->tw", same, np.array(old.held))] if old.held else []
    crowded = [old.crowded[0] if old.crowded else np.zeros(worlds)] if form.crowded else []
    made = Pressed(
        [*map(list, pushed), *old.impulses[had:]],
        list(there) if form.numbers else [],
        old.lasted,
        old.residual,
        old.unsolved,
        held,
        crowded,
        old.limited,
        [list(one) for one in speeds],
    )
    refit = replace(living, memory=replace(living.memory, pressed=made))
    return State(world, np.array([np.broadcast_to(x, worlds) for x in leaves(refit)], state.rows.dtype))


def _bounds(world: World) -> int:
    """How many limits, dry frictions and ties a world remembers the impulses of."""
    pressed = resting(world).memory.pressed
    assert pressed is not None
    return len(pressed.impulses) - min(contacts_of(world), world.most_contacts)

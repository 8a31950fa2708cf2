"""Control steps with more contacts than the capacity are repeated with a larger capacity.

Each control step begins with the capacity of the world itself. Its result therefore depends on the state alone, and not
on earlier steps or on other worlds.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gambol.contact.generation.sources import slot_count
from gambol.lanes import leaves
from gambol.world.rest_state import rest_state
from gambol.world.state import Engine, State
from gambol.world.world import World

Array = NDArray[Any]


class GrowingCapacity:
    """Advances states by an engine; control steps over the contact capacity are repeated with twice the capacity.

    engine: engine of the world. numbers: inputs of the worlds, (rows, 1) or (rows, W). threads: the number of threads.
    """

    def __init__(self, engine: Engine, numbers: Array, threads: int = 1) -> None:
        self.engine, self.numbers, self.threads = engine, numbers, threads
        self._last: tuple[Array, Callable[[int], None], Array] | None = (
            None  # the last state's rows, the function that advances them, and memory for a copy
        )

    @cached_property
    def counter_row(self) -> int | None:
        """Row of a state that counts the steps over capacity; None for a world with capacity for all contacts."""
        cache = self.engine.state_rows.memory.contact_cache
        return cast("int", cache.over_capacity[0]) if cache is not None and cache.over_capacity else None

    def advance(self, state: State, until: int) -> None:
        """Advance a state in place to control step `until`, as Engine.advance does, with more capacity where needed."""
        if self._last is None or self._last[0] is not state.rows:
            advancing = bound_advance(self.engine, state, self.numbers, self.threads)
            self._last = state.rows, advancing, state.rows.copy()
        _, advance, initial = self._last
        if self.counter_row is None:
            advance(until)
            return
        initial[:] = state.rows
        advance(until)
        lanes = np.flatnonzero(state.rows[self.counter_row] > initial[self.counter_row])
        if not len(lanes):
            return
        subset = State(state.world, np.ascontiguousarray(initial[:, lanes]))
        for step in range(int(subset.step_state.clock.control_steps.min()) + 1, until + 1):
            self._advance_control_step(subset, step, self._numbers_of(lanes))
        state.rows[:, lanes] = subset.rows

    def _advance_control_step(self, state: State, until: int, numbers: Array) -> None:
        """Advance a state in place by one control step, with more capacity where needed."""
        if self.counter_row is None:
            self.engine.advance(state, until, numbers, self.threads)
            return
        initial = state.rows.copy()
        self.engine.advance(state, until, numbers, self.threads)
        lanes = np.flatnonzero(state.rows[self.counter_row] > initial[self.counter_row])
        if len(lanes):
            subset = State(state.world, np.ascontiguousarray(initial[:, lanes]))
            larger_engine = self.engine.with_more_contacts
            larger_state = resized(subset, larger_engine.world)
            numbers_of_lanes = numbers if numbers.shape[1] == 1 else numbers[:, lanes]
            GrowingCapacity(larger_engine, numbers_of_lanes, self.threads).advance(larger_state, until)
            state.rows[:, lanes] = resized(larger_state, state.world).rows

    def _numbers_of(self, lanes: Array) -> Array:
        """Return the inputs of the worlds in some lanes."""
        return self.numbers if self.numbers.shape[1] == 1 else np.ascontiguousarray(self.numbers[:, lanes])


def bound_advance(engine: Engine, state: State, numbers: Array, threads: int = 1) -> Callable[[int], None]:
    """Return a function advance(until) of one state, as Engine.advance(), without most of the overhead of a call.

    It reads the state and the numbers where they are, so both may be changed in place between calls.
    """
    worlds, program = state.rows.shape[1], engine.advance_program
    columns_fit = numbers.shape[1] == worlds and worlds % program.lanes == 0
    if threads > 1 or not columns_fit or numbers.dtype != program.dtype or not numbers.flags.c_contiguous:
        return partial(engine.advance, state, numbers=numbers, threads=threads)
    target = np.empty((1, worlds), program.dtype)
    run = program.bind(state.rows, numbers, target, out=[state.rows], tables=engine.tables)

    def advance(until: int) -> None:
        target[:] = until
        run()

    return advance


def resized(state: State, world: World) -> State:
    """Return a state converted to another contact capacity; the contacts with the largest impulses are kept.

    state: state of worlds with a contact cache. world: the same world with another contact capacity. A cache with
    capacity for all contacts has no indices; in others the index of an unused entry is -1.
    """
    step_state, template = state.step_state, rest_state(world).memory.contact_cache
    old = step_state.memory.contact_cache
    assert old is not None
    assert template is not None
    worlds, new_count = state.rows.shape[1], len(template.impulses) - _joint_row_count(world)
    old_count = len(old.impulses) - _joint_row_count(state.world)
    old_indices = np.array(old.indices) if old.indices else np.repeat(np.arange(old_count)[:, None], worlds, axis=1)
    impulses = np.array(old.impulses[:old_count]).reshape(old_count, 3, worlds)
    if template.indices:
        order = np.lexsort((old_indices, -impulses[:, 0], old_indices < 0), axis=0)[:new_count]
        new_indices = np.full((new_count, worlds), -1.0)
        new_indices[: len(order)] = np.take_along_axis(old_indices, order, axis=0)
    else:
        new_indices = np.repeat(np.arange(new_count, dtype=float)[:, None], worlds, axis=1)
    matches = ((new_indices[:, None] == old_indices[None]) & (old_indices >= 0)).astype(float)
    impulses = np.einsum("now,ocw->ncw", matches, impulses)
    speeds = [*np.einsum("now,ocw->ncw", matches, np.array(old.speeds))] if old.speeds else []
    sticking = [*np.einsum("now,ow->nw", matches, np.array(old.sticking))] if old.sticking else []
    over_capacity = [old.over_capacity[0] if old.over_capacity else np.zeros(worlds)] if template.over_capacity else []
    resized_cache = replace(
        old,
        impulses=[*map(list, impulses), *old.impulses[old_count:]],
        indices=list(new_indices) if template.indices else [],
        sticking=sticking,
        over_capacity=over_capacity,
        speeds=[list(row) for row in speeds],
    )
    resized_state = replace(step_state, memory=replace(step_state.memory, contact_cache=resized_cache))
    return State(world, np.array([np.broadcast_to(x, worlds) for x in leaves(resized_state)], state.rows.dtype))


def _joint_row_count(world: World) -> int:
    """Return the number of cached impulses of limits, dry frictions and loop constraints."""
    cache = rest_state(world).memory.contact_cache
    assert cache is not None
    return len(cache.impulses) - slot_count(world.scene)

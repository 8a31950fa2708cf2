"""Simulation with detection of events within each step.

If an event function has different signs at the two ends of a step, its zero is located by bracketing. Its value at a
time within the step comes from a shorter step from the same initial state, by the method of the world. Two crossings of
the same function within one step are not detected.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.integrate.events import bracketed_root, sign_changed
from gambol.lanes import Program, ProgramSpec
from gambol.world.events.zero_crossing import DIRECTIONS, EventRecord, ZeroCrossing
from gambol.world.state import Engine, State
from gambol.world.step import RUNNING

Array = NDArray[Any]


class EventDetector:
    """Advances the states of a world and records events.

    engine: engine of the world; events: by name; numbers: inputs of the worlds, (rows, 1) or (rows, W); threads: the
    number of threads.
    """

    def __init__(self, engine: Engine, events: Mapping[str, ZeroCrossing], numbers: Array, threads: int = 1) -> None:
        self.engine, self.events, self.numbers, self.threads = engine, dict(events), numbers, threads
        self.records: list[EventRecord] = []

    @property
    def programs(self) -> tuple[Program, Program]:
        """The compiled programs that advance states and evaluate the event functions."""
        return self.engine.partial_step_program, self.event_program

    @cached_property
    def event_program(self) -> Program:
        """The program that evaluates all event functions, from q and v."""
        figure, events = self.engine.world.figure, list(self.events.values())

        def values_of(q: Any, v: Any) -> tuple[list[Any]]:
            return ([0.0 * q[0] + event.function(q, v) for event in events],)

        spec = ProgramSpec("events", values_of, ([0.0] * figure.nq, [0.0] * figure.nv), 0, None)
        return Program(spec, self.engine.precision, self.engine.lanes)

    def advance(self, state: State, until: int) -> None:
        """Advance a state in place until control step `until` begins in every running world; see Engine.advance."""
        before = self._values(state.rows)
        while self._any_running(state, until):
            start, start_time = state.rows.copy(), state.time
            self.engine.partial_step(state, until, 1.0, self.numbers, self.threads)
            after = self._values(state.rows)
            crossed = sign_changed(before, after) & self._in_direction(after - before)
            if crossed.any():
                steps = _Steps(State(state.world, start), until, state.time - start_time, self.numbers)
                self.records += self._records(steps, before, crossed)
            before = after

    def _any_running(self, state: State, until: int) -> bool:
        clock = state.step_state.clock
        return bool(((clock.control_steps < until) & (clock.status == RUNNING)).any())

    def _values(self, rows: Array) -> Array:
        """Return the values of the event functions, (events, W)."""
        figure = self.engine.world.figure
        q, v = rows[: figure.nq], rows[figure.nq : figure.nq + figure.nv]
        (values,) = self.event_program(np.ascontiguousarray(q), np.ascontiguousarray(v), threads=self.threads)
        return values

    def _in_direction(self, change: Array) -> NDArray[np.bool_]:
        """Return True for changes in the direction of the event, (events, W)."""
        signs = np.array([DIRECTIONS[event.direction] for event in self.events.values()])[:, None]
        return signs * change >= 0.0

    def _records(self, steps: "_Steps", before: Array, crossed: NDArray[np.bool_]) -> Iterator[EventRecord]:
        """Yield the events within steps, by event and lane.

        before: values at the beginning of the steps (events, W); crossed: True for events that occurred (events, W).
        """
        for row, (name, event) in enumerate(self.events.items()):
            lanes = np.flatnonzero(crossed[row])
            if not len(lanes):
                continue
            located = self._locate(steps.of_lanes(lanes), row, before[row, lanes], event.within)
            for k, lane in enumerate(lanes):
                q, v = located.q[k].tolist(), located.v[k].tolist()
                yield EventRecord(name, int(lane), float(located.time[k]), tuple(q), tuple(v))

    def _locate(self, steps: "_Steps", row: int, initial_values: Array, within: float) -> State:
        """Return the states just after the zero of an event function.

        row: row of the function; initial_values: values at the beginning of the steps; within: precision of the time
        [s].
        """

        def state_at(fraction: Array) -> State:
            state = steps.start.copied()
            self.engine.partial_step(state, steps.until, fraction, steps.numbers)
            return state

        def value_at(fraction: Array) -> Array:
            return np.where(fraction > 0.0, self._values(state_at(fraction).rows)[row], initial_values)

        bracket = np.zeros(len(initial_values)), np.ones(len(initial_values))
        return state_at(bracketed_root(value_at, bracket, within / steps.durations))


@dataclass(frozen=True, slots=True)
class _Steps:
    """Steps of some worlds.

    start: initial states; until: the control step before which the steps end; durations: durations of the steps [s];
    numbers: inputs of the worlds.
    """

    start: State
    until: int
    durations: Array
    numbers: Array

    def of_lanes(self, lanes: NDArray[np.intp]) -> "_Steps":
        """Return the steps of the worlds in some lanes."""
        numbers = self.numbers[:, lanes] if self.numbers.shape[1] > 1 else self.numbers
        start = State(self.start.world, self.start.rows[:, lanes])
        return _Steps(start, self.until, self.durations[lanes], numbers)

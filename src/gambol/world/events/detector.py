"""Advancing of states step by step, with detection of events within each step.

A function that differs in sign at the two ends of a step vanishes within it. A part of the step, taken anew from its
beginning, leads to every moment in between, by the world's own method; the root is found among them. A function that
crosses 0 twice within one step is not noticed.
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
    """Advances states of an engine's world and records events. numbers: inputs, (rows, 1) or (rows, W)."""

    def __init__(self, engine: Engine, events: Mapping[str, ZeroCrossing], numbers: Array, threads: int = 1) -> None:
        self.engine, self.events, self.numbers, self.threads = engine, dict(events), numbers, threads
        self.records: list[EventRecord] = []

    @property
    def programs(self) -> tuple[Program, Program]:
        """The compiled programs that advance states and that evaluate the functions."""
        return self.engine.partial_step_program, self.event_program

    @cached_property
    def event_program(self) -> Program:
        """The program of all event functions, of q and v."""
        figure, events = self.engine.world.figure, list(self.events.values())

        def values_of(q: Any, v: Any) -> tuple[list[Any]]:
            return ([0.0 * q[0] + event.function(q, v) for event in events],)

        spec = ProgramSpec("watch", values_of, ([0.0] * figure.nq, [0.0] * figure.nv), 0, None)
        return Program(spec, self.engine.precision, self.engine.lanes)

    def advance(self, state: State, until: int) -> None:
        """Advance a state in place until control step `until` begins in every running world; see Engine.advance."""
        before = self._values(state.rows)
        while self._unfinished(state, until):
            start, since = state.rows.copy(), state.time
            self.engine.partial_step(state, until, 1.0, self.numbers, self.threads)
            after = self._values(state.rows)
            hits = sign_changed(before, after) & self._in_direction(after - before)
            if hits.any():
                steps = _Steps(State(state.world, start), until, state.time - since, self.numbers)
                self.records += self._records(steps, before, hits)
            before = after

    def _unfinished(self, state: State, until: int) -> bool:
        clock = state.step_state.clock
        return bool(((clock.control_steps < until) & (clock.status == RUNNING)).any())

    def _values(self, rows: Array) -> Array:
        """Return the values of the event functions, (events, W)."""
        figure = self.engine.world.figure
        q, v = rows[: figure.nq], rows[figure.nq : figure.nq + figure.nv]
        (values,) = self.event_program(np.ascontiguousarray(q), np.ascontiguousarray(v), threads=self.threads)
        return values

    def _in_direction(self, change: Array) -> NDArray[np.bool_]:
        """Return True for changes in the directions of their events, (events, W)."""
        signs = np.array([DIRECTIONS[event.direction] for event in self.events.values()])[:, None]
        return signs * change >= 0.0

    def _records(self, steps: "_Steps", before: Array, hits: NDArray[np.bool_]) -> Iterator[EventRecord]:
        """Yield the events of some steps, by event and lane; before: values where they began (events, W)."""
        for row, (name, event) in enumerate(self.events.items()):
            lanes = np.flatnonzero(hits[row])
            if not len(lanes):
                continue
            there = self._locate(steps.of_lanes(lanes), row, before[row, lanes], event.within)
            for k, lane in enumerate(lanes):
                q, v = there.q[k].tolist(), there.v[k].tolist()
                yield EventRecord(name, int(lane), float(there.time[k]), tuple(q), tuple(v))

    def _locate(self, steps: "_Steps", row: int, first: Array, within: float) -> State:
        """Return states at which the function of a row has passed 0, to within a time [s]; first: initial values."""

        def part_of_step(part: Array) -> State:
            tried = steps.start.copied()
            self.engine.partial_step(tried, steps.until, part, steps.numbers)
            return tried

        def value_at(part: Array) -> Array:
            return np.where(part > 0.0, self._values(part_of_step(part).rows)[row], first)

        ends = np.zeros(len(first)), np.ones(len(first))
        return part_of_step(bracketed_root(value_at, ends, within / steps.durations))


@dataclass(frozen=True, slots=True)
class _Steps:
    """Steps of some worlds: initial states, control step before which they end, durations [s], the worlds' inputs."""

    start: State
    until: int
    durations: Array
    numbers: Array

    def of_lanes(self, lanes: NDArray[np.intp]) -> "_Steps":
        """Return the steps of some of the worlds."""
        numbers = self.numbers[:, lanes] if self.numbers.shape[1] > 1 else self.numbers
        start = State(self.start.world, self.start.rows[:, lanes])
        return _Steps(start, self.until, self.durations[lanes], numbers)

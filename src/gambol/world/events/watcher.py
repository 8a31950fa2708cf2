"""Moving states step by step, and finding when within a step something happened.

A measure that differs in sign at the two ends of a step vanishes within it. A part of the step, taken anew from where
it began, leads to every moment in between, by the world's own method; the root is found among them. What passes 0 and
comes back within one step is not seen.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.integrate.events import crossed, root_between
from gambol.lanes import Program, Recipe
from gambol.world.events.watch import DIRECTIONS, Happening, Watch
from gambol.world.state import Engine, State
from gambol.world.step import RUNNING

Array = NDArray[Any]


class Watcher:
    """Moves states of an engine's world while it watches. numbers: of the worlds, (rows, 1) or (rows, W)."""

    def __init__(self, engine: Engine, watched: Mapping[str, Watch], numbers: Array, threads: int = 1) -> None:
        self.engine, self.watched, self.numbers, self.threads = engine, dict(watched), numbers, threads
        self.happened: list[Happening] = []

    @property
    def programs(self) -> tuple[Program, Program]:
        """What moves and what measures, compiled."""
        return self.engine.strider, self.measures

    @cached_property
    def measures(self) -> Program:
        """The program of what is watched, of q and v."""
        figure, watched = self.engine.world.figure, list(self.watched.values())

        def seen(q: Any, v: Any) -> tuple[list[Any]]:
            return ([0.0 * q[0] + one.measure(q, v) for one in watched],)

        recipe = Recipe("watch", seen, ([0.0] * figure.nq, [0.0] * figure.nv), 0, None)
        return Program(recipe, self.engine.precision, self.engine.lanes)

    def move(self, state: State, until: int) -> None:
        """Move a state in place until frame `until` begins in every world that still runs; see Engine.move."""
        before = self._measured(state.rows)
        while self._goes_on(state, until):
            begun, since = state.rows.copy(), state.time
            self.engine.stride(state, until, 1.0, self.numbers, self.threads)
            after = self._measured(state.rows)
            hits = crossed(before, after) & self._wanted(after - before)
            if hits.any():
                steps = _Steps(State(state.world, begun), until, state.time - since, self.numbers)
                self.happened += self._found(steps, before, hits)
            before = after

    def _goes_on(self, state: State, until: int) -> bool:
        clock = state.living.clock
        return bool(((clock.frame < until) & (clock.status == RUNNING)).any())

    def _measured(self, rows: Array) -> Array:
        """What is watched, (watches, W)."""
        figure = self.engine.world.figure
        q, v = rows[: figure.nq], rows[figure.nq : figure.nq + figure.nv]
        (values,) = self.measures(np.ascontiguousarray(q), np.ascontiguousarray(v), threads=self.threads)
        return values

    def _wanted(self, change: Array) -> NDArray[np.bool_]:
        """Which changes are in the directions that are watched, (watches, W)."""
        ways = np.array([DIRECTIONS[one.direction] for one in self.watched.values()])[:, None]
        return ways * change >= 0.0

    def _found(self, steps: "_Steps", before: Array, hits: NDArray[np.bool_]) -> Iterator[Happening]:
        """What happened in some steps, by watch and lane. before: what was measured where they began (watches, W)."""
        for row, (name, one) in enumerate(self.watched.items()):
            lanes = np.flatnonzero(hits[row])
            if not len(lanes):
                continue
            there = self._located(steps.of_lanes(lanes), row, before[row, lanes], one.within)
            for k, lane in enumerate(lanes):
                q, v = there.q[k].tolist(), there.v[k].tolist()
                yield Happening(name, int(lane), float(there.time[k]), tuple(q), tuple(v))

    def _located(self, steps: "_Steps", row: int, first: Array, within: float) -> State:
        """Where a measure, of a row, has passed 0 after its values at first, to within a time [s]."""

        def part_of_step(part: Array) -> State:
            tried = steps.begun.copied()
            self.engine.stride(tried, steps.until, part, steps.numbers)
            return tried

        def measured(part: Array) -> Array:
            return np.where(part > 0.0, self._measured(part_of_step(part).rows)[row], first)

        ends = np.zeros(len(first)), np.ones(len(first))
        return part_of_step(root_between(measured, ends, within / steps.took))


@dataclass(frozen=True, slots=True)
class _Steps:
    """Steps of some worlds: where they begin, before which frame they end, what they took [s], the worlds' numbers."""

    begun: State
    until: int
    took: Array
    numbers: Array

    def of_lanes(self, lanes: NDArray[np.intp]) -> "_Steps":
        """The steps of some of the worlds."""
        numbers = self.numbers[:, lanes] if self.numbers.shape[1] > 1 else self.numbers
        begun = State(self.begun.world, self.begun.rows[:, lanes])
        return _Steps(begun, self.until, self.took[lanes], numbers)

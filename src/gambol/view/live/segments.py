"""Segments of a run in a page: between two of them a script changed the world or its state.

Segments whose worlds differ in numbers only share the programs of the page. At the end of a segment the page goes on to
the next one: rows of the state that the script set get the values that they had in the run, all others keep theirs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.view.live.disturbance import LiveWorld, live_world
from gambol.view.live.posing import posing
from gambol.view.live.settings import settings
from gambol.world import State

CLOCK_TOLERANCE = 1e-9
"""Relative difference between a film's time and that of a world's clock which is only rounding."""


@dataclass(frozen=True, eq=False)
class LiveSegment:
    """A segment of a run.

    state: its first state, of one world. begin: time of the film at which it begins [s]. last_step: control step of its
    world that begins at its end. origin: for each row of the first state the row of the last state of the segment
    before that it continues, or -1 if it has a new value. label: what began it, in words. numbers: inputs of its world
    (rows, 1); None: the world's own.
    """

    state: State
    begin: float
    last_step: int
    origin: NDArray[np.int_]
    label: str = ""
    numbers: NDArray[Any] | None = None


@dataclass(frozen=True)
class PlacedSegment:
    """A segment with its world in the page. world: index of its programs; live: its worlds and numbers."""

    segment: LiveSegment
    world: int
    live: LiveWorld

    def data(self, shared: Mapping[str, Any], *, is_last: bool) -> dict[str, Any]:
        """Return the segment as data for JSON.

        shared: the description of the first segment with its programs; is_last: True for the last segment.
        """
        segment, origin, live = self.segment, self.segment.origin, self.live
        lag = segment.begin - float(segment.state.time[0])
        values = dict.fromkeys(shared["numbers"], 0.0)
        values |= dict(zip(live.number_names, live.numbers[:, 0].tolist(), strict=False))
        own = {"settings": settings(live.engine.world, values), "pose": posing(live.numbered_world)}
        return {
            "world": self.world,
            "begin": segment.begin,
            "label": segment.label,
            "until": None if is_last else segment.last_step,
            "offset": lag if abs(lag) > CLOCK_TOLERANCE * max(1.0, segment.begin) else 0.0,
            "origin": None if np.array_equal(origin, np.arange(len(origin))) else origin.tolist(),
            "own": {name: x for name, x in own.items() if x != shared[name]},
        }


def placed_segments(segments: Sequence[LiveSegment], *, hills: bool) -> list[PlacedSegment]:
    """Return segments with their worlds in a page; those of equal programs have the same index.

    hills: True for hills, which the ground can have only if all segments have the same programs.
    """
    lives = [_live_world(segment, hills=False) for segment in segments]
    firsts: list[LiveWorld] = []
    for live in lives:
        if not any(_have_equal_programs(first, live) for first in firsts):
            firsts.append(live)
    if hills and len(firsts) == 1:
        hilly = _live_world(segments[0], hills=True).hilly
        lives = [replace(live, hilly=hilly) for live in lives]
    return [
        PlacedSegment(segment, next(k for k, first in enumerate(firsts) if _have_equal_programs(first, live)), live)
        for segment, live in zip(segments, lives, strict=True)
    ]


def _live_world(segment: LiveSegment, *, hills: bool) -> LiveWorld:
    return live_world(State(segment.state.world, segment.state.rows.copy()), segment.numbers, grab=True, hills=hills)


def _have_equal_programs(first: LiveWorld, other: LiveWorld) -> bool:
    """Return True if two worlds have the same programs, with the same ground."""
    tables = zip(first.undisturbed.tables, other.undisturbed.tables, strict=False)
    return (
        first.undisturbed.world.structure() == other.undisturbed.world.structure()
        and first.engine.world.structure() == other.engine.world.structure()
        and all(np.array_equal(table, other_table) for table, other_table in tables)
    )

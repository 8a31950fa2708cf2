"""Events of a run: zero crossings of functions of (q, v), and records of the events that occurred."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar

EventFunction: TypeAlias = Callable[[Sequence[Scalar], Sequence[Scalar]], Scalar]
"""A function of q (nq) and v (nv), written in generic scalars."""

DIRECTIONS = {"rising": 1.0, "falling": -1.0, "either": 0.0}


@dataclass(frozen=True, slots=True)
class ZeroCrossing:
    """An event: a function of (q, v) changes its sign.

    function: function of (q, v). direction: "rising", "falling" or "either". within: precision of the time of the event
    [s]. For a landing on compliant ground use a height, which becomes negative; on rigid ground use the speed of
    approach, which a bounce reverses. Raises WorldError for another direction, and for a precision that is not positive
    and finite.
    """

    function: EventFunction
    direction: str = "either"
    within: float = 1e-9

    def __post_init__(self) -> None:
        if self.direction not in DIRECTIONS:
            advice = did_you_mean(self.direction, DIRECTIONS)
            raise WorldError(f'an event cannot be watched in the direction "{self.direction}"; {advice}')
        if not 0.0 < self.within < math.inf:
            raise WorldError(f"an event cannot be located within {self.within} s; give more than 0, such as 1e-9")


@dataclass(frozen=True, slots=True)
class EventRecord:
    """An event that occurred: its name, lane and time [s], and q (nq) and v (nv) at that time.

    The time is after the zero crossing, by at most the precision of the event.
    """

    name: str
    lane: int
    time: float
    q: tuple[float, ...]
    v: tuple[float, ...]


def zero_crossings(events: Mapping[str, ZeroCrossing | EventFunction]) -> dict[str, ZeroCrossing]:
    """Return events by name as ZeroCrossings; a function alone counts in either direction.

    Raises WorldError for an event of another type.
    """
    crossings: dict[str, ZeroCrossing] = {}
    for name, event in events.items():
        if not (isinstance(event, ZeroCrossing) or callable(event)):
            raise WorldError(f'the event "{name}" is {event!r}; give a function of (q, v), or a ZeroCrossing')
        crossings[name] = event if isinstance(event, ZeroCrossing) else ZeroCrossing(event)
    return crossings

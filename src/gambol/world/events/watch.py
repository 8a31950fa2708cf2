"""What to watch for in a run, and what is told of it when it happens."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar

Measure: TypeAlias = Callable[[Sequence[Scalar], Sequence[Scalar]], Scalar]
"""A formula of q (nq) and v (nv) on generic scalars."""

DIRECTIONS = {"rising": 1.0, "falling": -1.0, "either": 0.0}


@dataclass(frozen=True, slots=True)
class Watch:
    """Something to watch for: a measure passes 0.

    direction: "rising", "falling" or "either". within: how precisely its time is to be known [s]. A soft ground is
    sunk into, so that a height passes 0; of a solid one, watch the speed of approach, which a bounce turns.
    Raises WorldError for another direction, and for a precision that cannot be.
    """

    measure: Measure
    direction: str = "either"
    within: float = 1e-9

    def __post_init__(self) -> None:
        if self.direction not in DIRECTIONS:
            cure = did_you_mean(self.direction, DIRECTIONS)
            raise WorldError(f'an event cannot be watched in the direction "{self.direction}"; {cure}')
        if not 0.0 < self.within < math.inf:
            raise WorldError(f"an event cannot be located within {self.within} s; give more than 0, such as 1e-9")


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that was watched for and happened: its name, lane, time [s], and q (nq) and v (nv) there.

    The measure has already passed 0 there, by less than it does in the precision of the time.
    """

    name: str
    lane: int
    time: float
    q: tuple[float, ...]
    v: tuple[float, ...]


def watches(given: Mapping[str, Watch | Measure]) -> dict[str, Watch]:
    """What to watch for by name; a bare measure is watched in either direction. Others raise WorldError."""
    found: dict[str, Watch] = {}
    for name, one in given.items():
        if not (isinstance(one, Watch) or callable(one)):
            raise WorldError(f'the event "{name}" is {one!r}; give a function of (q, v), or a Watch of one')
        found[name] = one if isinstance(one, Watch) else Watch(one)
    return found

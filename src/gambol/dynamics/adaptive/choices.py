"""Choices of active joints, the states to which they may return, and when they are made."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.impulses import ImpulseMemory

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

MAX_ACTIVE_FRACTION = 0.5
"""Fraction of active joints above which all are active: holding others would save less time than choosing takes."""

MIN_ALL_ACTIVE_INTERVALS, MAX_ALL_ACTIVE_INTERVALS = 8, 32
"""Intervals until the next choice while all joints are active: doubled at each choice that keeps them active, so that
these choices, of which each costs as much as some tens of steps, take a small fraction of the time."""

MAX_REPEATS = 3
"""Largest number of times that the steps of an interval are repeated with more active joints."""

UNCHANGED_FRACTION = 0.5
"""With a number of joints, they do not change if a new choice would leave more than this fraction of the squared error:
a change costs more than a few unnecessary active joints."""

CHOSEN_FRACTION, KEPT_FRACTION = 0.5, 0.2
"""With an error bound, joints are chosen that leave this fraction of the squared bound, and they are kept while they
leave between KEPT_FRACTION of it and all. Missed speeds add up: if the choice left all of it, the joints would change
in each interval, and intervals would be repeated. With 1 and 0.5 instead, a tree of 1,024 leaves takes 1.8 times as
long, and its error is larger."""

STOPPED_FRACTION = 0.1
"""With an error bound, active joints become passive only if their squared errors add up to at most this fraction of the
squared bound. Without this limit, a pendulum of 300 links, whose joints turn slowly, stopped under a bound of 0.1
rad/s, and its links were 17 % of their path away from the full motion; with it less than 0.01 %."""


@dataclass(frozen=True, slots=True)
class ActiveJoints:
    """A choice of active joints.

    time: time of the choice [s]. joints: number of active joints. error: largest change of speed of the passive joints
    until the next choice, if they were not held and accelerations stayed constant, as the root of the weighted mean
    square over all degrees of freedom [rad/s, m/s]; with an error bound it includes what they have missed before, since
    they are held. missed: an estimate of the speeds that the joints have missed that were held until this choice, by
    their accelerations at this choice; with an error bound since they are held, else in the last interval.
    """

    time: float
    joints: int
    error: float
    missed: float


@dataclass
class SavedState:
    """A state to which a choice may return. forces: those of contacts; steps: steps since; repeats: how often it was
    returned to.
    """

    time: float
    q: Array
    v: Array
    active: Flags
    forces: ImpulseMemory
    steps: int = 0
    repeats: int = 0


def next_interval(intervals: int, all_active: bool) -> int:
    """Return the number of intervals until the next choice; intervals: until the last one."""
    if not all_active:
        return 1
    return min(max(2 * intervals, MIN_ALL_ACTIVE_INTERVALS), MAX_ALL_ACTIVE_INTERVALS)


def active_or_all(active: Flags, movable: Flags, inner: Flags) -> Flags:
    """Return active nodes, or all inner ones if so many are active that holding the others saves nothing."""
    return inner if (active & movable).sum() > MAX_ACTIVE_FRACTION * movable.sum() else active

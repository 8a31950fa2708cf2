"""Stances of limbs from their loads over time, and strides from the events of limbs.

An event of a limb is a frame in which it begins to stand, or to step. A stride is from one event of a chosen limb to
its next, and the phase of any event is the fraction of the stride in which it lies.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Frames = NDArray[np.intp]

MIN_DURATION = 0.1
"""Minimum duration of a contact or flight that counts, divided by sqrt(height / g)."""


def stance_of(load: Array, time: Array, brief: float) -> NDArray[np.bool_]:
    """Return True for frames (F,) in which a limb stands: the ground pushes it; brief contacts and flights are ignored.

    load (F,): load of the limb [N]; time (F,) [s]; brief: the largest duration that does not count [s].
    """
    return without_brief_changes(load > 0.0, time, brief)


def without_brief_changes(on: NDArray[np.bool_], time: Array, brief: float) -> NDArray[np.bool_]:
    """Return booleans (F,) without brief intervals: first short gaps are closed, then short contacts are dropped.

    on (F,): True while a limb stands; time, brief: as for stance_of().
    """
    return _without_brief(_without_brief(on, time, brief, value=False), time, brief, value=True)


def _without_brief(on: NDArray[np.bool_], time: Array, brief: float, *, value: bool) -> NDArray[np.bool_]:
    """Return booleans (F,) in which intervals of a value that are shorter than `brief` [s] are inverted.

    Intervals at the start or the end do not change.
    """
    result = on.copy()
    changes = np.flatnonzero(on[1:] != on[:-1]) + 1
    for a, b in pairwise(changes):
        if on[a] == value and time[b] - time[a] < brief:
            result[a:b] = not value
    return result


def beginnings(on: NDArray[np.bool_]) -> Frames:
    """Return the frames in which a limb begins to stand, or to step; on (F,): True while it does, see stance_of()."""
    return np.flatnonzero(on[1:] & ~on[:-1]) + 1


@dataclass(frozen=True)
class Strides:
    """The strides of one walk.

    edges: frames in which they begin, and the last one's end; stride k is from edges[k] to edges[k + 1]. events: for
    each limb, its events between the first and the last edge. phases: phases of these events, as fractions of their
    stride.
    """

    edges: Frames
    events: tuple[Frames, ...]
    phases: tuple[Array, ...]

    @property
    def count(self) -> int:
        """Number of whole strides."""
        return max(0, len(self.edges) - 1)


def strides_between(edges: Frames, events: Sequence[Frames], time: Array) -> Strides:
    """Return the strides between edges, with the events of each limb in them. time (F,): times of the frames [s]."""
    if len(edges) < 2:
        return Strides(edges, tuple(np.empty(0, np.intp) for _ in events), tuple(np.empty(0) for _ in events))
    within = tuple(limb[(limb >= edges[0]) & (limb < edges[-1])] for limb in events)
    return Strides(edges, within, tuple(_phases(edges, limb, time) for limb in within))


def _phases(edges: Frames, events: Frames, time: Array) -> Array:
    stride = np.searchsorted(edges, events, side="right") - 1
    start, end = time[edges[stride]], time[edges[stride + 1]]
    return (time[events] - start) / (end - start)


def mean_phase(phases: Array) -> float:
    """Return the circular mean of phases, in [0, 1); NaN if there are none."""
    if not len(phases):
        return math.nan
    mean = float(np.angle(np.exp(2j * math.pi * phases).mean())) / (2.0 * math.pi)
    return round(mean, 12) % 1.0

"""Stances and strides from the loads of feet over time."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

BRIEF = 0.1
"""Largest duration of a contact or flight that does not count, over sqrt(height / g)."""


def stance_of(load: Array, time: Array, brief: float) -> NDArray[np.bool_]:
    """Return True for frames (F,) in which a limb stands: the ground pushes it; brief contacts and flights are ignored.

    load (F,): load of the limb [N]; time (F,) [s]; brief: the largest duration that does not count [s].
    """
    return _without_brief(_without_brief(load > 0.0, time, brief, value=False), time, brief, value=True)


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


def touchdowns(stance: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the frames in which a limb begins to stand. stance (F,): see stance_of()."""
    return np.flatnonzero(stance[1:] & ~stance[:-1]) + 1

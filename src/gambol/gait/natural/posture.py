"""Measures of the trunk, the head and the tail: their pitch, and the lag of the tail."""

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gambol.gait.animals import component
from gambol.gait.natural.steady_gait import SteadyGait

Array = NDArray[np.float64]

MIN_YAW = 1e-3
"""Minimum yaw at the frequency of strides for which a lag is measured [rad]."""


def trunk_pitch(gait: SteadyGait) -> float:
    """Return the mean range of the trunk's pitch in a stride [deg]."""
    return _pitch_range(gait, gait.trunk)


def head_pitch(gait: SteadyGait) -> float:
    """Return the mean range of the head's pitch in a stride [deg]; NaN without a link with "head" in its name."""
    head = _link(gait, "head")
    return math.nan if head is None else _pitch_range(gait, head)


def tail_lag(gait: SteadyGait) -> float:
    """Return the lag of the tail's yaw behind the trunk's yaw [cycles], in [0, 1).

    The tail is the last link with "tail" in its name. NaN without a tail, and if tail or trunk do not yaw.
    """
    tail = _link(gait, "tail")
    if tail is None:
        return math.nan
    trunk_wave, tail_wave = (component(gait.time, _yaw(R), gait.frequency) for R in (gait.trunk, tail))
    if min(abs(trunk_wave), abs(tail_wave)) < MIN_YAW:
        return math.nan
    return float(np.angle(trunk_wave / tail_wave) / (2.0 * math.pi)) % 1.0


def _link(gait: SteadyGait, word: str) -> Array | None:
    """Return the rotations (F, 3, 3) of the last link with a word in its name."""
    names = [name for name in gait.links if word in name.lower()]
    return gait.links[names[-1]] if names else None


def _pitch_range(gait: SteadyGait, R: Array) -> float:
    pitch = np.degrees(np.unwrap(np.arctan2(R[:, 0, 2], R[:, 2, 2])))
    return float(np.mean([np.ptp(pitch[a : b + 1]) for a, b in pairwise(gait.edges)]))


def _yaw(R: Array) -> Array:
    return np.unwrap(np.arctan2(R[:, 1, 0], R[:, 0, 0]))

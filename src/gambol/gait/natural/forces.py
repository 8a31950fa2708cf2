"""Measures of the ground's forces on the feet: number of humps, load on the front feet, braking and driving."""

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gambol.gait.animals import hump_count
from gambol.gait.natural.steady_gait import SteadyGait

Array = NDArray[np.float64]

STANCE_SAMPLES = 64
"""Number of samples of a stance, at which the forces of all stances are averaged."""


def humps(gait: SteadyGait) -> float:
    """Return the number of humps of the vertical force on a foot, mean over the feet; NaN without a whole stance."""
    counts = [hump_count(profile) for k in range(len(gait.feet)) if (profile := stance_profile(gait, k)) is not None]
    return float(np.mean(counts)) if counts else math.nan


def stance_profile(gait: SteadyGait, foot: int) -> Array | None:
    """Return the mean force on a foot from landing to lift-off (STANCE_SAMPLES,) [N]; None without a whole stance."""
    stance = gait.stance[:, foot]
    changes = np.flatnonzero(stance[1:] != stance[:-1]) + 1
    spans = [(a, b) for a, b in pairwise(changes) if stance[a]]
    if not spans:
        return None
    x = np.linspace(0.0, 1.0, STANCE_SAMPLES)
    load = gait.load[:, foot]
    return np.mean([np.interp(x, np.linspace(0.0, 1.0, b - a + 2), load[a - 1 : b + 1]) for a, b in spans], axis=0)


def front_load(gait: SteadyGait) -> float:
    """Return the fraction of the load that the front pair of four feet carries; NaN for other creatures."""
    if not _has_two_pairs(gait):
        return math.nan
    front, hind = (float(gait.load[:, list(pair)].sum()) for pair in gait.pairs)
    return front / (front + hind)


def fore_aft_balance(gait: SteadyGait) -> float:
    """Return the mean forward force on the hind pair minus that on the front pair, divided by the weight.

    NaN for other than four feet, and for a film without contacts.
    """
    if gait.force is None or not _has_two_pairs(gait):
        return math.nan
    front, hind = (float(gait.force[:, list(pair), 0].sum(axis=1).mean()) for pair in gait.pairs)
    return (hind - front) / gait.weight


def _has_two_pairs(gait: SteadyGait) -> bool:
    return [len(pair) for pair in gait.pairs] == [2, 2]

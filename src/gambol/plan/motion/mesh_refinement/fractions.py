"""The first mesh of a plan: fractions of each phase at which intervals begin and end."""

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gambol.plan.motion.spec.phases import Duration, Phase
from gambol.plan.motion.spec.plan import Plan
from gambol.plan.motion.transcription.scales import scales_of
from gambol.plan.motion.transcription.schemes import Scheme
from gambol.plan.motion.transcription.times import TIME_TOLERANCE, named_times

MIN_INTERVALS = 2
"""Minimum number of intervals of a phase."""


def guessed_duration(plan: Plan, phase: Phase) -> float:
    """Return the duration of a phase in the first guess [s]: the middle of its bounds."""
    return middle(phase.duration, 3.0 * scales_of(plan.figure).time)


def middle(duration: Duration, beyond: float) -> float:
    """Return a number, or the middle of two; if the upper one is infinite, the lower one plus `beyond`."""
    if isinstance(duration, (int, float)):
        return float(duration)
    low, high = duration
    return 0.5 * (low + high) if math.isfinite(high) else low + beyond


def first_knots(plan: Plan) -> list[NDArray[np.float64]]:
    """Return the ends of the intervals of each phase as fractions from 0 to 1, with every time that a goal names."""
    seconds = [guessed_duration(plan, phase) for phase in plan.phases]
    named = named_times(plan)
    knots: list[NDArray[np.float64]] = []
    for number, phase in enumerate(plan.phases):
        proportional = round(plan.mesh.intervals * seconds[number] / sum(seconds))
        intervals = phase.intervals or max(proportional, MIN_INTERVALS)
        inner = sorted({f for k, f in named if k == number and TIME_TOLERANCE < f < 1.0 - TIME_TOLERANCE})
        breaks = [0.0, *inner, 1.0]
        pieces = [np.linspace(a, b, max(1, round(intervals * (b - a))) + 1)[:-1] for a, b in pairwise(breaks)]
        knots.append(np.append(np.concatenate(pieces), 1.0))
    return knots


def nodes_of(scheme: Scheme, knots: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the fractions of all nodes of a scheme; knots: ends of the intervals."""
    inner = [a + (b - a) * c for a, b in pairwise(knots) for c in scheme.nodes[:-1]]
    return np.append(np.array(inner), knots[-1])

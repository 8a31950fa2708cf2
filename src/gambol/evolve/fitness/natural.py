"""Terms that compare a rollout with animals of the creature's mass, from the measures of gambol.gait.natural.

A term is 1 if its measure is in the range of animals, and 1 / (1 + (d / w)^2) at a distance d from the range, where w
is half the width of the range, or the absolute value of its bound if it has only one. A term is 0 for a creature that
makes fewer than two whole strides, and if the class of gait has no range. For the sources of the ranges see the
measures.
"""

import math
from collections.abc import Callable, Iterable

import numpy as np

from gambol.dynamics import STANDARD_GRAVITY
from gambol.errors import EvolveError
from gambol.evolve.fitness.sampling import FEET, FORCES, POSES, SIGNALS
from gambol.evolve.fitness.trajectory import Array, Trajectory
from gambol.gait.animals.reference import Range
from gambol.gait.natural import MEASURES, Measure, SteadyGait, class_of

PREFIX = "animal "
"""The names of these terms begin with this prefix; the name of the measure follows."""

WITHOUT_TERM = ("stride variation", "stride memory")
"""Measures without a term: strides without noise do not vary."""

SIGNALS_OF = {
    "fore-aft balance": (FEET, FORCES),
    "foot slide": (FEET, POSES),
    "head pitch": (FEET, POSES),
    "tail lag": (FEET, POSES),
}
"""The signals of the feet that measures need, by measure; others need FEET only."""


def at_froude(trajectory: Trajectory, *, wanted: float) -> Array:
    """Return a score of the speed along the initial heading: 1 at the desired Froude number, 0 at rest.

    wanted: desired Froude number v^2 / (g h), with the standing height h of the trunk. The score is as for at_speed().
    """
    speed = np.sqrt(wanted * STANDARD_GRAVITY * trajectory.standing_height)
    error = np.abs(trajectory.quarter_speeds * trajectory.length - speed)
    return 1.0 - np.ascontiguousarray(error.T).mean(axis=1) / speed


def closeness(value: float, expected: Range | None) -> float:
    """Return the score of a measure's value, from 0 to 1. expected: its range, None if there is none."""
    if expected is None or not math.isfinite(value):
        return 0.0
    low, high = expected
    distance = max(low - value, value - high, 0.0)
    half_width = 0.5 * (high - low) if math.isfinite(high - low) else abs(low if math.isfinite(low) else high)
    return 1.0 if distance == 0.0 else 1.0 / (1.0 + (distance / max(half_width, 1e-9)) ** 2)


def score(measure: Measure, strides: SteadyGait | None, gait: str = "") -> float:
    """Return the score of a rollout.

    strides: its strides, None for fewer than two. gait: class of gait whose range is used; "": the class of the
    strides.
    """
    if strides is None:
        return 0.0
    return closeness(measure.value(strides), measure.expected(strides, gait or class_of(strides)))


def _term(measure: Measure) -> Callable[..., Array]:
    recorded = {FORCES: "forces", POSES: "slid"}  # a field of a trajectory with each signal
    needed = [signal for signal in SIGNALS_OF.get(measure.name, ()) if signal in recorded]

    def term(trajectory: Trajectory, *, gait: str = "") -> Array:
        for signal in needed:
            if getattr(trajectory, recorded[signal]) is None:
                name = f"{PREFIX}{measure.name}"
                raise EvolveError(f'{signal} of feet were not sampled; the term "{name}" needs a task that has it')
        return np.array([score(measure, strides, gait) for strides in trajectory.gaits])

    return term


def signals_of(terms: Iterable[str]) -> tuple[str, ...]:
    """Return the signals of the feet that terms need, by their names, in the order of SIGNALS."""
    names = [name.removeprefix(PREFIX) for name in terms if name in NATURAL_TERMS]
    needed = {signal for name in names for signal in SIGNALS_OF.get(name, (FEET,))}
    return tuple(signal for signal in SIGNALS if signal in needed)


NATURAL_TERMS = {PREFIX + measure.name: _term(measure) for measure in MEASURES if measure.name not in WITHOUT_TERM}
"""The terms by name."""

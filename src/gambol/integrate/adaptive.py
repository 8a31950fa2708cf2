"""Step size control from error estimates: acceptance of a step and the length of the next, separately in each lane.

    r = max_i |error_i| / tolerance_i     accept if r <= 1        h' = h clamp(0.9 r^(-1/p), 1/5, 4)
p is the order of the method. The error is that of the embedded method of order p - 1, which grows with h^p.
[Press et al. 1988, section 15.2; Hairer, Norsett and Wanner 1993, section II.4]
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.lanes import Scalar, clamp, exp, floor, log, maximum

SAFETY, MIN_FACTOR = 0.9, 0.2
MAX_FACTOR = 4.0
"""Maximum ratio of a step to the previous step."""
MIN_RATIO = 1e-12
"""Lower bound of an error ratio, which keeps its logarithm finite. Much larger ratios already give MAX_FACTOR."""

NOT_FINITE_RATIO = 1e30
"""The error ratio of a step that is not finite or did not converge: the next step is shortened by MIN_FACTOR."""


@dataclass(frozen=True, slots=True)
class StepDecision:
    """The decision about a step.

    accept: True where the step is accurate enough. next_step: length of the next step [s].
    """

    accept: Scalar
    next_step: Scalar


def error_ratio(error: Sequence[Scalar], weights: Sequence[Scalar]) -> Scalar:
    """Return the largest ratio of an error to its tolerance.

    error: error of each coordinate. weights: 1 / tolerances.
    """
    largest: Scalar = MIN_RATIO
    for e, w in zip(error, weights, strict=True):
        largest = maximum(abs(e) * w, largest)
    return largest


def step_decision(ratio: Scalar, h: Scalar, order: int) -> StepDecision:
    """Return the decision about a step.

    ratio: error divided by tolerance; NaN shortens the step by MIN_FACTOR. h: length of the step [s]; order: order of
    the method.
    """
    factor = clamp(SAFETY * exp(log(ratio) * (-1.0 / order)), MIN_FACTOR, MAX_FACTOR)
    return StepDecision(ratio <= 1.0, h * factor)


def fitted_step(remaining: Scalar, h: Scalar) -> Scalar:
    """Return the longest step, at most h, such that a whole number of steps fills the remaining time.

    remaining: remaining time [s]; h: maximum step [s]. Returns the length of the step [s].
    """
    count = -floor(-(remaining / h) * (1.0 - 1e-6))  # no additional step for a remainder that is only rounding
    return remaining / maximum(count, 1.0)

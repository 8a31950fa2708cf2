"""Step size control from error estimates: acceptance of a step and the length of the next, separately in each lane.

    r = max_i |error_i| / weight_i        accept if r <= 1        h' = h clamp(0.9 r^(-1/p), 1/5, 4)
p is the order of the method; the estimated error, that of its embedded method of order p - 1, grows with h^p.
[Press et al. 1988, section 15.2; Hairer, Norsett and Wanner 1993, section II.4]
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.lanes import Scalar, clamp, exp, floor, log, maximum

SAFETY, MIN_FACTOR, MAX_FACTOR = 0.9, 0.2, 4.0
SMALLEST_RATIO = 1e-12
"""Lower bound of an error ratio, which keeps its logarithm finite; far larger ratios give MAX_FACTOR already."""

NOT_FINITE_RATIO = 1e30
"""The error ratio of a step with a result that is not finite: the next one is shortened by MIN_FACTOR."""


@dataclass(frozen=True, slots=True)
class StepDecision:
    """accept: True where the step is accurate enough. next_step: the length of the next step [s]."""

    accept: Scalar
    next_step: Scalar


def error_ratio(error: Sequence[Scalar], weights: Sequence[Scalar]) -> Scalar:
    """Return the largest ratio of an error to its tolerance. weights: 1 over each tolerance."""
    worst: Scalar = SMALLEST_RATIO
    for e, w in zip(error, weights, strict=True):
        worst = maximum(abs(e) * w, worst)
    return worst


def step_decision(ratio: Scalar, h: Scalar, order: int) -> StepDecision:
    """Return whether to accept a step, and the length of the next one.

    ratio: error over tolerance; NaN shortens the step by MIN_FACTOR. h: length of the step [s]; order: of the method.
    """
    factor = clamp(SAFETY * exp(log(ratio) * (-1.0 / order)), MIN_FACTOR, MAX_FACTOR)
    return StepDecision(ratio <= 1.0, h * factor)


def fitted_step(remaining: Scalar, h: Scalar) -> Scalar:
    """Return the length of a step such that equal steps fill the remaining time exactly.

    remaining: time [s]; h: the longest step [s]. Returns the remaining time over an integer, at most h [s].
    """
    parts = -floor(-(remaining / h) * (1.0 - 1e-6))
    return remaining / maximum(parts, 1.0)

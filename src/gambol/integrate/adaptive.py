"""Error control: how good a step was, whether to keep it, and how long the next one is. Each lane has its own.

    r = max_i |error_i| / weight_i        keep if r <= 1        h' = h clamp(0.9 r^(-1/p), 1/5, 4)
p is the order of the method, whose error, that of its companion of order p - 1, grows with h^p.
[Press et al. 1988, section 15.2; Hairer, Norsett and Wanner 1993, section II.4]
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.lanes import Scalar, clamp, exp, floor, log, maximum

SAFETY, SHRINK, GROW = 0.9, 0.2, 4.0
SMALLEST_RATIO = 1e-12
"""Errors below this part of the tolerance lengthen a step no further; keeps the logarithm finite."""

HOPELESS = 1e30
"""The error over what is allowed of a step that led to no number: the next try is as short as one may be."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """keep: whether the step is good enough. next_step: what to try next [s]."""

    keep: Scalar
    next_step: Scalar


def error_ratio(error: Sequence[Scalar], weights: Sequence[Scalar]) -> Scalar:
    """The largest error over its weight."""
    worst: Scalar = SMALLEST_RATIO
    for e, w in zip(error, weights, strict=True):
        worst = maximum(abs(e) * w, worst)
    return worst


def judged(ratio: Scalar, h: Scalar, order: int) -> Verdict:
    """What an error ratio means for a step of length h [s]; a ratio that is no number shortens it most."""
    factor = clamp(SAFETY * exp(log(ratio) * (-1.0 / order)), SHRINK, GROW)
    return Verdict(ratio <= 1.0, h * factor)


def dealt(rest: Scalar, h: Scalar) -> Scalar:
    """The step to take when rest is left of a frame: rest in equal parts no longer than h, so that no crumb remains."""
    parts = -floor(-(rest / h) * (1.0 - 1e-6))
    return rest / maximum(parts, 1.0)

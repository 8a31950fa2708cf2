"""Random smooth formulas over generic scalars."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gambol.lanes import atan2, cos, exp, log, minimum, sin, sqrt, where

Formula = Callable[[Sequence[Any]], list[Any]]

STEPS: tuple[Callable[[Any, Any], Any], ...] = (
    lambda a, b: a + b,
    lambda a, b: a - 0.7 * b,
    lambda a, b: a * b,
    lambda a, b: a / (2.0 + cos(b)),
    lambda a, b: sin(a) * b,
    lambda a, b: sqrt(1.0 + a * a) - b,
    lambda a, b: exp(minimum(a, 1.0)) * 0.3 + b,
    lambda a, b: log(3.0 + sin(a)) - b,
    lambda a, b: atan2(a, 2.0 + b * b),
    lambda a, b: where(a > b, a * a, b - a),
    lambda a, b: abs(a - 5.0) * b,
    lambda a, b: a * a * a * 0.1 - b,
)


def random_formula(seed: int, outputs: int = 3, steps: int = 12) -> Formula:
    """Return a function of a list of scalars: `steps` random operations, of which the last `outputs` come back."""
    random = np.random.default_rng(seed)
    kinds, picks = random.integers(0, len(STEPS), steps), random.random((steps, 2))

    def formula(x: Sequence[Any]) -> list[Any]:
        values = list(x)
        for kind, (first, second) in zip(kinds, picks, strict=True):
            a, b = values[int(first * len(values))], values[int(second * len(values))]
            values.append(STEPS[kind](a, b))
        return values[-outputs:]

    return formula

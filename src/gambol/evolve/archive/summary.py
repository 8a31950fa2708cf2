"""The summary of a generation: statistics of its valid fitness."""

import statistics
from collections.abc import Sequence

NAN = float("nan")


def summary_of(fitness: Sequence[float]) -> dict[str, float]:
    """Return the best, the median, and the lower and upper quartile of valid fitness; NaN where there is none.

    fitness: in any order. Quartiles lie a quarter and three quarters of the way from the least to the best, with linear
    interpolation.
    """
    if not fitness:
        return dict.fromkeys(("best", "median", "lower", "upper"), NAN)
    lower, _, upper = statistics.quantiles(fitness, method="inclusive") if len(fitness) > 1 else [*fitness] * 3
    return {"best": max(fitness), "median": statistics.median(fitness), "lower": lower, "upper": upper}

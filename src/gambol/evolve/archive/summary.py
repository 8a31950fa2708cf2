"""What is kept of a generation as a whole: how fit those of it are whose fitness counts."""

import statistics
from collections.abc import Sequence

NAN = float("nan")


def summary_of(fitness: Sequence[float]) -> dict[str, float]:
    """The best, the median, and the lower and upper quartile of what counts; NaN where nothing does.

    fitness: in any order. Quartiles lie a quarter and three quarters of the way from the least to the best, between
    neighbours in proportion.
    """
    if not fitness:
        return dict.fromkeys(("best", "median", "lower", "upper"), NAN)
    lower, _, upper = statistics.quantiles(fitness, method="inclusive") if len(fitness) > 1 else [*fitness] * 3
    return {"best": max(fitness), "median": statistics.median(fitness), "lower": lower, "upper": upper}

"""The summary of a generation: statistics of the fitness of its valid individuals."""

import statistics
from collections.abc import Sequence

NAN = float("nan")


def summary_of(fitness: Sequence[float]) -> dict[str, float]:
    """Return the best, the median, and the lower and upper quartile of fitness values by name; NaN if there are none.

    fitness: of valid individuals, in any order. Quartiles are the quantiles 0.25 and 0.75 with linear interpolation.
    """
    if not fitness:
        return dict.fromkeys(("best", "median", "lower", "upper"), NAN)
    lower, _, upper = statistics.quantiles(fitness, method="inclusive") if len(fitness) > 1 else [*fitness] * 3
    return {"best": max(fitness), "median": statistics.median(fitness), "lower": lower, "upper": upper}

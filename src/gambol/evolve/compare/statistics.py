"""Statistics of a comparison: medians and quartiles, and rank tests of all pairs with Holm's correction.

    p_(k) <- max over j <= k of min(1, (m - j + 1) p_(j)),  p_(1) <= ... <= p_(m)                        [Holm 1979]
    A = U / (n_1 n_2) = P(X > Y) + P(X = Y) / 2                                      [Vargha and Delaney 2000, eq. 7]

U is that of Mann and Whitney, two-sided. It compares the order of fitnesses, so it needs no normal distribution.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.evolve.compare.curves import SearchRun


@dataclass(frozen=True)
class Summary:
    """A summary of the final best fitnesses of the runs of a search, each with its own seed.

    runs: number of runs; evaluations: number of evaluations of each run. median, lower, upper: median and quartiles;
    worst, best: extremes; -inf for runs without a valid creature. seconds: median time of a run [s].
    """

    search: str
    runs: int
    evaluations: int
    worst: float
    lower: float
    median: float
    upper: float
    best: float
    seconds: float


@dataclass(frozen=True)
class PairTest:
    """A rank test of two searches.

    u: statistic of Mann and Whitney for the first search; p: two-sided p value; p_holm: p value corrected for the
    number of pairs. superiority: probability that a run of the first search is better than a run of the second, where
    ties count half.
    """

    first: str
    second: str
    u: float
    p: float
    p_holm: float
    superiority: float


def by_search(runs: Sequence[SearchRun]) -> dict[str, list[SearchRun]]:
    """Return the runs of each search, in the order in which searches first appear."""
    return {name: [run for run in runs if run.search == name] for name in dict.fromkeys(run.search for run in runs)}


def summaries(runs: Sequence[SearchRun]) -> list[Summary]:
    """Return a summary for each search."""
    return [_summary(name, each) for name, each in by_search(runs).items()]


def _summary(search: str, runs: Sequence[SearchRun]) -> Summary:
    finals = np.array([run.final for run in runs])
    worst, lower, median, upper, best = (_quantile(finals, q) for q in (0.0, 0.25, 0.5, 0.75, 1.0))
    seconds = float(np.median([run.seconds for run in runs]))
    return Summary(search, len(runs), int(runs[0].evaluations[-1]), worst, lower, median, upper, best, seconds)


def _quantile(values: NDArray[np.float64], q: float) -> float:
    """Return a quantile, interpolated between neighbouring values; -inf if the lower of these is -inf."""
    ordered = np.sort(values)
    place = q * (len(ordered) - 1)
    low, high = ordered[int(np.floor(place))], ordered[int(np.ceil(place))]
    return float(low + (place - np.floor(place)) * (high - low)) if np.isfinite(low) else float(low)


def pair_tests(runs: Sequence[SearchRun]) -> list[PairTest]:
    """Return a rank test for each pair of searches with at least two runs each."""
    rank_test: Any = import_module("scipy.stats").mannwhitneyu  # loaded here: it takes half a second
    finals = {name: [run.final for run in each] for name, each in by_search(runs).items() if len(each) > 1}
    pairs, raw = list(combinations(finals, 2)), list[Any]()
    for first, second in pairs:
        raw.append(rank_test(finals[first], finals[second], alternative="two-sided"))
    corrected = holm([float(result.pvalue) for result in raw])
    return [
        PairTest(a, b, float(r.statistic), float(r.pvalue), p, _superiority(float(r.statistic), finals, (a, b)))
        for (a, b), r, p in zip(pairs, raw, corrected, strict=True)
    ]


def _superiority(u: float, finals: Mapping[str, Sequence[float]], pair: tuple[str, str]) -> float:
    return u / (len(finals[pair[0]]) * len(finals[pair[1]]))


def holm(p: Sequence[float]) -> list[float]:
    """Return p values, corrected for the number of tests, in the same order. [Holm 1979]"""
    corrected, largest = [0.0] * len(p), 0.0
    for rank, k in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        largest = max(largest, min(1.0, (len(p) - rank) * p[k]))
        corrected[k] = largest
    return corrected

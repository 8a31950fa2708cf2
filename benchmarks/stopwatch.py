"""How long things take when they run in turn, so that what disturbs one disturbs the other."""

import time
from collections.abc import Callable, Sequence
from statistics import median, quantiles

REPEATS = 15


def race(*runs: Callable[[], object], repeats: int = REPEATS) -> list[list[float]]:
    """Times of each run [s], after one of each that does not count."""
    times: list[list[float]] = [[] for _ in runs]
    for turn in range(repeats + 1):
        for run, own in zip(runs, times, strict=True):
            start = time.perf_counter()
            run()
            if turn:
                own.append(time.perf_counter() - start)
    return times


def typical(times: Sequence[float]) -> tuple[float, float]:
    """The median, and half the distance between quartiles over it."""
    low, _, high = quantiles(times, n=4)
    return median(times), (high - low) / (2.0 * median(times))


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """How many times longer theirs took, turn by turn; the median of that."""
    return median(b / a for a, b in zip(ours, theirs, strict=True))

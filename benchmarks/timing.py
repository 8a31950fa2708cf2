"""Interleaved timing of several functions, so that disturbances affect all of them."""

import time
from collections.abc import Callable, Sequence
from statistics import median, quantiles

REPEATS = 15


def time_interleaved(
    *runs: Callable[[], object], repeats: int = REPEATS, clock: Callable[[], float] = time.perf_counter
) -> list[list[float]]:
    """Return the times of each function [s], run in turn, after one uncounted run of each.

    clock: returns the time; time.process_time for functions of one process on a machine that does other work, too.
    """
    times: list[list[float]] = [[] for _ in runs]
    for turn in range(repeats + 1):
        for run, own in zip(runs, times, strict=True):
            start = clock()
            run()
            if turn:
                own.append(clock() - start)
    return times


def median_and_spread(times: Sequence[float]) -> tuple[float, float]:
    """Return the median, and half the interquartile range over the median."""
    low, _, high = quantiles(times, n=4)
    return median(times), (high - low) / (2.0 * median(times))


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Return the median of theirs / ours, over the turns."""
    return median(b / a for a, b in zip(ours, theirs, strict=True))

"""The progress of a run, reported after every generation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """An evaluated and stored generation.

    run: its number in the archive. generation: from 0; generations: number of them in the run. best, median, lower,
    upper: maximum, median and quartiles of the fitness of valid individuals; NaN if there are none. run_best: the best
    fitness of the run so far; run_best_number: the number of that individual, -1 if there is none. marked: numbers of
    invalid individuals by reason. creatures_per_second, steps_per_second: of this generation, including all overhead.
    archive_part: fraction of the generation's time that was spent on storing it. seconds_left: estimate for the rest of
    the run, from the mean time of a generation in this process.
    """

    run: int
    generation: int
    generations: int
    best: float
    median: float
    lower: float
    upper: float
    run_best: float
    run_best_number: int
    marked: Mapping[str, int]
    creatures_per_second: float
    steps_per_second: float
    archive_part: float
    seconds_left: float


ProgressCallback = Callable[[Progress], None]
"""A function that is called with the progress after every generation."""

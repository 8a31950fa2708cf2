"""How a run comes along: what is told after every generation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """A generation that was lived and stored.

    run: its number in the archive. generation: from 0; generations: of the whole run. best, median, lower,
    upper: of the fitness of those that were not marked, the last two its quartiles; NaN if all were. record: the best
    fitness of the run so far; record_number: the individual that has it, -1 if none. marked: how many, by reason.
    creatures_per_second, steps_per_second: of this generation, with all that belongs to it. archive_part: which part of
    its time was spent on storing it. seconds_left: at the rate since this process began.
    """

    run: int
    generation: int
    generations: int
    best: float
    median: float
    lower: float
    upper: float
    record: float
    record_number: int
    marked: Mapping[str, int]
    creatures_per_second: float
    steps_per_second: float
    archive_part: float
    seconds_left: float


Watcher = Callable[[Progress], None]
"""What is told of every generation."""

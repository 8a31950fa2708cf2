"""How a run comes along: what is told after every generation."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gambol.evolve.outcome import Outcome

NAN = float("nan")


@dataclass(frozen=True)
class Progress:
    """A generation that was lived and stored.

    run: its number in the archive. generation: from 0; generations: of the whole run. best, median, spread (from the
    lower to the upper quartile): of the fitness of those that were not marked, NaN if all were. record: the best
    fitness of the run so far; record_number: the individual that has it, -1 if none. marked: how many, by reason.
    creatures_per_second, steps_per_second: of this generation, with all that belongs to it. archive_part: which part of
    its time was spent on storing it. seconds_left: at the rate since this process began.
    """

    run: int
    generation: int
    generations: int
    best: float
    median: float
    spread: float
    record: float
    record_number: int
    marked: Mapping[str, int]
    creatures_per_second: float
    steps_per_second: float
    archive_part: float
    seconds_left: float


Watcher = Callable[[Progress], None]
"""What is told of every generation."""


def summary_of(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """The best and median fitness of those outcomes that count, and their spread; NaN where none does."""
    fitness = [outcome.fitness for outcome in outcomes if outcome.sound]
    if not fitness:
        return {"best": NAN, "median": NAN, "spread": NAN}
    lower, _, upper = statistics.quantiles(fitness, method="inclusive") if len(fitness) > 1 else (0.0, 0.0, 0.0)
    return {"best": max(fitness), "median": statistics.median(fitness), "spread": upper - lower}

"""Contests: runs that differ in one thing, with equally many lives, from the same seeds."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol.evolve.life import breed, lives
from gambol.evolve.run import Settings
from gambol.evolve.run.run import seeds_of

SEARCHES = ("es", "es-plus", "ga", "cma", "elites", "random")
TASKS = ("walk", "hop", "jump", "crawl", "swim")
CONTROLLERS = ("spectral", "sinusoid", "oscillators", "responses", "sensor-actuator", "dataflow", "recurrent")
SEEDS, POPULATION, GENERATIONS, SECONDS = 10, 64, 20, 4.0


@dataclass(frozen=True)
class Effort:
    """How much is spent on a contest: seeds, and of each run the population, generations and seconds of a life."""

    seeds: int = SEEDS
    population: int = POPULATION
    generations: int = GENERATIONS
    seconds: float = SECONDS

    def settings(self, **changes: Any) -> list[Settings]:
        """The settings of one run for each seed."""
        own = {"population": self.population, "generations": self.generations, "seconds": self.seconds}
        return [Settings(**own, seed=seed, **changes) for seed in range(self.seeds)]


@dataclass(frozen=True)
class Finish:
    """What a run came to: the best fitness, plain data of who has it, and the part of all lives that was marked."""

    fitness: float
    genotype: Any
    marked: float


def finished(settings: Settings) -> Finish:
    """A whole run in this thread, without an archive."""
    breeding = breed(settings)
    search, marked = breeding.search, 0
    for _ in range(settings.generations):
        proposals = search.ask()
        seeds = seeds_of(settings.seed, search.generation, len(proposals))
        outcomes = lives(settings, [breeding.plain(one.genotype) for one in proposals], seeds)
        marked += sum(not outcome.sound for outcome in outcomes)
        search.tell(outcomes)
    best = search.best
    if best is None:
        return Finish(0.0, None, 1.0)
    return Finish(best.worth, breeding.plain(best.genotype), marked / search.told)


@dataclass(frozen=True)
class Spread:
    """Numbers of several runs."""

    values: tuple[float, ...]

    def quantile(self, part: float) -> float:
        """The value below which a part of them lie."""
        return float(np.quantile(self.values, part))

    @property
    def told(self) -> str:
        """Median, and in brackets the quartiles."""
        low, middle, high = (self.quantile(part) for part in (0.25, 0.5, 0.75))
        return f"{middle:.2f} ({low:.2f} to {high:.2f})"


def contest(executor: Executor, effort: Effort, ways: Sequence[dict[str, Any]]) -> list[list[Finish]]:
    """For each way to run what it comes to from every seed."""
    asked = [effort.settings(**way) for way in ways]
    done = iter(list(executor.map(finished, [one for own in asked for one in own])))
    return [[next(done) for _ in own] for own in asked]


def equals(spreads: dict[str, Spread]) -> tuple[str, list[str]]:
    """Who has the best median, and who is no clearly worse: their upper quartile reaches the best one's lower."""
    best = max(spreads, key=lambda name: spreads[name].quantile(0.5))
    least = spreads[best].quantile(0.25)
    return best, [name for name, own in spreads.items() if name != best and own.quantile(0.75) >= least]

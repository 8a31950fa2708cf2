"""Contests: runs that differ in one setting, with the same number of rollouts and the same seeds."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol.evolve.evaluate import evaluate_genotypes, search_setup
from gambol.evolve.runs import Settings
from gambol.evolve.runs.run import seeds_of

SEARCHES = ("es", "es-plus", "ga", "cma", "elites", "random")
TASKS = ("walk", "hop", "jump", "crawl", "swim")
CONTROLLERS = ("spectral", "sinusoid", "oscillators", "responses", "sensor-actuator", "dataflow", "recurrent")
SEEDS, POPULATION, GENERATIONS, SECONDS = 10, 64, 20, 4.0


@dataclass(frozen=True)
class Effort:
    """The effort of a contest: seeds, and of each run the population, generations and seconds of a rollout."""

    seeds: int = SEEDS
    population: int = POPULATION
    generations: int = GENERATIONS
    seconds: float = SECONDS

    def settings(self, **changes: Any) -> list[Settings]:
        """Return the settings of one run for each seed."""
        own = {"population": self.population, "generations": self.generations, "seconds": self.seconds}
        return [Settings(**own, seed=seed, **changes) for seed in range(self.seeds)]


@dataclass(frozen=True)
class RunResult:
    """The result of a run: the best fitness, its genotype as plain data, and the share of marked (invalid) rollouts."""

    fitness: float
    genotype: Any
    marked: float


def run_to_end(settings: Settings) -> RunResult:
    """Run all generations in this thread, without an archive; return the result."""
    setup = search_setup(settings)
    search, marked = setup.search, 0
    for _ in range(settings.generations):
        proposals = search.ask()
        seeds = seeds_of(settings.seed, search.generation, len(proposals))
        outcomes = evaluate_genotypes(settings, [setup.to_plain(one.genotype) for one in proposals], seeds)
        marked += sum(not outcome.valid for outcome in outcomes)
        search.tell(outcomes)
    best = search.best
    if best is None:
        return RunResult(0.0, None, 1.0)
    return RunResult(best.score, setup.to_plain(best.genotype), marked / search.evaluated)


@dataclass(frozen=True)
class Spread:
    """Values of several runs."""

    values: tuple[float, ...]

    def quantile(self, part: float) -> float:
        """Return a quantile of the values."""
        return float(np.quantile(self.values, part))

    @property
    def text(self) -> str:
        """The median, with the quartiles in brackets, as text."""
        low, middle, high = (self.quantile(part) for part in (0.25, 0.5, 0.75))
        return f"{middle:.2f} ({low:.2f} to {high:.2f})"


def contest(executor: Executor, effort: Effort, variants: Sequence[dict[str, Any]]) -> list[list[RunResult]]:
    """Return the results of every seed for each variant of settings."""
    settings_of_variants = [effort.settings(**variant) for variant in variants]
    results = iter(list(executor.map(run_to_end, [settings for runs in settings_of_variants for settings in runs])))
    return [[next(results) for _ in runs] for runs in settings_of_variants]


def within_spread(spreads: dict[str, Spread]) -> tuple[str, list[str]]:
    """Return the name with the best median, and the names whose upper quartile reaches its lower quartile."""
    best = max(spreads, key=lambda name: spreads[name].quantile(0.5))
    least = spreads[best].quantile(0.25)
    return best, [name for name, own in spreads.items() if name != best and own.quantile(0.75) >= least]

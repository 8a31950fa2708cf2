"""Rollouts of genotypes: creatures are grown, split into batches and simulated in all trials; the worst trial counts.

The outcome of a genotype depends only on the settings, the genotype and its seed. To the last bit it is independent of
the other genotypes of the batch, of the number of threads, and of the worker.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from gambol.errors import EvolveError
from gambol.evolve.evaluate.batch_world import worst_trial
from gambol.evolve.evaluate.batching import Batches
from gambol.evolve.evaluate.genes import gene_reader
from gambol.evolve.evaluate.options import batching_of, search_space, task_of
from gambol.evolve.fitness import concatenate
from gambol.evolve.genotype import VERSION, Genotype, of_json, to_json
from gambol.evolve.outcome import Outcome
from gambol.evolve.references import source_digests
from gambol.evolve.runs import SearchSetup, Settings
from gambol.evolve.search import search_named


def search_setup(settings: Settings, device: str = "cpu") -> SearchSetup[Genotype]:
    """Return the search and the evaluator of a run. Raises EvolveError for invalid settings.

    device: the device that simulates, see evaluate_genotypes(); outcomes do not depend on it.
    """
    task, _ = task_of(settings), batching_of(settings)
    options = settings.options.get("search", {})
    search = search_named(settings.search, search_space(settings), settings.seed, settings.population, **options)
    steps = task.trials * task.seconds / task.step
    read = gene_reader(settings)

    def genes(data: Mapping[str, Any]) -> dict[str, float]:
        return {f"{g.name} [{g.unit}]" if g.unit else g.name: x for g, x in zip(*read(data), strict=True)}

    versions = {"genotype": str(VERSION), **source_digests(settings.plain())}
    evaluate = evaluate_genotypes if device == "cpu" else partial(evaluate_genotypes, device=device)
    return SearchSetup(search, to_json, evaluate, steps, versions, genes)


def evaluate_genotypes(
    settings: Settings, genotypes: Sequence[Mapping[str, Any]], seeds: Sequence[int], device: str = "cpu"
) -> list[Outcome]:
    """Return the outcomes of genotypes, in their order.

    settings: settings of the run. genotypes: as plain data. seeds: one for each genotype, for its trials. device:
    "cpu", or the name of a graphics processor of the worker, such as "cuda"; outcomes do not depend on it. Raises
    EvolveError for data that is not a genotype, and for a wrong number of seeds.
    """
    return outcomes_of([of_json(data) for data in genotypes], batches_of(settings, device), seeds)


def outcomes_of(
    genotypes: Sequence[Genotype], batches: Batches, seeds: Sequence[int], threads: int = 1
) -> list[Outcome]:
    """Return the outcome of the worst trial of each genotype, in the order of the genotypes.

    batches: batches of the task. seeds: one for each genotype. threads: number of threads. Raises EvolveError for a
    wrong number of seeds.
    """
    if len(seeds) != len(genotypes):
        raise EvolveError(f"{len(genotypes)} genotypes cannot be evaluated with {len(seeds)} seeds; give one for each")
    groups, trials = batches.split(genotypes), batches.task.trials
    trajectories = [
        batch.simulate_all_trials([genotypes[k] for k in members], [seeds[k] for k in members], threads)
        for batch, members in groups
    ]
    keys = ((k, trial) for _, members in groups for trial in range(trials) for k in members)
    outcomes = dict(zip(keys, batches.task.outcomes(concatenate(trajectories)), strict=True))
    return [worst_trial([outcomes[k, trial] for trial in range(trials)]) for k in range(len(genotypes))]


class _SettingsKey:
    """The settings as a cache key: keys are equal if task and batching, and so rollouts, are equal."""

    def __init__(self, settings: Settings) -> None:
        self.task, self.batching = task_of(settings), batching_of(settings)
        self._key = repr((self.task, self.batching))

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SettingsKey) and other._key == self._key


def batches_of(settings: Settings, device: str = "cpu") -> Batches:
    """Return the batches for settings, from a cache of this process; device: see Batch."""
    return _batches(_SettingsKey(settings), device)


@lru_cache(maxsize=8)
def _batches(key: _SettingsKey, device: str) -> Batches:
    return Batches(key.task, key.batching, device)

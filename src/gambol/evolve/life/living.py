"""Lives of genotypes: they grow, are sorted into herds, live in all trials, and are worth the worst of them.

What becomes of a genotype follows from the settings, it and its seed alone: whatever lives beside it, on however many
threads, in whatever worker, its life has the same bits.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from gambol.errors import EvolveError
from gambol.evolve.fitness import joined
from gambol.evolve.genotype import VERSION, Genotype, of_json, to_json
from gambol.evolve.life.asked import sorting_of, space_asked, task_of
from gambol.evolve.life.sorting import Herds
from gambol.evolve.life.trials import worst
from gambol.evolve.outcome import Outcome
from gambol.evolve.run import Breeding, Settings
from gambol.evolve.search import search_named


def breed(settings: Settings) -> Breeding[Genotype]:
    """The breeding of a run: its search, and lives in worlds. Raises EvolveError for what settings cannot ask for."""
    task, _ = task_of(settings), sorting_of(settings)
    options = settings.options.get("search", {})
    search = search_named(settings.search, space_asked(settings), settings.seed, settings.population, **options)
    steps = task.trials * task.seconds / task.step
    return Breeding(search, to_json, lives, steps, versions={"genotype": str(VERSION)})


def lives(settings: Settings, genotypes: Sequence[Mapping[str, Any]], seeds: Sequence[int]) -> list[Outcome]:
    """What becomes of genotypes, as plain data, in their order. seeds: one for each, of its trials.

    Raises EvolveError for genotypes that are none, and for more or fewer seeds.
    """
    return outcomes_of([of_json(one) for one in genotypes], herds_of(settings), seeds)


def outcomes_of(genotypes: Sequence[Genotype], herds: Herds, seeds: Sequence[int], threads: int = 1) -> list[Outcome]:
    """What becomes of genotypes in the task of some herds, in their order: the outcome of each one's worst trial.

    seeds: one for each. threads: that share the work.
    Raises EvolveError for more or fewer seeds.
    """
    if len(seeds) != len(genotypes):
        raise EvolveError(f"{len(genotypes)} genotypes cannot live with {len(seeds)} seeds; give one for each")
    sorted_in, trials = herds.of(genotypes), herds.task.trials
    tracks = [herd.tried([genotypes[k] for k in own], [seeds[k] for k in own], threads) for herd, own in sorted_in]
    places = ((k, trial) for _, own in sorted_in for trial in range(trials) for k in own)
    found = dict(zip(places, herds.task.outcomes(joined(tracks)), strict=True))
    return [worst([found[k, trial] for trial in range(trials)]) for k in range(len(genotypes))]


class _Asked:
    """Settings as a key: equal where lives are the same."""

    def __init__(self, settings: Settings) -> None:
        self.task, self.sorting = task_of(settings), sorting_of(settings)
        self._key = repr((self.task, self.sorting))

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and other._key == self._key


def herds_of(settings: Settings) -> Herds:
    """The herds of some settings, which all who ask in this process share."""
    return _herds(_Asked(settings))


@lru_cache(maxsize=8)
def _herds(asked: _Asked) -> Herds:
    return Herds(asked.task, asked.sorting)

"""Lives of genotypes: they grow, are sorted into herds, live, and are scored.

What becomes of a genotype follows from the settings and from it alone: whatever lives beside it, on however many
threads, in whatever worker, its life has the same bits.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from gambol.evolve.fitness import joined
from gambol.evolve.genotype import Genotype, of_json
from gambol.evolve.life.asked import sorting_of, task_of
from gambol.evolve.life.sorting import Herds
from gambol.evolve.outcome import Outcome
from gambol.evolve.run import Settings


def lives(settings: Settings, genotypes: Sequence[Mapping[str, Any]], seeds: Sequence[int]) -> list[Outcome]:
    """What becomes of genotypes, as plain data, in their order. seeds: of lives; those of today's tasks need none.

    Raises EvolveError for genotypes that are none.
    """
    return outcomes_of([of_json(one) for one in genotypes], herds_of(settings))


def outcomes_of(genotypes: Sequence[Genotype], herds: Herds, threads: int = 1) -> list[Outcome]:
    """What becomes of genotypes in the task of some herds, in their order. threads: that share the work."""
    sorted_in = herds.of(genotypes)
    tracks = [herd.lived([genotypes[k] for k in own], threads) for herd, own in sorted_in]
    places = [k for _, own in sorted_in for k in own]
    order = sorted(range(len(places)), key=places.__getitem__)
    return herds.task.outcomes(joined(tracks, order))


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

"""The best fitness of stored runs over their evaluations, for comparisons of searches."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.evolve.archive import Archive


@dataclass(frozen=True)
class SearchRun:
    """A finished run of a search.

    search: name of the search; seed: seed of the run; run: number of the run in the archive. evaluations (G,): number
    of creatures evaluated up to each generation; best (G,): best fitness so far, -inf while no creature is valid.
    seconds: time of proposals and evaluations [s].
    """

    search: str
    seed: int
    run: int
    evaluations: NDArray[np.int64]
    best: NDArray[np.float64]
    seconds: float

    @property
    def final(self) -> float:
        """The best fitness of the run; -inf if no creature is valid."""
        return float(self.best[-1])


def search_runs(archive: Archive, runs: Iterable[int]) -> list[SearchRun]:
    """Return runs of an archive; runs: numbers of the runs, each with at least one generation."""
    return [_search_run(archive, run) for run in runs]


def _search_run(archive: Archive, run: int) -> SearchRun:
    settings, generations = archive.run(run).settings, archive.generations(run)
    best = np.array([generation.best for generation in generations], float)
    return SearchRun(
        settings["search"],
        settings["seed"],
        run,
        np.array([generation.first + generation.size for generation in generations]),
        np.maximum.accumulate(np.where(np.isnan(best), -np.inf, best)),
        float(sum(generation.seconds for generation in generations)),
    )

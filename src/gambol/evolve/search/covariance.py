"""CMA-ES through pycma: a normal distribution whose covariance matrix adapts.

[Hansen and Ostermeier 2001]
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from numpy.random import Generator

from gambol.errors import EvolveError
from gambol.evolve.search.search import Individual, Proposal, check_count, check_number, ranked
from gambol.evolve.search.space import Array, Space, cyclic, sigmas

G = TypeVar("G")

QUIET = {"verbose": -10, "verb_log": 0, "verb_disp": 0, "seed": float("nan")}
"""Options of pycma: print nothing, write no files, and do not touch the global random numbers of NumPy."""


@dataclass
class Covariance(Generic[G]):
    """The covariance matrix adaptation evolution strategy, for genotypes of one size.

    space: space of the genotypes. population: samples in a generation, 4 or more. step: initial standard deviation, in
    sigmas of the genes. start: its first genotype is the initial mean; a random one if it is empty. Only the ranks of
    outcomes count. Raises EvolveError for invalid settings, and if the number of genes varies.
    """

    space: Space[G]
    population: int
    step: float = 2.0
    start: tuple[G, ...] = ()
    survivors: list[Individual[G]] = field(default_factory=list["Individual[G]"], init=False)

    def __post_init__(self) -> None:
        check_count("the population of CMA-ES", self.population, least=4)
        check_number("the first standard deviation", self.step, least=1e-300)
        if self.space.size < 2:
            raise EvolveError(
                f"CMA-ES needs genotypes that all have the same 2 or more genes, here they have {self.space.size or ''}"
                f'{"" if self.space.size else "different ones"}; use "es", "ga" or "elites"'
            )
        self._strategy: Any = None
        self._rng: Generator | None = None
        self._samples: list[Array] = []

    def propose(self, rng: Generator) -> list[Proposal[G]]:
        """Return samples of the current distribution."""
        self._rng = rng
        if self._strategy is None:
            self._strategy = self._new_strategy(rng)
        self._samples = self._strategy.ask()
        parents = tuple(best.number for best in self.survivors[:1])  # the best individual is nearest to the mean
        spread = (float(self._strategy.sigma),)
        return [Proposal(self.space.of_vector(x), parents, "sampled", spread) for x in self._samples]

    def _new_strategy(self, rng: Generator) -> Any:
        import cma  # pyright: ignore[reportMissingTypeStubs]

        initial_mean = self.start[0] if self.start else self.space.random(rng)
        bounds = [(None, None) if is_cyclic else (0.0, 1.0) for is_cyclic in cyclic(self.space.genes)]
        options: dict[str, Any] = {
            **QUIET,
            "popsize": self.population,
            "bounds": [list(side) for side in zip(*bounds, strict=True)],
            "CMA_stds": sigmas(self.space.genes),
            "randn": self._normal_deviates,
        }
        return cma.CMAEvolutionStrategy(self.space.vector(initial_mean), self.step, options)

    def _normal_deviates(self, *shape: int) -> Array:
        """Return normal deviates from the random numbers of this generation."""
        assert self._rng is not None
        return self._rng.standard_normal(shape)

    def learn(self, individuals: Sequence[Individual[G]]) -> None:
        """Adapt the distribution by the ranks of all outcomes; without a valid one it does not change."""
        ranking = ranked(individuals)
        if not ranking:
            return
        ranks = {
            score: float(k)
            for k, score in enumerate(sorted({individual.score for individual in individuals}, reverse=True))
        }
        self._strategy.tell(self._samples, [ranks[individual.score] for individual in individuals])
        self.survivors = ranking

    def add_migrants(self, migrants: Sequence[Individual[G]]) -> None:
        """Inject migrants into the next samples."""
        if self._strategy is not None:
            self._strategy.inject([self.space.vector(individual.genotype) for individual in migrants])

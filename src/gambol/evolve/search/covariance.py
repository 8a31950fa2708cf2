"""CMA-ES through pycma: a normal distribution that learns which genes go together.

[Hansen and Ostermeier 2001]
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from numpy.random import Generator

from gambol.errors import EvolveError
from gambol.evolve.search.search import Individual, Proposal, counted, measured, ranked
from gambol.evolve.search.space import Array, Space, cyclic, sigmas

G = TypeVar("G")

QUIET = {"verbose": -10, "verb_log": 0, "verb_disp": 0, "seed": float("nan")}
"""pycma prints nothing, writes no files and leaves NumPy's own random numbers alone."""


@dataclass
class Covariance(Generic[G]):
    """The covariance matrix adaptation evolution strategy, for genotypes of one size.

    population: samples in a generation, 4 or more. step: standard deviation at first, in sigmas of the genes. start: a
    genotype to begin at; a random one if there is none. Outcomes count by rank alone. Raises EvolveError for settings
    that cannot be, and where the number of genes varies.
    """

    space: Space[G]
    population: int
    step: float = 2.0
    start: tuple[G, ...] = ()
    survivors: list[Individual[G]] = field(default_factory=list["Individual[G]"], init=False)

    def __post_init__(self) -> None:
        counted("the population of CMA-ES", self.population, least=4)
        measured("the first standard deviation", self.step, least=1e-300)
        if self.space.size < 2:
            raise EvolveError(
                f"CMA-ES needs genotypes that all have the same 2 or more genes, here they have {self.space.size or ''}"
                f'{"" if self.space.size else "different ones"}; use "es", "ga" or "elites"'
            )
        self._strategy: Any = None
        self._rng: Generator | None = None
        self._asked: list[Array] = []

    def propose(self, rng: Generator) -> list[Proposal[G]]:
        """Samples of the distribution as it is now."""
        self._rng = rng
        if self._strategy is None:
            self._strategy = self._begun(rng)
        self._asked = self._strategy.ask()
        parents = tuple(one.number for one in self.survivors[:1])  # the mean leans to the best of all that were told
        spread = (float(self._strategy.sigma),)
        return [Proposal(self.space.of_vector(x), parents, "sampled", spread) for x in self._asked]

    def _begun(self, rng: Generator) -> Any:
        import cma  # pyright: ignore[reportMissingTypeStubs]

        first = self.start[0] if self.start else self.space.random(rng)
        ends = [(None, None) if turns else (0.0, 1.0) for turns in cyclic(self.space.genes)]
        options: dict[str, Any] = {
            **QUIET,
            "popsize": self.population,
            "bounds": [list(side) for side in zip(*ends, strict=True)],
            "CMA_stds": sigmas(self.space.genes),
            "randn": self._deviates,
        }
        return cma.CMAEvolutionStrategy(self.space.vector(first), self.step, options)

    def _deviates(self, *shape: int) -> Array:
        """Normal deviates of the generation's own stream."""
        assert self._rng is not None
        return self._rng.standard_normal(shape)

    def learn(self, individuals: Sequence[Individual[G]]) -> None:
        """Move and turn the distribution; where nothing is sound it stays."""
        order = ranked(individuals)
        if not order:
            return
        ranks = {worth: float(k) for k, worth in enumerate(sorted({one.worth for one in individuals}, reverse=True))}
        self._strategy.tell(self._asked, [ranks[one.worth] for one in individuals])
        self.survivors = order

    def welcome(self, migrants: Sequence[Individual[G]]) -> None:
        """Let migrants be among the next samples."""
        if self._strategy is not None:
            self._strategy.inject([self.space.vector(one.genotype) for one in migrants])

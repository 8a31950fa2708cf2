"""The baseline of all searches: genotypes from anywhere, and nothing learnt."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from numpy.random import Generator

from gambol.evolve.search.search import Individual, Proposal, counted, ranked
from gambol.evolve.search.space import Space

G = TypeVar("G")


@dataclass
class RandomSearch(Generic[G]):
    """Generations without parents. Raises EvolveError for no population.

    population: genotypes in a generation; the best so far is all that survives.
    """

    space: Space[G]
    population: int
    survivors: list[Individual[G]] = field(default_factory=list["Individual[G]"], init=False)

    def __post_init__(self) -> None:
        counted("the population of a random search", self.population)

    def propose(self, rng: Generator) -> list[Proposal[G]]:
        """Random genotypes."""
        return [Proposal(self.space.random(rng)) for _ in range(self.population)]

    def learn(self, individuals: Sequence[Individual[G]]) -> None:
        """Keep the best in mind."""
        self.survivors = ranked([*self.survivors, *individuals])[:1]

    def welcome(self, migrants: Sequence[Individual[G]]) -> None:
        """Keep a better migrant in mind."""
        self.learn(migrants)

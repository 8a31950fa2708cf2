"""Random search, the baseline of all searches."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from numpy.random import Generator

from gambol.evolve.search.search import Individual, Proposal, check_count, ranked
from gambol.evolve.search.space import Space

G = TypeVar("G")


@dataclass
class RandomSearch(Generic[G]):
    """Random generations; only the best individual so far survives.

    space: space of the genotypes. population: genotypes in a generation. Raises EvolveError for an invalid population.
    """

    space: Space[G]
    population: int
    survivors: list[Individual[G]] = field(default_factory=list["Individual[G]"], init=False)

    def __post_init__(self) -> None:
        check_count("the population of a random search", self.population)

    def propose(self, rng: Generator) -> list[Proposal[G]]:
        """Return random genotypes."""
        return [Proposal(self.space.random(rng)) for _ in range(self.population)]

    def learn(self, individuals: Sequence[Individual[G]]) -> None:
        """Keep the best individual."""
        self.survivors = ranked([*self.survivors, *individuals])[:1]

    def add_migrants(self, migrants: Sequence[Individual[G]]) -> None:
        """Keep the best migrant if it is better."""
        self.learn(migrants)

"""The island model: several searches side by side; their best individuals migrate to the next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from numpy.random import Generator

from gambol.errors import EvolveError
from gambol.evolve.search import algorithm_named
from gambol.evolve.search.search import Algorithm, Individual, Proposal, check_count, ranked
from gambol.evolve.search.space import Space

G = TypeVar("G")


@dataclass
class Islands(Generic[G]):
    """Algorithms of one kind in a ring, each with a part of the population.

    space: space of the genotypes. population: population of all islands together. of: the name of the algorithm.
    islands: number of islands. every: generations between migrations. migrants: number of the best individuals of an
    island that a migration adds to the next island. each: settings of the algorithm. Raises EvolveError for invalid
    settings.
    """

    space: Space[G]
    population: int
    of: str = "es"
    islands: int = 4
    every: int = 10
    migrants: int = 1
    each: Mapping[str, Any] = field(default_factory=dict[str, Any])
    algorithms: list[Algorithm[G]] = field(default_factory=list["Algorithm[G]"], init=False)
    generations: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        check_count("the population of all islands", self.population)
        check_count("the number of islands", self.islands)
        check_count("the number of generations between migrations", self.every)
        check_count("the number of migrants", self.migrants, least=0)
        if self.of == "islands":
            raise EvolveError("islands cannot consist of islands; give another search")
        if self.population < self.islands:
            raise EvolveError(f"a population of {self.population} leaves some of {self.islands} islands empty")
        ends = [self.population * (k + 1) // self.islands for k in range(self.islands)]
        self.populations = [end - begin for begin, end in zip([0, *ends], ends, strict=False)]
        self.algorithms = [algorithm_named(self.of, self.space, size, **self.each) for size in self.populations]

    @property
    def survivors(self) -> list[Individual[G]]:
        """The survivors of all islands, best first; a migrant, which is on two islands, is listed once."""
        return ranked(
            list(
                {
                    individual.number: individual for algorithm in self.algorithms for individual in algorithm.survivors
                }.values()
            )
        )

    def propose(self, rng: Generator) -> list[Proposal[G]]:
        """Return the proposals of all islands, in the order of the islands."""
        streams = rng.spawn(self.islands)
        generations = [algorithm.propose(stream) for algorithm, stream in zip(self.algorithms, streams, strict=True)]
        return [proposal for generation in generations for proposal in generation]

    def learn(self, individuals: Sequence[Individual[G]]) -> None:
        """Let every island learn from its outcomes; every `every` generations the best migrate."""
        begin = 0
        for algorithm, size in zip(self.algorithms, self.populations, strict=True):
            algorithm.learn(individuals[begin : begin + size])
            begin += size
        self.generations += 1
        if self.generations % self.every == 0 and self.islands > 1:
            best = [ranked(algorithm.survivors)[: self.migrants] for algorithm in self.algorithms]
            for k, algorithm in enumerate(self.algorithms):
                algorithm.add_migrants(best[k - 1])  # of the island before it in the ring

    def add_migrants(self, migrants: Sequence[Individual[G]]) -> None:
        """Add migrants from elsewhere to the first island."""
        self.algorithms[0].add_migrants(migrants)

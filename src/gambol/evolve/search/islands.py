"""Islands: several searches side by side that now and then send their best to the next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from numpy.random import Generator

from gambol.errors import EvolveError
from gambol.evolve.search import breeder_named
from gambol.evolve.search.search import Breeder, Individual, Proposal, counted, ranked
from gambol.evolve.search.space import Space

G = TypeVar("G")


@dataclass
class Islands(Generic[G]):
    """Breeders of one kind in a ring, each with its share of the population.

    of: the name of the kind; each: its settings. every: generations from one migration to the next; migrants: how many
    of the best of an island then go to the one after it. Raises EvolveError for settings that cannot be.
    """

    space: Space[G]
    population: int
    of: str = "es"
    islands: int = 4
    every: int = 10
    migrants: int = 1
    each: Mapping[str, Any] = field(default_factory=dict[str, Any])
    breeders: list[Breeder[G]] = field(default_factory=list["Breeder[G]"], init=False)
    lived: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        counted("the population of all islands", self.population)
        counted("the number of islands", self.islands)
        counted("the number of generations between migrations", self.every)
        counted("the number of migrants", self.migrants, least=0)
        if self.of == "islands":
            raise EvolveError("islands are of a search that breeds, not of islands")
        if self.population < self.islands:
            raise EvolveError(f"a population of {self.population} leaves some of {self.islands} islands empty")
        self.shares = [self.population * (k + 1) // self.islands for k in range(self.islands)]
        self.shares = [end - begin for begin, end in zip([0, *self.shares], self.shares, strict=False)]
        self.breeders = [breeder_named(self.of, self.space, share, **self.each) for share in self.shares]

    @property
    def survivors(self) -> list[Individual[G]]:
        """Those of all islands, best first; a migrant, who stands on two, once."""
        return ranked(list({one.number: one for breeder in self.breeders for one in breeder.survivors}.values()))

    def propose(self, rng: Generator) -> list[Proposal[G]]:
        """Every island's generation, island by island."""
        streams = rng.spawn(self.islands)
        generations = [breeder.propose(stream) for breeder, stream in zip(self.breeders, streams, strict=True)]
        return [proposal for generation in generations for proposal in generation]

    def learn(self, individuals: Sequence[Individual[G]]) -> None:
        """Tell every island of its own, and let the best go when it is time."""
        begin = 0
        for breeder, share in zip(self.breeders, self.shares, strict=True):
            breeder.learn(individuals[begin : begin + share])
            begin += share
        self.lived += 1
        if self.lived % self.every == 0 and self.islands > 1:
            best = [ranked(breeder.survivors)[: self.migrants] for breeder in self.breeders]
            for k, breeder in enumerate(self.breeders):
                breeder.welcome(best[k - 1])

    def welcome(self, migrants: Sequence[Individual[G]]) -> None:
        """Let migrants from elsewhere land on the first island."""
        self.breeders[0].welcome(migrants)

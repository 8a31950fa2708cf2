"""Coevolution of two populations that compete: each individual meets the champion of the other population.

The champion is the best of the last generation, as in the pattern "all against best" of [Sims 1994]. An individual's
genotype contains its opponent, so that its outcome depends on nothing else, and a stored one can be repeated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from numpy.random import Generator

from gambol.errors import EvolveError
from gambol.evolve.search import algorithm_named
from gambol.evolve.search.search import Algorithm, Individual, Proposal, check_count, ranked
from gambol.evolve.search.space import Space

G = TypeVar("G")


@dataclass(frozen=True)
class Rival(Generic[G]):
    """An individual and its opponent. side: index of its population, 0 or 1; own, opponent: their genotypes."""

    side: int
    own: G
    opponent: G


@dataclass
class Rivals(Generic[G]):
    """Two algorithms of one kind, each with half of the population; an Algorithm of Rival genotypes.

    spaces: the space of each population. first: the champions before the first generation. population: of both
    together. of: the name of the algorithms; survivors of an algorithm would keep the fitness against old opponents, so
    only those without are accepted. each: settings of the algorithms. Raises EvolveError for invalid settings.
    """

    spaces: tuple[Space[G], Space[G]]
    first: tuple[G, G]
    population: int
    of: str = "es"
    each: Mapping[str, Any] = field(default_factory=dict[str, Any])
    algorithms: tuple[Algorithm[G], ...] = field(default=(), init=False)
    champions: list[G] = field(default_factory=list["G"], init=False)

    def __post_init__(self) -> None:
        check_count("the population of both", self.population, least=2)
        if self.of not in ("es", "random", "cma"):
            raise EvolveError(f'the search "{self.of}" keeps parents whose opponents are gone; give "es" or "cma"')
        half = self.population // 2
        sizes = (self.population - half, half)
        self.algorithms = tuple(
            algorithm_named(self.of, space, size, **self.each) for space, size in zip(self.spaces, sizes, strict=True)
        )
        self.champions = list(self.first)

    @property
    def survivors(self) -> list[Individual[Rival[G]]]:
        """The survivors of both populations."""
        return [
            self._met(side, individual)
            for side, algorithm in enumerate(self.algorithms)
            for individual in algorithm.survivors
        ]

    def propose(self, rng: Generator) -> list[Proposal[Rival[G]]]:
        """Return the proposals of both populations: those of the first, then those of the second."""
        streams = rng.spawn(len(self.algorithms))
        return [
            Proposal(Rival(side, p.genotype, self.champions[1 - side]), p.parents, p.origin, p.strategy)
            for side, (algorithm, stream) in enumerate(zip(self.algorithms, streams, strict=True))
            for p in algorithm.propose(stream)
        ]

    def learn(self, individuals: Sequence[Individual[Rival[G]]]) -> None:
        """Let both populations learn from their outcomes, and choose the champions of this generation."""
        for side, algorithm in enumerate(self.algorithms):
            own = [_alone(individual) for individual in individuals if individual.genotype.side == side]
            algorithm.learn(own)
            self.champions[side] = next((best.genotype for best in ranked(own)), self.champions[side])

    def add_migrants(self, migrants: Sequence[Individual[Rival[G]]]) -> None:
        """Add individuals to the population of their side."""
        for side, algorithm in enumerate(self.algorithms):
            algorithm.add_migrants([_alone(one) for one in migrants if one.genotype.side == side])

    def _met(self, side: int, individual: Individual[G]) -> Individual[Rival[G]]:
        p = individual.proposal
        rival = Rival(side, p.genotype, self.champions[1 - side])
        return Individual(individual.number, Proposal(rival, p.parents, p.origin, p.strategy), individual.outcome)


def _alone(individual: Individual[Rival[G]]) -> Individual[G]:
    """Return an individual without its opponent."""
    p = individual.proposal
    return Individual(individual.number, Proposal(p.genotype.own, p.parents, p.origin, p.strategy), individual.outcome)

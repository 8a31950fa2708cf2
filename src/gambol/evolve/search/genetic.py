"""A genetic algorithm: tournament selection, crossover and mutation, and an elite that survives."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np
from numpy.random import Generator

from gambol.errors import EvolveError
from gambol.evolve.search.search import Individual, Proposal, check_count, check_number, first_generation, ranked
from gambol.evolve.search.space import Array, Space

G = TypeVar("G")


@dataclass
class Genetic(Generic[G]):
    """A genetic algorithm with tournament selection. [Goldberg and Deb 1991]

    space: space of the genotypes. population: children in a generation. tournament: number of individuals in a
    tournament; the best of them becomes a parent. crossing: probability that a child has two parents. rate: probability
    that a gene mutates (1 if the number of genes varies). step: step of mutation, in sigmas. elite: number of the best
    individuals that survive unchanged. start: genotypes to begin with. Raises EvolveError for invalid settings.
    """

    space: Space[G]
    population: int
    tournament: int = 3
    crossing: float = 0.7
    rate: float = 0.2
    step: float = 1.0
    elite: int = 2
    start: tuple[G, ...] = ()
    survivors: list[Individual[G]] = field(default_factory=list["Individual[G]"], init=False)

    def __post_init__(self) -> None:
        check_count("the population of a genetic algorithm", self.population)
        check_count("the size of a tournament", self.tournament)
        check_count("the size of the elite", self.elite, least=0)
        check_number("the fraction of children with two parents", self.crossing, most=1.0)
        check_number("the fraction of genes that mutate", self.rate, most=1.0)
        check_number("the step of mutation", self.step)
        if self.elite >= self.population:
            raise EvolveError(f"an elite of {self.elite} in a population of {self.population} leaves no children")

    def propose(self, rng: Generator) -> list[Proposal[G]]:
        """Return children of tournament winners; the first generation if there are no survivors."""
        if not self.survivors:
            return first_generation(self.space, self.population, self.start, (self.step,), rng)
        return [self._child(rng) for _ in range(self.population)]

    def _child(self, rng: Generator) -> Proposal[G]:
        """Return a child of one or two tournament winners."""
        parent, origin = self._winner(rng), "mutated"
        genotype, parents = parent.genotype, (parent.number,)
        if rng.random() < self.crossing:
            other, origin = self._winner(rng), "crossed"
            genotype, parents = self.space.crossed(genotype, other.genotype, rng), (parent.number, other.number)
        genotype = self.space.mutated(genotype, self._steps(rng), rng)
        return Proposal(genotype, parents, origin, (self.step,))

    def _winner(self, rng: Generator) -> Individual[G]:
        """Return the best of a tournament of random survivors: the lowest index, since survivors are ranked."""
        return self.survivors[int(rng.integers(len(self.survivors), size=self.tournament).min())]

    def _steps(self, rng: Generator) -> float | Array:
        """Return a step size for the genes that mutate, 0 for the others."""
        if self.space.size == 0:
            return self.step
        return self.step * (rng.random(self.space.size) < self.rate).astype(np.float64)

    def learn(self, individuals: Sequence[Individual[G]]) -> None:
        """Rank the children and the elite as the new survivors; if none is valid, the old ones stay."""
        self.survivors = ranked([*self.survivors[: self.elite], *individuals]) or self.survivors

    def add_migrants(self, migrants: Sequence[Individual[G]]) -> None:
        """Add migrants to the candidates of tournaments."""
        self.survivors = ranked([*self.survivors, *migrants])

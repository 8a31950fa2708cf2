"""A genetic algorithm: contests choose the parents, crossing and mutation make children, an elite lives on."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np
from numpy.random import Generator

from gambol.errors import EvolveError
from gambol.evolve.search.search import Individual, Proposal, counted, founders, measured, ranked
from gambol.evolve.search.space import Array, Space

G = TypeVar("G")


@dataclass
class Genetic(Generic[G]):
    """Generations whose parents have won contests. [Goldberg and Deb 1991]

    population: children in a generation. contest: how many stand in a contest, of whom the best is a parent. crossing:
    share of children that have two parents. rate: share of genes that mutate (all where their number varies). step: how
    far, in sigmas. elite: how many of the best live on unchanged. start: genotypes to begin with. Raises EvolveError
    for settings that cannot be.
    """

    space: Space[G]
    population: int
    contest: int = 3
    crossing: float = 0.7
    rate: float = 0.2
    step: float = 1.0
    elite: int = 2
    start: tuple[G, ...] = ()
    survivors: list[Individual[G]] = field(default_factory=list["Individual[G]"], init=False)

    def __post_init__(self) -> None:
        counted("the population of a genetic algorithm", self.population)
        counted("the size of a contest", self.contest)
        counted("the size of the elite", self.elite, least=0)
        measured("the share of children with two parents", self.crossing, most=1.0)
        measured("the share of genes that mutate", self.rate, most=1.0)
        measured("the step of mutation", self.step)
        if self.elite >= self.population:
            raise EvolveError(f"an elite of {self.elite} in a population of {self.population} leaves nothing to win")

    def propose(self, rng: Generator) -> list[Proposal[G]]:
        """Children of winners; while there are none, founders."""
        if not self.survivors:
            return founders(self.space, self.population, self.start, (self.step,), rng)
        return [self._child(rng) for _ in range(self.population)]

    def _child(self, rng: Generator) -> Proposal[G]:
        one, origin = self._winner(rng), "mutated"
        genotype, parents = one.genotype, (one.number,)
        if rng.random() < self.crossing:
            other, origin = self._winner(rng), "crossed"
            genotype, parents = self.space.crossed(genotype, other.genotype, rng), (one.number, other.number)
        genotype = self.space.mutated(genotype, self._steps(rng), rng)
        return Proposal(genotype, parents, origin, (self.step,))

    def _winner(self, rng: Generator) -> Individual[G]:
        """The best of a few drawn at random; survivors are in order, so it is the first of them."""
        return self.survivors[int(rng.integers(len(self.survivors), size=self.contest).min())]

    def _steps(self, rng: Generator) -> float | Array:
        """A step for the genes that mutate, 0 for the others."""
        if self.space.size == 0:
            return self.step
        return self.step * (rng.random(self.space.size) < self.rate).astype(np.float64)

    def learn(self, individuals: Sequence[Individual[G]]) -> None:
        """Rank the children, and the elite among them."""
        self.survivors = ranked([*self.survivors[: self.elite], *individuals]) or self.survivors

    def welcome(self, migrants: Sequence[Individual[G]]) -> None:
        """Let migrants stand in contests."""
        self.survivors = ranked([*self.survivors, *migrants])

"""Breeding by eye: a person picks who has children. [Ventrella 1998]"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from numpy.random import Generator

from gambol.evolve.search.search import Individual, Proposal, counted, founders, measured, ranked
from gambol.evolve.search.space import Space

G = TypeVar("G")


@dataclass
class Choice(Generic[G]):
    """Generations made of those that were picked: an outcome above 0 is a pick, and what is better comes first.

    population: creatures to choose from. Up to half of a generation are the picks themselves, unchanged; the rest are
    their mutants, by a step in sigmas, a share of them (crossing) after two picks were crossed. Where nothing is picked
    the picks before stay. start: genotypes to begin with. Raises EvolveError for settings that cannot be.
    """

    space: Space[G]
    population: int
    step: float = 1.0
    crossing: float = 0.5
    start: tuple[G, ...] = ()
    survivors: list[Individual[G]] = field(default_factory=list["Individual[G]"], init=False)

    def __post_init__(self) -> None:
        counted("the number of creatures to choose from", self.population)
        measured("the step of mutation", self.step)
        measured("the share of children with two parents", self.crossing, most=1.0)

    def propose(self, rng: Generator) -> list[Proposal[G]]:
        """The picks and their children; while there are none, founders."""
        if not self.survivors:
            return founders(self.space, self.population, self.start, (self.step,), rng)
        stay = self.survivors[: self.population // 2]
        kept = [Proposal(pick.genotype, (pick.number,), "kept", (self.step,)) for pick in stay]
        return kept + [self._child(k, rng) for k in range(self.population - len(kept))]

    def _child(self, k: int, rng: Generator) -> Proposal[G]:
        """Child k of the picks, who take turns."""
        one = self.survivors[k % len(self.survivors)]
        others = [pick for pick in self.survivors if pick is not one]
        genotype, parents, origin = one.genotype, (one.number,), "mutated"
        if others and rng.random() < self.crossing:
            other = others[int(rng.integers(len(others)))]
            genotype, parents = self.space.crossed(genotype, other.genotype, rng), (one.number, other.number)
            origin = "crossed"
        return Proposal(self.space.mutated(genotype, self.step, rng), parents, origin, (self.step,))

    def learn(self, individuals: Sequence[Individual[G]]) -> None:
        """Take the picks as parents."""
        picks = [one for one in ranked(individuals) if one.worth > 0.0]
        self.survivors = picks or self.survivors

    def welcome(self, migrants: Sequence[Individual[G]]) -> None:
        """Take migrants that were picked elsewhere."""
        self.survivors = [*self.survivors, *(one for one in ranked(migrants) if one.worth > 0.0)]

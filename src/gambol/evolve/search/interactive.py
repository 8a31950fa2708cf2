"""Interactive evolution: a person picks the parents. [Ventrella 1998]"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from numpy.random import Generator

from gambol.evolve.search.search import Individual, Proposal, check_count, check_number, first_generation, ranked
from gambol.evolve.search.space import Space

G = TypeVar("G")


@dataclass
class Choice(Generic[G]):
    """Generations bred from picked individuals. A fitness above 0 marks a pick; picks are sorted by fitness.

    space: space of the genotypes. population: creatures to choose from. step: step of mutation, in sigmas. crossing:
    probability that a child has two parents. start: genotypes to begin with. Up to half of a generation are the picks
    themselves, unchanged; the rest are their mutants. If no creature is picked, the previous picks stay. Raises
    EvolveError for invalid settings.
    """

    space: Space[G]
    population: int
    step: float = 1.0
    crossing: float = 0.5
    start: tuple[G, ...] = ()
    survivors: list[Individual[G]] = field(default_factory=list["Individual[G]"], init=False)

    def __post_init__(self) -> None:
        check_count("the number of creatures to choose from", self.population)
        check_number("the step of mutation", self.step)
        check_number("the fraction of children with two parents", self.crossing, most=1.0)

    def propose(self, rng: Generator) -> list[Proposal[G]]:
        """Return the picks and their children; the first generation if there are no picks."""
        if not self.survivors:
            return first_generation(self.space, self.population, self.start, (self.step,), rng)
        unchanged = self.survivors[: self.population // 2]
        copies = [Proposal(pick.genotype, (pick.number,), "kept", (self.step,)) for pick in unchanged]
        return copies + [self._child(k, rng) for k in range(self.population - len(copies))]

    def _child(self, k: int, rng: Generator) -> Proposal[G]:
        """Return child k: its first parent is pick k, counted cyclically."""
        parent = self.survivors[k % len(self.survivors)]
        others = [pick for pick in self.survivors if pick is not parent]
        genotype, parents, origin = parent.genotype, (parent.number,), "mutated"
        if others and rng.random() < self.crossing:
            other = others[int(rng.integers(len(others)))]
            genotype, parents = self.space.crossed(genotype, other.genotype, rng), (parent.number, other.number)
            origin = "crossed"
        return Proposal(self.space.mutated(genotype, self.step, rng), parents, origin, (self.step,))

    def learn(self, individuals: Sequence[Individual[G]]) -> None:
        """Make the picks the next parents."""
        picks = [parent for parent in ranked(individuals) if parent.score > 0.0]
        self.survivors = picks or self.survivors

    def add_migrants(self, migrants: Sequence[Individual[G]]) -> None:
        """Add migrants that were picked to the parents."""
        self.survivors = [*self.survivors, *(parent for parent in ranked(migrants) if parent.score > 0.0)]

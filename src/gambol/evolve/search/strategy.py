"""Evolution strategies: mu parents, lambda children, comma or plus.

    (mu/rho, lambda)   the best mu of the children are the next parents
    (mu/rho + lambda)  the best mu of children and parents are the next parents

A child recombines rho parents, then mutates. It inherits its step sizes; they mutate before its genes. [Beyer and
Schwefel 2002, sections 2 to 4]
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np
from numpy.random import Generator

from gambol.errors import EvolveError
from gambol.evolve.search.adaptation import EvolutionPath, LearningRates, inherited_steps, learning_rates
from gambol.evolve.search.search import (
    Individual,
    Proposal,
    check_choice,
    check_count,
    check_number,
    first_generation,
    ranked,
    step_argument,
)
from gambol.evolve.search.space import Space, cyclic, mean_vector, shortest_difference, sigmas

G = TypeVar("G")

MIXING = ("none", "crossed", "blended")
ADAPTATION = ("one", "each", "path", "none")
CHILDREN_PER_PARENT = 7  # default; near the optimum for the adaptation of one step size


@dataclass
class Strategy(Generic[G]):
    """An evolution strategy. Raises EvolveError for invalid settings.

    space: space of the genotypes. population: number of children in a generation, lambda. parents: number of parents,
    mu; 0 for a seventh of lambda. mates: number of parents of a child, rho; 0 for the default of the mixing: two if
    "crossed", all if "blended". mixing: recombination, "crossed" (parts of each parent), "blended" (the mean) or
    "none". plus: True if parents survive. step: the initial step size, in sigmas of the genes. adaptation: "one": a
    common step size mutates; "each": a step size for every gene mutates; "path": a common step size adapts to the path
    of the mean; "none": constant. rate: factor of the default learning rates. shortest, longest: bounds of step sizes.
    start: genotypes of the first generation, which is completed by their mutants.
    """

    space: Space[G]
    population: int
    parents: int = 0
    mates: int = 0
    mixing: str = "crossed"
    plus: bool = False
    step: float = 1.0
    adaptation: str = "one"
    rate: float = 1.0
    shortest: float = 1e-6
    longest: float = 10.0
    start: tuple[G, ...] = ()
    survivors: list[Individual[G]] = field(default_factory=list["Individual[G]"], init=False)

    def __post_init__(self) -> None:
        check_count("the population of an evolution strategy", self.population)
        check_count("the number of parents", self.parents, least=0)
        check_choice("the mixing of parents", self.mixing, MIXING)
        check_choice("the adaptation of step sizes", self.adaptation, ADAPTATION)
        check_number("the rate of adaptation", self.rate)
        check_number("the shortest step size", self.shortest, least=1e-300)
        check_number("the first step size", self.step, self.shortest, self.longest)
        self.parents = self.parents or max(1, self.population // CHILDREN_PER_PARENT)
        if not self.plus and self.parents >= self.population:
            raise EvolveError(
                f"a comma strategy needs fewer parents than children, but has {self.parents} parents and "
                f"{self.population} children; give more children or fewer parents, or let parents survive (plus)"
            )
        self._set_mates()
        self._set_adaptation()

    def _set_mates(self) -> None:
        """Set the number of mates; 0 is replaced by the default of the mixing."""
        check_count("the number of mates", self.mates, least=0)
        default = {"none": 1, "crossed": min(2, self.parents), "blended": self.parents}[self.mixing]
        self.mates = self.mates or default
        if self.mates > self.parents or (self.mixing == "none" and self.mates > 1):
            raise EvolveError(f'{self.mates} of {self.parents} parents cannot be mixed by "{self.mixing}"')

    def _set_adaptation(self) -> None:
        """Set the learning rates, the initial step sizes and the evolution path."""
        each, size = self.adaptation == "each", self.space.size
        if size == 0 and self.adaptation in ("each", "path"):
            raise EvolveError(
                f'step sizes cannot be adapted by "{self.adaptation}" where the number of genes varies; use "one"'
            )
        # cumulative adaptation measures the move of a mean, so all children must be mutants of this mean
        common_centre = self.mixing == "blended" or self.parents == 1
        if self.adaptation == "path" and (self.plus or not common_centre or self.mates != self.parents):
            raise EvolveError('adaptation along the "path" is for comma strategies that blend all parents')
        default = learning_rates(size, each)
        rate = self.rate if self.adaptation in ("one", "each") else 0.0
        self._learning = LearningRates(rate * default.common, rate * default.per_gene)
        self._initial_steps = (self.step,) * (size if each else 1)
        self._path = EvolutionPath(size, self.step) if self.adaptation == "path" else None

    def propose(self, rng: Generator) -> list[Proposal[G]]:
        """Return children of the parents; the first generation if there are no parents."""
        if not self.survivors:
            return first_generation(self.space, self.population, self.start, self._initial_steps, rng)
        centres: dict[tuple[int, ...], G] = {}
        return [self._child(centres, rng) for _ in range(self.population)]

    def _child(self, centres: dict[tuple[int, ...], G], rng: Generator) -> Proposal[G]:
        """Return a child. centres: means of parents computed so far, by the parents' numbers; new ones are added."""
        parents = self._choose_parents(rng)
        numbers = tuple(parent.number for parent in parents)
        steps = self._steps(parents, rng)
        if self.mixing == "blended":
            if numbers not in centres:
                centres[numbers] = self.space.blended([parent.genotype for parent in parents])
            centre = centres[numbers]
        else:
            centre = parents[0].genotype
            for mate in parents[1:]:
                centre = self.space.crossed(centre, mate.genotype, rng)
        genotype = self.space.mutated(centre, step_argument(steps), rng)
        return Proposal(genotype, numbers, self.mixing if len(parents) > 1 else "mutated", steps)

    def _choose_parents(self, rng: Generator) -> list[Individual[G]]:
        """Return distinct random parents of a child; genotypes to be blended have the same structure."""
        pool = self.survivors
        if self.mixing == "blended" and self.mates > 1:
            first = pool[int(rng.integers(len(pool)))]
            pool = [other for other in pool if self.space.same_structure(first.genotype, other.genotype)]
        indices = rng.choice(len(pool), size=min(self.mates, len(pool)), replace=False)
        if self.mixing == "blended":
            indices.sort()  # so that the order of the parents does not matter
        return [pool[k] for k in indices]

    def _steps(self, parents: Sequence[Individual[G]], rng: Generator) -> tuple[float, ...]:
        """Return the step sizes of a child."""
        if self._path is not None:
            return (self._path.step,)
        steps = inherited_steps([parent.proposal.strategy for parent in parents])
        return tuple(np.clip(self._learning.mutated(steps, rng), self.shortest, self.longest).tolist())

    def learn(self, individuals: Sequence[Individual[G]]) -> None:
        """Select the next parents; if no child is valid, the old parents stay."""
        parents = self.survivors if self.plus else []
        selected = ranked([*parents, *individuals])[: self.parents]
        if self._path is not None and self.survivors and selected:
            self._update_path(self._path, selected)
        self.survivors = selected or self.survivors

    def _update_path(self, path: EvolutionPath, selected: Sequence[Individual[G]]) -> None:
        """Update the evolution path by the move from the old parents to the selected individuals."""
        is_cyclic = cyclic(self.space.genes)
        old_mean, new_mean = (
            mean_vector(np.array([self.space.vector(individual.genotype) for individual in group]), is_cyclic)
            for group in (self.survivors, selected)
        )
        path.update(shortest_difference(new_mean, old_mean, is_cyclic) / sigmas(self.space.genes), len(selected))
        path.step = min(max(path.step, self.shortest), self.longest)

    def add_migrants(self, migrants: Sequence[Individual[G]]) -> None:
        """Let migrants compete with the parents."""
        self.survivors = ranked([*self.survivors, *migrants])[: self.parents]

"""MAP-Elites: the best individual of every cell of a grid over behaviour descriptors. [Mouret and Clune 2015]

The grid is a GridArchive of pyribs. New genotypes come from elites drawn at random, in one of three ways:

    bred   crossed and mutated by the space's operators, with step sizes that adapt; for any space
    line   x_i + sigma N(0, 1) + l (x_j - x_i) N(0, 1)         [Vassiliades and Mouret 2018]
    cma    CMA-ES towards new and better elites; it restarts if it finds none                [Fontaine et al. 2020]
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from gambol.errors import EvolveError
from gambol.evolve.search.adaptation import inherited_steps, learning_rates
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
from gambol.evolve.search.space import Array, Space, cyclic, shortest_difference, sigmas

G = TypeVar("G")

VARIATIONS = ("bred", "line", "cma")
MAX_STEP = 10.0  # upper bound of step sizes, in sigmas: larger steps are as good as random genotypes
MIN_STEP = 1e-3  # lower bound of step sizes, in sigmas: mutants must differ from their parents
EMITTER_BATCH = 36  # samples of one CMA-ES in a generation, as in [Fontaine et al. 2020]


@dataclass
class Elites(Generic[G]):
    """MAP-Elites. Raises EvolveError for invalid settings.

    space: space of the genotypes. population: genotypes in a generation. cells: number of cells along each descriptor.
    lower, upper: range of each descriptor; values beyond it are in the outermost cells. variation: "bred", "line" or
    "cma". crossing: probability that a bred child has two parents; step: step of mutation, in sigmas; line: spread
    along the line from one elite to another. start: genotypes to begin with.
    """

    space: Space[G]
    population: int
    cells: tuple[int, ...] = (20, 20)
    lower: tuple[float, ...] = (0.0, 0.0)
    upper: tuple[float, ...] = (1.0, 1.0)
    variation: str = "bred"
    crossing: float = 0.8
    step: float = 0.3
    line: float = 0.2
    start: tuple[G, ...] = ()
    survivors: list[Individual[G]] = field(default_factory=list["Individual[G]"], init=False)

    def __post_init__(self) -> None:
        check_count("the population of MAP-Elites", self.population)
        check_choice("the variation of elites", self.variation, VARIATIONS)
        check_number("the fraction of children with two parents", self.crossing, most=1.0)
        check_number("the step of mutation", self.step, MIN_STEP, MAX_STEP)
        check_number("the spread along lines", self.line)
        if self.variation != "bred" and self.space.size < 2:
            raise EvolveError(f'variation by "{self.variation}" needs genotypes of one size; use "bred"')
        self.archive = self._grid()
        self._learning = learning_rates(self.space.size, each=False)
        self._emitters: list[Any] = []
        self._samples: list[Array] = []

    def _grid(self) -> Any:
        """Return the empty archive of pyribs. Raises EvolveError for an invalid grid."""
        from ribs.archives import GridArchive

        if not len(self.cells) == len(self.lower) == len(self.upper) >= 1:
            raise EvolveError(
                f"a grid of {self.cells} cells from {self.lower} to {self.upper}: "
                "give one of each for every descriptor of the behaviour"
            )
        for count, low, high in zip(self.cells, self.lower, self.upper, strict=True):
            check_count("the number of cells along one side", count)
            if not -np.inf < low < high < np.inf:
                raise EvolveError(f"cells cannot span {low} to {high}; give a lower bound below the upper one")
        size = self.space.size if self.variation == "cma" else 1  # only CMA-ES needs the vectors of elites
        ranges = list(zip(self.lower, self.upper, strict=True))
        fields: Any = {"number": ((), np.int64)}
        return GridArchive(solution_dim=size, dims=self.cells, ranges=ranges, extra_fields=fields, seed=0)

    @property
    def coverage(self) -> float:
        """The fraction of the cells that contain an elite."""
        return float(self.archive.stats.coverage)

    def propose(self, rng: Generator) -> list[Proposal[G]]:
        """Return variants of elites; the first generation if there are no elites."""
        if self.variation == "cma":
            return self._emitter_samples(rng)
        if not self.survivors:
            return first_generation(self.space, self.population, self.start, (self.step,), rng)
        new_child = self._bred_child if self.variation == "bred" else self._line_child
        return [new_child(rng) for _ in range(self.population)]

    def _random_elite(self, rng: Generator) -> Individual[G]:
        return self.survivors[int(rng.integers(len(self.survivors)))]

    def _bred_child(self, rng: Generator) -> Proposal[G]:
        """Return a mutated elite, or two elites crossed and mutated."""
        parents, genotype = [self._random_elite(rng)], None
        if rng.random() < self.crossing:
            parents.append(self._random_elite(rng))
            genotype = self.space.crossed(parents[0].genotype, parents[1].genotype, rng)
        mean_steps = inherited_steps([parent.proposal.strategy for parent in parents])
        steps = tuple(np.clip(self._learning.mutated(mean_steps, rng), MIN_STEP, MAX_STEP).tolist())
        child = self.space.mutated(parents[0].genotype if genotype is None else genotype, step_argument(steps), rng)
        origin = "mutated" if genotype is None else "crossed"
        return Proposal(child, tuple(parent.number for parent in parents), origin, steps)

    def _line_child(self, rng: Generator) -> Proposal[G]:
        """Return a random genotype near the line through two elites."""
        individual, other = self._random_elite(rng), self._random_elite(rng)
        x, y = self.space.vector(individual.genotype), self.space.vector(other.genotype)
        along_line = self.line * float(rng.standard_normal()) * shortest_difference(y, x, cyclic(self.space.genes))
        noise = self.step * sigmas(self.space.genes) * rng.standard_normal(self.space.size)
        child = self.space.of_vector(x + along_line + noise)
        return Proposal(child, (individual.number, other.number), "line", (self.step,))

    def _emitter_samples(self, rng: Generator) -> list[Proposal[G]]:
        """Return samples of every emitter; their vectors are in units of sigmas."""
        if not self._emitters:
            self._emitters = self._new_emitters(rng)
        scale = sigmas(self.space.genes)
        self._samples = [emitter.ask() for emitter in self._emitters]
        return [
            Proposal(self.space.of_vector(x * scale), (), "climbed", (self.step,))
            for samples in self._samples
            for x in samples
        ]

    def _new_emitters(self, rng: Generator) -> list[Any]:
        """Return emitters of pyribs, which share the population."""
        from ribs.emitters import EvolutionStrategyEmitter

        count = max(1, self.population // EMITTER_BATCH)
        ends = [self.population * k // count for k in range(count + 1)]
        initial_genotypes = [self.start[k] if k < len(self.start) else self.space.random(rng) for k in range(count)]
        return [
            EvolutionStrategyEmitter(
                self.archive,
                x0=self.space.vector(genotype) / sigmas(self.space.genes),
                sigma0=self.step,
                batch_size=end - begin,
                seed=int(rng.integers(2**31)),
            )
            for genotype, (begin, end) in zip(initial_genotypes, pairwise(ends), strict=True)
        ]

    def learn(self, individuals: Sequence[Individual[G]]) -> None:
        """Put valid individuals into cells whose elites they surpass, and inform the emitters."""
        if self.variation != "cma":
            self._add(individuals, np.zeros((len(individuals), 1)))
            return
        begin = 0
        for emitter, samples in zip(self._emitters, self._samples, strict=True):
            batch = individuals[begin : begin + len(samples)]
            begin += len(samples)
            status, value = self._add(batch, samples)
            if any(self._is_valid(individual) for individual in batch):
                measures, scores = self._measures_and_scores(batch)
                emitter.tell(samples, scores, measures, {"status": status, "value": value})

    def add_migrants(self, migrants: Sequence[Individual[G]]) -> None:
        """Put migrants into their cells."""
        solutions = np.zeros((len(migrants), 1))
        if self.variation == "cma":
            solutions = np.array(
                [self.space.vector(individual.genotype) / sigmas(self.space.genes) for individual in migrants]
            )
        self._add(migrants, solutions)

    def _is_valid(self, individual: Individual[G]) -> bool:
        """Return True if an individual has a cell: if it is valid and its behaviour is finite.

        Raises EvolveError if its behaviour and the grid have different dimensions.
        """
        behaviour = individual.outcome.behaviour
        if individual.outcome.valid and len(behaviour) != len(self.cells):
            raise EvolveError(f"a grid over {len(self.cells)} descriptors got a behaviour of {len(behaviour)}")
        return individual.outcome.valid and bool(np.isfinite(behaviour).all())

    def _measures_and_scores(self, batch: Sequence[Individual[G]]) -> tuple[Array, Array]:
        """Return behaviours and scores for an emitter; invalid individuals get the lower bounds and the worst score."""
        valid = [self._is_valid(individual) for individual in batch]
        worst = min(individual.score for individual, is_valid in zip(batch, valid, strict=True) if is_valid)
        pairs = list(zip(batch, valid, strict=True))
        measures = np.array(
            [individual.outcome.behaviour if is_valid else self.lower for individual, is_valid in pairs]
        )
        return measures, np.array([individual.score if is_valid else worst for individual, is_valid in pairs])

    def _add(self, batch: Sequence[Individual[G]], solutions: Array) -> tuple[NDArray[np.int32], Array]:
        """Add individuals to the grid, and return the status and the value of each.

        batch: the individuals. solutions: their vectors (individuals, size). Status: 2 for a new cell, 1 for an
        improved one, else 0. Value: the improvement of the cell's score; for an invalid individual, a number lower than
        all others.
        """
        valid = np.array([self._is_valid(individual) for individual in batch], dtype=np.bool_)
        status, value = np.zeros(len(batch), dtype=np.int32), np.zeros(len(batch))
        if not valid.any():
            return status, value
        accepted = [individual for individual, is_valid in zip(batch, valid, strict=True) if is_valid]
        result = self.archive.add(
            solutions[valid],
            [individual.score for individual in accepted],
            [individual.outcome.behaviour for individual in accepted],
            number=[individual.number for individual in accepted],
        )
        status[valid], value[valid] = result["status"], result["value"]
        value[~valid] = float(np.min(result["value"])) - 1.0  # below all others, so that emitters avoid them
        by_number = {individual.number: individual for individual in (*self.survivors, *accepted)}
        self.survivors = ranked([by_number[int(number)] for number in self.archive.data("number")])
        return status, value

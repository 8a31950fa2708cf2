"""MAP-Elites: the best of every kind of life, kept in the cells of a grid over behaviours. [Mouret and Clune 2015]

The grid is a GridArchive of pyribs. New genotypes come from elites drawn at random, in one of three ways:

    bred   crossed and mutated by the space's operators, with step sizes that adapt; for any space
    line   x_i + sigma N(0, 1) + l (x_j - x_i) N(0, 1)         [Vassiliades and Mouret 2018]
    cma    CMA-ES that climbs towards new and better elites, and begins anew where none are  [Fontaine et al. 2020]
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from gambol.errors import EvolveError
from gambol.evolve.search.adaptation import inherited, learning
from gambol.evolve.search.search import Individual, Proposal, counted, founders, measured, one_of, ranked, stepping
from gambol.evolve.search.space import Array, Space, cyclic, nearest_way, sigmas

G = TypeVar("G")

VARIATION = ("bred", "line", "cma")
LONGEST = 10.0  # of step sizes, in sigmas: farther is no nearer than anywhere
SHORTEST = 1e-3
BATCH = 36  # samples of one CMA-ES, as [Fontaine et al. 2020] have it


@dataclass
class Elites(Generic[G]):
    """A search for the best of every kind. Raises EvolveError for settings that cannot be.

    population: genotypes in a generation. cells: how many the grid has along each number of the behaviour; lower,
    upper: what they span, beyond which the outermost cells hold everything. variation: "bred", "line" or "cma".
    crossing: share of bred children with two parents; step: of mutation, in sigmas; line: spread along the line from
    one elite to another. start: genotypes to begin with.
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
        counted("the population of MAP-Elites", self.population)
        one_of("the variation of elites", self.variation, VARIATION)
        measured("the share of children with two parents", self.crossing, most=1.0)
        measured("the step of mutation", self.step, SHORTEST, LONGEST)
        measured("the spread along lines", self.line)
        if self.variation != "bred" and self.space.size < 2:
            raise EvolveError(f'variation by "{self.variation}" needs genotypes of one size; use "bred"')
        self.archive = self._grid()
        self._learning = learning(self.space.size, each=False)
        self._emitters: list[Any] = []
        self._asked: list[Array] = []

    def _grid(self) -> Any:
        from ribs.archives import GridArchive

        if not len(self.cells) == len(self.lower) == len(self.upper) >= 1:
            raise EvolveError(
                f"a grid of {self.cells} cells from {self.lower} to {self.upper}: "
                "give as many numbers of each as a behaviour has"
            )
        for count, low, high in zip(self.cells, self.lower, self.upper, strict=True):
            counted("the number of cells along one side", count)
            if not -np.inf < low < high < np.inf:
                raise EvolveError(f"cells cannot span {low} to {high}")
        size = self.space.size if self.variation == "cma" else 1
        ranges = list(zip(self.lower, self.upper, strict=True))
        fields: Any = {"number": ((), np.int64)}
        return GridArchive(solution_dim=size, dims=self.cells, ranges=ranges, extra_fields=fields, seed=0)

    @property
    def coverage(self) -> float:
        """Share of the cells that hold an elite."""
        return float(self.archive.stats.coverage)

    def propose(self, rng: Generator) -> list[Proposal[G]]:
        """Variants of elites; while there are none, founders."""
        if self.variation == "cma":
            return self._climbing(rng)
        if not self.survivors:
            return founders(self.space, self.population, self.start, (self.step,), rng)
        make = self._bred if self.variation == "bred" else self._on_line
        return [make(rng) for _ in range(self.population)]

    def _drawn(self, rng: Generator) -> Individual[G]:
        return self.survivors[int(rng.integers(len(self.survivors)))]

    def _bred(self, rng: Generator) -> Proposal[G]:
        """An elite, or two crossed, mutated."""
        parents, genotype = [self._drawn(rng)], None
        if rng.random() < self.crossing:
            parents.append(self._drawn(rng))
            genotype = self.space.crossed(parents[0].genotype, parents[1].genotype, rng)
        mixed = inherited([parent.proposal.strategy for parent in parents])
        steps = tuple(np.clip(self._learning.mutated(mixed, rng), SHORTEST, LONGEST).tolist())
        child = self.space.mutated(parents[0].genotype if genotype is None else genotype, stepping(steps), rng)
        origin = "mutated" if genotype is None else "crossed"
        return Proposal(child, tuple(parent.number for parent in parents), origin, steps)

    def _on_line(self, rng: Generator) -> Proposal[G]:
        """A point near the line through two elites."""
        one, other = self._drawn(rng), self._drawn(rng)
        x, y = self.space.vector(one.genotype), self.space.vector(other.genotype)
        along = self.line * float(rng.standard_normal()) * nearest_way(y, x, cyclic(self.space.genes))
        around = self.step * sigmas(self.space.genes) * rng.standard_normal(self.space.size)
        child = self.space.of_vector(x + along + around)
        return Proposal(child, (one.number, other.number), "line", (self.step,))

    def _climbing(self, rng: Generator) -> list[Proposal[G]]:
        """Samples of every emitter; they live in vectors told in sigmas."""
        if not self._emitters:
            self._emitters = self._begun(rng)
        scale = sigmas(self.space.genes)
        self._asked = [emitter.ask() for emitter in self._emitters]
        return [
            Proposal(self.space.of_vector(x * scale), (), "climbed", (self.step,))
            for asked in self._asked
            for x in asked
        ]

    def _begun(self, rng: Generator) -> list[Any]:
        from ribs.emitters import EvolutionStrategyEmitter

        count = max(1, self.population // BATCH)
        ends = [self.population * k // count for k in range(count + 1)]
        firsts = [self.start[k] if k < len(self.start) else self.space.random(rng) for k in range(count)]
        return [
            EvolutionStrategyEmitter(
                self.archive,
                x0=self.space.vector(first) / sigmas(self.space.genes),
                sigma0=self.step,
                batch_size=end - begin,
                seed=int(rng.integers(2**31)),
            )
            for first, (begin, end) in zip(firsts, pairwise(ends), strict=True)
        ]

    def learn(self, individuals: Sequence[Individual[G]]) -> None:
        """Put the sound into their cells, where they are better than who is there; tell climbers how they did."""
        if self.variation != "cma":
            self._put(individuals, np.zeros((len(individuals), 1)))
            return
        begin = 0
        for emitter, asked in zip(self._emitters, self._asked, strict=True):
            batch = individuals[begin : begin + len(asked)]
            begin += len(asked)
            status, value = self._put(batch, asked)
            if any(self._counts(one) for one in batch):
                places, worths = self._shown(batch)
                emitter.tell(asked, worths, places, {"status": status, "value": value})

    def welcome(self, migrants: Sequence[Individual[G]]) -> None:
        """Put migrants into the cells where they belong."""
        rows = np.zeros((len(migrants), 1))
        if self.variation == "cma":
            rows = np.array([self.space.vector(one.genotype) / sigmas(self.space.genes) for one in migrants])
        self._put(migrants, rows)

    def _counts(self, one: Individual[G]) -> bool:
        """Whether an individual can have a cell. Raises EvolveError for a behaviour that the grid is not made for."""
        behaviour = one.outcome.behaviour
        if one.outcome.sound and len(behaviour) != len(self.cells):
            raise EvolveError(f"a grid of {len(self.cells)} numbers was told a behaviour of {len(behaviour)}")
        return one.outcome.sound and bool(np.isfinite(behaviour).all())

    def _shown(self, batch: Sequence[Individual[G]]) -> tuple[Array, Array]:
        """Behaviours and fitness for climbers; who does not count is as bad as the worst who does."""
        counts = [self._counts(one) for one in batch]
        worst = min(one.worth for one, sound in zip(batch, counts, strict=True) if sound)
        pairs = list(zip(batch, counts, strict=True))
        places = np.array([one.outcome.behaviour if sound else self.lower for one, sound in pairs])
        return places, np.array([one.worth if sound else worst for one, sound in pairs])

    def _put(self, batch: Sequence[Individual[G]], rows: Array) -> tuple[NDArray[np.int32], Array]:
        """Offer individuals to the grid. Returns for each if it was new (2), better (1) or neither (0), by how much."""
        sound = np.array([self._counts(one) for one in batch], dtype=np.bool_)
        status, value = np.zeros(len(batch), dtype=np.int32), np.zeros(len(batch))
        if not sound.any():
            return status, value
        offered = [one for one, counts in zip(batch, sound, strict=True) if counts]
        told = self.archive.add(
            rows[sound],
            [one.worth for one in offered],
            [one.outcome.behaviour for one in offered],
            number=[one.number for one in offered],
        )
        status[sound], value[sound] = told["status"], told["value"]
        value[~sound] = float(np.min(told["value"])) - 1.0  # below all others, so that climbers turn away
        known = {one.number: one for one in (*self.survivors, *offered)}
        self.survivors = ranked([known[int(number)] for number in self.archive.data("number")])
        return status, value

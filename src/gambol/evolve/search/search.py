"""Ask and tell: a search proposes a generation, is told what became of it, and proposes the next.

All that a search knows follows from its seed and the outcomes that it was told. Random numbers of generation g come
from a stream of (seed, g). So a search is restored by making it anew and telling it the outcomes again, and nothing of
its state is ever stored.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.random import Generator, Philox, SeedSequence

from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.outcome import Outcome
from gambol.evolve.search.space import Array, Space

G = TypeVar("G")


@dataclass(frozen=True)
class Proposal(Generic[G]):
    """A genotype that waits for its outcome.

    parents: numbers of the individuals that it is made of. origin: by which operator. strategy: what it inherits
    besides its genes, such as step sizes.
    """

    genotype: G
    parents: tuple[int, ...] = ()
    origin: str = "random"
    strategy: tuple[float, ...] = ()


@dataclass(frozen=True)
class Individual(Generic[G]):
    """A proposal with its outcome. number: counts individuals in the order in which they were told, from 0."""

    number: int
    proposal: Proposal[G]
    outcome: Outcome

    @property
    def genotype(self) -> G:
        """What it is made of."""
        return self.proposal.genotype

    @property
    def worth(self) -> float:
        """Its fitness, less than any if that does not count."""
        return self.outcome.worth


class Breeder(Protocol[G]):
    """What differs between searches: whom the next generation is made of, and how."""

    @property
    def survivors(self) -> Sequence[Individual[G]]:
        """Who may become a parent, best first where there is an order."""
        ...

    def propose(self, rng: Generator) -> list[Proposal[G]]:
        """A new generation; always as many."""
        ...

    def learn(self, individuals: Sequence[Individual[G]]) -> None:
        """Take what became of the generation last proposed, in its order."""
        ...

    def welcome(self, migrants: Sequence[Individual[G]]) -> None:
        """Take individuals that another breeder has bred among those who may become parents."""
        ...


@dataclass
class Search(Generic[G]):
    """A search that is asked for genotypes and told their outcomes, generation after generation.

    generation: how many were told; told: how many individuals. best: the first of the fittest sound individuals, None
    until one was told. Raises EvolveError for a seed below 0.
    """

    breeder: Breeder[G]
    seed: int
    generation: int = field(default=0, init=False)
    told: int = field(default=0, init=False)
    best: Individual[G] | None = field(default=None, init=False)
    _asked: list[Proposal[G]] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        counted("the seed of a search", self.seed, least=0)

    @property
    def population(self) -> tuple[Individual[G], ...]:
        """Who may become a parent of the next generation."""
        return tuple(self.breeder.survivors)

    def ask(self) -> list[Proposal[G]]:
        """The generation whose outcomes are wanted next; the same one however often it is asked for."""
        if self._asked is None:
            stream = Generator(Philox(SeedSequence((self.seed, self.generation))))
            self._asked = self.breeder.propose(stream)
        return list(self._asked)

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """What became of the proposals, in their order. Raises EvolveError if there are fewer or more."""
        proposals = self.ask()
        if len(outcomes) != len(proposals):
            raise EvolveError(f"generation {self.generation} has {len(proposals)} proposals, not {len(outcomes)}")
        pairs = zip(proposals, outcomes, strict=True)
        individuals = [Individual(self.told + k, proposal, outcome) for k, (proposal, outcome) in enumerate(pairs)]
        self.breeder.learn(individuals)
        leader = max(individuals, key=lambda individual: individual.worth)
        if leader.outcome.sound and (self.best is None or leader.worth > self.best.worth):
            self.best = leader
        self.generation += 1
        self.told += len(individuals)
        self._asked = None


def ranked(individuals: Sequence[Individual[G]]) -> list[Individual[G]]:
    """The sound individuals, best first; of equals, those told first."""
    sound = [individual for individual in individuals if individual.outcome.sound]
    return sorted(sound, key=lambda individual: (-individual.worth, individual.number))


def founders(
    space: Space[G], count: int, start: Sequence[G], strategy: tuple[float, ...], rng: Generator
) -> list[Proposal[G]]:
    """A first generation: genotypes to start from with mutants of them, in turn, or random ones if there are none."""
    if not start:
        return [Proposal(space.random(rng), strategy=strategy) for _ in range(count)]
    given = [Proposal(genotype, origin="given", strategy=strategy) for genotype in start[:count]]
    mutants = [space.mutated(start[k % len(start)], stepping(strategy), rng) for k in range(len(given), count)]
    return given + [Proposal(genotype, origin="mutated", strategy=strategy) for genotype in mutants]


def stepping(strategy: Sequence[float]) -> float | Array:
    """Step sizes as spaces take them: one number, or one for each gene."""
    return strategy[0] if len(strategy) == 1 else np.array(strategy, dtype=np.float64)


def counted(what: str, count: object, least: int = 1) -> None:
    """Raises EvolveError, naming what it counts, for what is no whole number or too small a one."""
    if not isinstance(count, int) or isinstance(count, bool) or count < least:
        raise EvolveError(f"{what} is {count!r}; give a whole number, {least} or more")


def measured(what: str, value: object, least: float = 0.0, most: float = math.inf) -> None:
    """Raises EvolveError, naming what it measures, for what is no number or out of bounds."""
    if not isinstance(value, (int, float)) or not least <= value <= most or value == math.inf:
        bounds = f"from {least:g} to {most:g}" if most < math.inf else f"finite and at least {least:g}"
        raise EvolveError(f"{what} is {value!r}; give a number {bounds}")


def one_of(what: str, word: str, words: Sequence[str]) -> None:
    """Raises EvolveError, with what was probably meant, for a word that is none of some."""
    if word not in words:
        raise EvolveError(f'{what} cannot be "{word}"; {did_you_mean(word, words)}')

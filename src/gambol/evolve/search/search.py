"""Ask and tell: a search proposes a generation, gets its outcomes, and proposes the next.

The state of a search is determined by its seed and its outcomes: random numbers of generation g come from the stream
(seed, g). So the state is never stored: a new search with the same seed reaches it if it gets the same outcomes.
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

    genotype: a genotype of the space. parents: numbers of its parents. origin: the operator that made it. strategy:
    inherited data besides the genes, such as step sizes.
    """

    genotype: G
    parents: tuple[int, ...] = ()
    origin: str = "random"
    strategy: tuple[float, ...] = ()


@dataclass(frozen=True)
class Individual(Generic[G]):
    """A proposal with its outcome. number: index of the individual among all that were passed to tell(), from 0."""

    number: int
    proposal: Proposal[G]
    outcome: Outcome

    @property
    def genotype(self) -> G:
        """The genotype of the proposal."""
        return self.proposal.genotype

    @property
    def score(self) -> float:
        """The fitness of a valid outcome, else minus infinity."""
        return self.outcome.score


class Algorithm(Protocol[G]):
    """Selection and variation: the part of a search in which searches differ."""

    @property
    def survivors(self) -> Sequence[Individual[G]]:
        """The individuals that may become parents, best first where there is an order."""
        ...

    def propose(self, rng: Generator) -> list[Proposal[G]]:
        """Return a new generation; always of the same size."""
        ...

    def learn(self, individuals: Sequence[Individual[G]]) -> None:
        """Learn from the outcomes of the last proposed generation, in its order."""
        ...

    def add_migrants(self, migrants: Sequence[Individual[G]]) -> None:
        """Add individuals of another algorithm to those that may become parents."""
        ...


@dataclass
class Search(Generic[G]):
    """A search with the ask-tell interface.

    algorithm: proposes and learns. seed: seed of all random numbers. generation: number of generations passed to
    tell(); evaluated: number of individuals passed to tell(). best: the fittest valid individual, of equally fit ones
    the first; None if there is none. Raises EvolveError for a seed below 0.
    """

    algorithm: Algorithm[G]
    seed: int
    generation: int = field(default=0, init=False)
    evaluated: int = field(default=0, init=False)
    best: Individual[G] | None = field(default=None, init=False)
    _proposals: list[Proposal[G]] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        check_count("the seed of a search", self.seed, least=0)

    @property
    def population(self) -> tuple[Individual[G], ...]:
        """The individuals that may become parents of the next generation."""
        return tuple(self.algorithm.survivors)

    def ask(self) -> list[Proposal[G]]:
        """Return the generation to evaluate next; until tell() is called, every call returns the same generation."""
        if self._proposals is None:
            stream = Generator(Philox(SeedSequence((self.seed, self.generation))))
            self._proposals = self.algorithm.propose(stream)
        return list(self._proposals)

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Learn from the outcomes of the proposals, in their order. Raises EvolveError for a wrong number of them."""
        proposals = self.ask()
        if len(outcomes) != len(proposals):
            raise EvolveError(f"generation {self.generation} has {len(proposals)} proposals, not {len(outcomes)}")
        pairs = zip(proposals, outcomes, strict=True)
        individuals = [Individual(self.evaluated + k, proposal, outcome) for k, (proposal, outcome) in enumerate(pairs)]
        self.algorithm.learn(individuals)
        leader = max(individuals, key=lambda individual: individual.score)
        if leader.outcome.valid and (self.best is None or leader.score > self.best.score):
            self.best = leader
        self.generation += 1
        self.evaluated += len(individuals)
        self._proposals = None


def ranked(individuals: Sequence[Individual[G]]) -> list[Individual[G]]:
    """Return the valid individuals, best first; ties are in the order of their numbers."""
    valid = [individual for individual in individuals if individual.outcome.valid]
    return sorted(valid, key=lambda individual: (-individual.score, individual.number))


def first_generation(
    space: Space[G], count: int, start: Sequence[G], strategy: tuple[float, ...], rng: Generator
) -> list[Proposal[G]]:
    """Return a first generation: starting genotypes and their mutants, or random genotypes if there are none to start.

    space: space of the genotypes. count: size of the generation. start: starting genotypes. strategy: step sizes. rng:
    random numbers.
    """
    if not start:
        return [Proposal(space.random(rng), strategy=strategy) for _ in range(count)]
    starting = [Proposal(genotype, origin="given", strategy=strategy) for genotype in start[:count]]
    mutants = [space.mutated(start[k % len(start)], step_argument(strategy), rng) for k in range(len(starting), count)]
    return starting + [Proposal(genotype, origin="mutated", strategy=strategy) for genotype in mutants]


def step_argument(strategy: Sequence[float]) -> float | Array:
    """Return step sizes as an argument of Space.mutated(): one number, or one for each gene."""
    return strategy[0] if len(strategy) == 1 else np.array(strategy, dtype=np.float64)


def check_count(name: str, count: object, least: int = 1) -> None:
    """Raise EvolveError if a count is not an integer, or is less than `least`.

    name: name of the count, for the message.
    """
    if not isinstance(count, int) or isinstance(count, bool) or count < least:
        raise EvolveError(f"{name} is {count!r}; give a whole number, {least} or more")


def check_number(name: str, value: object, least: float = 0.0, most: float = math.inf) -> None:
    """Raise EvolveError if a value is not a number, or out of bounds. name: name of the value, for the message."""
    if not isinstance(value, (int, float)) or not least <= value <= most or value == math.inf:
        bounds = f"from {least:g} to {most:g}" if most < math.inf else f"finite and at least {least:g}"
        raise EvolveError(f"{name} is {value!r}; give a number {bounds}")


def check_choice(name: str, word: str, words: Sequence[str]) -> None:
    """Raise EvolveError, with the nearest word, if a word is not one of `words`. name: name of the setting."""
    if word not in words:
        raise EvolveError(f'{name} cannot be "{word}"; {did_you_mean(word, words)}')

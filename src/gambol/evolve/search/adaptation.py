"""How far to mutate: step sizes that are bred with the genes, or follow the path that the search has gone.

    sigma' = sigma exp(tau0 N(0, 1) + tau N_i(0, 1))               [Beyer and Schwefel 2002, section 4.2]
    s' = (1 - c) s + sqrt(c (2 - c) mu) <z>      sigma' = sigma exp(c/d (|s'| / E|N(0, 1)| - 1))
                                                                   [Hansen and Ostermeier 2001, eqs. 16 and 17]

<z> is the mean move of the selected, in step sizes. In a random walk the path s is as long as a normal deviate; if it
is longer, steps go one way and could have been one; if it is shorter, they cancel.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from gambol.evolve.search.space import Array

GENES_OF_FREE_SPACES = 25
"""Where sizes vary, self-adaptation learns as if there were as many genes; rates go with the root of it."""


@dataclass(frozen=True)
class Learning:
    """Rates at which inherited step sizes change: in common, and each apart."""

    common: float
    apart: float = 0.0

    def mutated(self, steps: Array, rng: Generator) -> Array:
        """Step sizes of a child, log-normally around those that it inherits."""
        common = self.common * rng.standard_normal()
        apart = self.apart * rng.standard_normal(len(steps)) if self.apart else 0.0
        return steps * np.exp(common + apart)


def learning(size: int, each: bool) -> Learning:
    """The usual rates for a number of genes, with one step size for all or with one for each. [ibid.]"""
    n = size or GENES_OF_FREE_SPACES
    together = Learning(1.0 / math.sqrt(2.0 * n))
    return Learning(together.common, 1.0 / math.sqrt(2.0 * math.sqrt(n))) if each else together


def inherited(steps: Sequence[tuple[float, ...]]) -> Array:
    """Step sizes of a child before they mutate: geometric means of its parents'."""
    return np.exp(np.log(np.array(steps)).mean(axis=0))


@dataclass
class Path:
    """Cumulative adaptation of one step size. size: how many genes; step: the step size, in sigmas of the genes."""

    size: int
    step: float
    way: Array = field(init=False)

    def __post_init__(self) -> None:
        self.way = np.zeros(self.size)

    def follow(self, move: Array, selected: int) -> None:
        """Lengthen the path by the mean move of the selected, in sigmas, and change the step size accordingly."""
        n, mu = self.size, selected
        c = (mu + 2.0) / (n + mu + 5.0)
        d = 1.0 + c + 2.0 * max(0.0, math.sqrt((mu - 1.0) / (n + 1.0)) - 1.0)
        self.way = (1.0 - c) * self.way + math.sqrt(c * (2.0 - c) * mu) * move / self.step
        expected = math.sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n))  # of a normal deviate's length
        growth = min(1.0, c / d * (float(np.linalg.norm(self.way)) / expected - 1.0))
        self.step *= math.exp(growth)

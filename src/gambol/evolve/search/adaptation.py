"""Adaptation of step sizes: self-adaptation with the genes, or cumulative adaptation along the evolution path.

    sigma' = sigma exp(tau0 N(0, 1) + tau N_i(0, 1))               [Beyer and Schwefel 2002, section 4.2]
    s' = (1 - c) s + sqrt(c (2 - c) mu) <z>      sigma' = sigma exp(c/d (|s'| / E|N(0, 1)| - 1))
                                                                   [Hansen and Ostermeier 2001, eqs. 16 and 17]

<z> is the mean move of the selected individuals, in step sizes. Under random selection the path s is as long as a
vector of normal deviates. If it is longer, successive steps are parallel, and the step size increases; if it is
shorter, they cancel, and the step size decreases.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from gambol.evolve.search.space import Array

ASSUMED_GENES = 25
"""The number of genes that learning_rates() assumes if it varies. An error matters little: rates depend on its root."""


@dataclass(frozen=True)
class LearningRates:
    """Learning rates of inherited step sizes: one of a common factor, and one of a factor for each gene."""

    common: float
    per_gene: float = 0.0

    def mutated(self, steps: Array, rng: Generator) -> Array:
        """Return the step sizes of a child: log-normal around the inherited step sizes `steps`."""
        common = self.common * rng.standard_normal()
        per_gene = self.per_gene * rng.standard_normal(len(steps)) if self.per_gene else 0.0
        return steps * np.exp(common + per_gene)


def learning_rates(size: int, each: bool) -> LearningRates:
    """Return the usual learning rates. [Beyer and Schwefel 2002]

    size: number of genes, 0 if it varies. each: True if every gene has its own step size.
    """
    n = size or ASSUMED_GENES
    shared = LearningRates(1.0 / math.sqrt(2.0 * n))
    return LearningRates(shared.common, 1.0 / math.sqrt(2.0 * math.sqrt(n))) if each else shared


def inherited_steps(steps: Sequence[tuple[float, ...]]) -> Array:
    """Return the inherited step sizes of a child: the geometric means of the parents' step sizes."""
    return np.exp(np.log(np.array(steps)).mean(axis=0))


@dataclass
class EvolutionPath:
    """Cumulative adaptation of one step size.

    size: number of genes. step: the step size, in sigmas of the genes. path: the evolution path s (size,).
    """

    size: int
    step: float
    path: Array = field(init=False)

    def __post_init__(self) -> None:
        self.path = np.zeros(self.size)

    def update(self, move: Array, selected: int) -> None:
        """Update the path and the step size.

        move: mean move of the selected individuals, in sigmas (size,). selected: number of them.
        """
        n, mu = self.size, selected
        c = (mu + 2.0) / (n + mu + 5.0)  # the path remembers about 1 / c generations
        d = 1.0 + c + 2.0 * max(0.0, math.sqrt((mu - 1.0) / (n + 1.0)) - 1.0)
        self.path = (1.0 - c) * self.path + math.sqrt(c * (2.0 - c) * mu) * move / self.step
        expected = math.sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n))  # E|N(0, 1)|, for n numbers
        # a step size grows by a factor e at most in a generation
        growth = min(1.0, c / d * (float(np.linalg.norm(self.path)) / expected - 1.0))
        self.step *= math.exp(growth)

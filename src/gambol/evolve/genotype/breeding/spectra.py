"""A mutation of spectral patterns: one signal is shifted in time and keeps its form. [Arnold 1997, ch. 3]

    p_k := p_k + k d        for the phases p_k of all harmonics k of one signal; d in cycles of the fundamental

A mutation of single phases changes the form of a limb's motion; this mutation changes only its timing.
"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from gambol.control.gene import Gene
from gambol.errors import EvolveError
from gambol.evolve.genotype.breeding.coding import ACTUATOR

PHASE = "phase"
"""The word after a muscle's number in the name of a phase gene; the harmonic's number follows, or is missing if 1."""

SHIFT_SIGMA = 0.1
"""The standard deviation of the shift for a mutation of step size 1 [cycles]."""


def phases_of(genes: Sequence[Gene]) -> dict[str, dict[int, int]]:
    """Return for each muscle's number the indices of its phase genes, each with the number of its harmonic."""
    phases: dict[str, dict[int, int]] = {}
    for index, gene in enumerate(genes):
        first_word, number, *harmonic_words = [*gene.name.split(" "), "", ""]
        if first_word == ACTUATOR and harmonic_words[0] == PHASE:
            phases.setdefault(number, {})[index] = int(harmonic_words[1] or 1)
    return phases


def shift_signal(genes: Sequence[Gene], values: Sequence[float], steps: ArrayLike, rng: Generator) -> tuple[float, ...]:
    """Return the values of genes, with the signal of one random muscle shifted in time if any signal has phases.

    genes, values: of the genotype. steps: step size, one number, or one for each gene, of which the mean is used.
    """
    phases = phases_of(genes)
    if not phases:
        return tuple(values)
    shifted_values = list(values)
    shift = float(np.asarray(steps, float).mean()) * SHIFT_SIGMA * float(rng.standard_normal())
    for index, harmonic in phases[str(rng.choice(list(phases)))].items():
        shifted_values[index] = (shifted_values[index] + harmonic * shift) % 1.0
    return tuple(shifted_values)


def check_probability(probability: float) -> None:
    """Raise EvolveError for a number that is not a probability."""
    if not 0.0 <= probability <= 1.0:
        raise EvolveError(f"the probability of a mutation is {probability:g}; give 0 to 1")

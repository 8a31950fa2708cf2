"""A mutation of spectral patterns: one signal is shifted in time as a whole and keeps its form. [Arnold 1997, ch. 3]

    p_k := p_k + k d        for all harmonics k of one signal, d in cycles of the fundamental

A mutation of single phases changes a limb's motion; this one changes only its timing.
"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from gambol.control.gene import Gene
from gambol.errors import EvolveError
from gambol.evolve.genotype.breeding.coding import ACTUATOR

PHASE = "phase"
"""The word after a muscle's number in the name of a phase; a harmonic's number may follow, 1 if absent."""

DISTANCE = 0.1
"""The standard deviation of the shift for a step of 1 [cycles]."""


def phases_of(genes: Sequence[Gene]) -> dict[str, dict[int, int]]:
    """Return, by muscle, the indices of genes that are phases, each with the number of its harmonic."""
    phases: dict[str, dict[int, int]] = {}
    for index, gene in enumerate(genes):
        first, number, *rest = [*gene.name.split(" "), "", ""]
        if first == ACTUATOR and rest[0] == PHASE:
            phases.setdefault(number, {})[index] = int(rest[1] or 1)
    return phases


def shift_signal(genes: Sequence[Gene], values: Sequence[float], steps: ArrayLike, rng: Generator) -> tuple[float, ...]:
    """Return the values of genes with one muscle's signal shifted in time, if there are signals that have phases.

    genes, values: of the genotype. steps: the size of the mutation, one number or one for each gene, of which the mean
    is used.
    """
    phases = phases_of(genes)
    if not phases:
        return tuple(values)
    shifted_values, shift = (
        list(values),
        float(np.asarray(steps, float).mean()) * DISTANCE * float(rng.standard_normal()),
    )
    for index, harmonic in phases[str(rng.choice(list(phases)))].items():
        shifted_values[index] = (shifted_values[index] + harmonic * shift) % 1.0
    return tuple(shifted_values)


def check_probability(probability: float) -> None:
    """Raise EvolveError for a number that is no probability of mutations."""
    if not 0.0 <= probability <= 1.0:
        raise EvolveError(f"the probability of a mutation is {probability:g}; give 0 to 1")

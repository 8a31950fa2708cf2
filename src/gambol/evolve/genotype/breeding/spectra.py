"""What is bred of spectra besides their numbers: a signal moved in time as a whole keeps its form. [Arnold 1997, ch. 3]

    p_k := p_k + k d        for all harmonics k of one signal, d in cycles of the fundamental

A mutation of single phases changes a limb's motion; this one changes only when the limb does it.
"""

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from gambol.control.gene import Gene
from gambol.errors import EvolveError
from gambol.evolve.genotype.breeding.coding import ACTUATOR

PHASE = "phase"
"""What phases are called after a muscle's number; a harmonic's number may follow, and one is the fundamental."""

DISTANCE = 0.1
"""Typical shift of a step of 1 [cycles]."""


def phases_of(genes: Sequence[Gene]) -> dict[str, dict[int, int]]:
    """Which genes are phases, by muscle: for each its harmonic."""
    found: dict[str, dict[int, int]] = {}
    for place, gene in enumerate(genes):
        first, number, *rest = [*gene.name.split(" "), "", ""]
        if first == ACTUATOR and rest[0] == PHASE:
            found.setdefault(number, {})[place] = int(rest[1] or 1)
    return found


def shifted(genes: Sequence[Gene], values: Sequence[float], steps: ArrayLike, rng: Generator) -> tuple[float, ...]:
    """The values of genes with one muscle's signal moved in time, if there are signals that have phases.

    steps: the size of the mutation, one number or one for each gene, of which the mean counts.
    """
    phases = phases_of(genes)
    if not phases:
        return tuple(values)
    moved, ahead = list(values), float(np.asarray(steps, float).mean()) * DISTANCE * float(rng.standard_normal())
    for place, harmonic in phases[str(rng.choice(list(phases)))].items():
        moved[place] = (moved[place] + harmonic * ahead) % 1.0
    return tuple(moved)


def check_share(share: float) -> None:
    """Raise EvolveError for what cannot be a share of all mutations."""
    if not 0.0 <= share <= 1.0:
        raise EvolveError(f"a share of {share:g} of mutations cannot be; give 0 to 1")

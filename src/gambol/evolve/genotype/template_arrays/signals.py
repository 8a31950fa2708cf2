"""The control of creatures of any topology, as one pattern of arrays with a signal for each link of a template."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.control.patterns import PatternShape, pattern_kind
from gambol.errors import EvolveError
from gambol.evolve.genotype.genotype import Genotype, TwinPattern

FEEDFORWARD = ("spectral", "sinusoid")
"""Patterns each of whose signals follows from the time, its own genes and those that all share."""


def pattern_numbers(genotypes: Sequence[Genotype], places: int) -> Any:
    """Return the numbers of a pattern with a signal for each place; absent links have the signal of the first.

    genotypes: with controls of one kind and shape. places: the template's links. Raises EvolveError for patterns with
    senses, and for controls of several shapes.
    """
    control = genotypes[0].control
    for other in (genotype.control for genotype in genotypes):
        if (other.kind, other.size, other.slowest, other.fastest) != (
            control.kind,
            control.size,
            control.slowest,
            control.fastest,
        ):
            raise EvolveError("creatures whose controls differ in kind or size cannot share arrays; group them by both")
    shape = PatternShape(places, size=control.size, slowest=control.slowest, fastest=control.fastest)
    kind = pattern_kind(control.kind)
    if control.kind not in FEEDFORWARD or not issubclass(kind, TwinPattern):
        raise EvolveError(
            f'the control "{control.kind}" cannot be assigned to the links of a template; '
            f"take one of {', '.join(FEEDFORWARD)}, or let bodies be compiled"
        )
    names = [gene.name for gene in kind.genes_of(shape)]
    common = sum(not name.startswith("actuator ") for name in names)
    each = (len(names) - common) // places
    rows, shifts = zip(*(_values_and_shifts(genotype, common, each, places) for genotype in genotypes), strict=True)
    pattern = kind.read(shape, iter(np.array(rows).T.copy()))
    return pattern.with_twins(range(places), list(np.array(shifts).T.copy()), shape).numbers()


def _values_and_shifts(
    genotype: Genotype, common: int, each: int, places: int
) -> tuple[NDArray[np.float64], list[float]]:
    """Return the values of the genes of all places, and the phase lead of each place [cycles].

    common: number of genes that all signals share, which come first; each: number of genes of each signal.
    """
    values = np.array(genotype.control.values)
    signals = values[common:].reshape(-1, each)
    sources, shifts, first = list[int](), list[float](), 0
    for limb, shift in zip(genotype.body.limbs, genotype.control.shifts, strict=True):
        limb_signals = range(first, first + len(limb.freedoms))
        for ahead in (0.0, shift)[: len(limb.sides)]:
            sources += limb_signals
            shifts += [ahead] * len(limb_signals)
        first = limb_signals.stop
    absent = places - len(sources)
    return np.concatenate([values[:common], signals[sources + [0] * absent].ravel()]), shifts + [0.0] * absent

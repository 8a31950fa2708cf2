"""The control of creatures of any topology: one pattern of arrays, with a signal for each link of a template."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.control.patterns import PatternShape, pattern_kind
from gambol.errors import EvolveError
from gambol.evolve.genotype.genotype import Genotype, TwinPattern

FEEDFORWARD = ("spectral", "sinusoid")
"""Patterns in which a signal depends only on time, on its genes, and on the genes that all signals share."""


def pattern_numbers(genotypes: Sequence[Genotype], links: int) -> Any:
    """Return the numbers of a pattern with a signal for each link of a template; absent links have the first signal.

    genotypes: genotypes with controls of one kind and shape. links: number of links of the template without the root.
    Raises EvolveError for patterns that are not feedforward, and for controls of several shapes.
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
    shape = PatternShape(links, size=control.size, slowest=control.slowest, fastest=control.fastest)
    pattern_type = pattern_kind(control.kind)
    if control.kind not in FEEDFORWARD or not issubclass(pattern_type, TwinPattern):
        raise EvolveError(
            f'the control "{control.kind}" cannot be assigned to the links of a template; '
            f'take one of {", ".join(FEEDFORWARD)}, or set the option bodies to "topology"'
        )
    names = [gene.name for gene in pattern_type.genes_of(shape)]
    shared_count = sum(not name.startswith("actuator ") for name in names)
    genes_per_signal = (len(names) - shared_count) // links
    rows, shifts = zip(
        *(_values_and_shifts(genotype, shared_count, genes_per_signal, links) for genotype in genotypes), strict=True
    )
    pattern = pattern_type.read(shape, iter(np.array(rows).T.copy()))
    return pattern.with_twins(range(links), list(np.array(shifts).T.copy()), shape).numbers()


def _values_and_shifts(
    genotype: Genotype, shared_count: int, genes_per_signal: int, links: int
) -> tuple[NDArray[np.float64], list[float]]:
    """Return the gene values of a pattern with a signal for each link, and the phase lead of each link [cycles].

    shared_count: number of genes that all signals share, which come first. genes_per_signal: number of genes of each
    signal alone. links: number of links of the template without the root.
    """
    values = np.array(genotype.control.values)
    signals = values[shared_count:].reshape(-1, genes_per_signal)
    sources, shifts, first = list[int](), list[float](), 0
    for limb, shift in zip(genotype.body.limbs, genotype.control.shifts, strict=True):
        limb_signals = range(first, first + len(limb.freedoms))
        for lead in (0.0, shift)[: len(limb.sides)]:
            sources += limb_signals
            shifts += [lead] * len(limb_signals)
        first = limb_signals.stop
    absent_count = links - len(sources)
    return np.concatenate([values[:shared_count], signals[sources + [0] * absent_count].ravel()]), shifts + [
        0.0
    ] * absent_count

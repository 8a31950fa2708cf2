"""The signals of a crowd: those of each creature dealt out to the places of its links, as one pattern of arrays."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.control.patterns import Shape, pattern_kind
from gambol.errors import EvolveError
from gambol.evolve.genotype.genotype import Doubling, Genotype

RHYTHMS = ("spectral", "sinusoid")
"""Patterns each of whose signals follows from the time, its own genes and what all have in common."""


def dealt(genotypes: Sequence[Genotype], places: int) -> Any:
    """The numbers of a pattern with a signal for each place; where a creature has no link, its first one's.

    Raises EvolveError for patterns that feel, and for controls of several shapes.
    """
    control = genotypes[0].control
    for other in (genotype.control for genotype in genotypes):
        if (other.kind, other.size, other.slowest, other.fastest) != (
            control.kind,
            control.size,
            control.slowest,
            control.fastest,
        ):
            raise EvolveError("creatures whose controls have different kinds or sizes are no crowd; sort them by both")
    shape = Shape(places, size=control.size, slowest=control.slowest, fastest=control.fastest)
    kind = pattern_kind(control.kind)
    if control.kind not in RHYTHMS or not issubclass(kind, Doubling):
        raise EvolveError(
            f'the control "{control.kind}" cannot be dealt out to bodies of any structure; '
            f"take one of {', '.join(RHYTHMS)}, or let bodies be compiled"
        )
    names = [gene.name for gene in kind.genes_of(shape)]
    common = sum(not name.startswith("actuator ") for name in names)
    each = (len(names) - common) // places
    rows, shifts = zip(*(_dealt(genotype, common, each, places) for genotype in genotypes), strict=True)
    pattern = kind.read(shape, iter(np.array(rows).T.copy()))
    return pattern.with_twins(range(places), list(np.array(shifts).T.copy()), shape).numbers()


def _dealt(genotype: Genotype, common: int, each: int, places: int) -> tuple[NDArray[np.float64], list[float]]:
    """The values of the genes of all places, and how far each place is ahead [cycles].

    common: genes that all signals share, which come first; each: genes of each signal.
    """
    values = np.array(genotype.control.values)
    signals = values[common:].reshape(-1, each)
    order, shifts, first = list[int](), list[float](), 0
    for limb, shift in zip(genotype.body.limbs, genotype.control.shifts, strict=True):
        own = range(first, first + len(limb.freedoms))
        for ahead in (0.0, shift)[: len(limb.sides)]:
            order += own
            shifts += [ahead] * len(own)
        first = own.stop
    absent = places - len(order)
    return np.concatenate([values[:common], signals[order + [0] * absent].ravel()]), shifts + [0.0] * absent

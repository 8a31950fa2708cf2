"""A genotype as a row of genes with values: genes of the body, phase leads of twins, and genes of the control.

The name of a gene begins with the name of its part: "trunk length", "limb1 x", "limb1 segment2 freedom1 middle", "limb1
shift". Genes of the control have the names that their pattern gives them.

One mutation of spectral patterns shifts a signal in time and keeps its form [Arnold 1997, ch. 3]:

    p_k := p_k + k d        for the phases p_k of all harmonics k of one signal; d in cycles of the fundamental

A mutation of single phases changes the form of a limb's motion; a shift changes only its timing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from gambol.control.gene import Gene
from gambol.errors import EvolveError
from gambol.evolve.genotype.body import Body, Freedom, MusclePair, Segment, Trunk
from gambol.evolve.genotype.bounds import BOUNDS, Margins, attachment_genes
from gambol.evolve.genotype.genotype import (
    SHIFT,
    Genotype,
    Part,
    body_numbers,
    control_genes,
    freedom_names,
    twins_share_genes,
    with_numbers,
)

ACTUATOR = "actuator"
"""The first word in the name of a gene that belongs to one signal; the second word is the signal's number."""

DEFAULTS: dict[type, Part] = {type(part): part for part in (Trunk(), Segment(), Freedom(), MusclePair())}
"""The default parts: without a plan, margins are around their values."""

DEFAULT_ATTACHMENT = {"x": 0.0, "y": 0.65, "z": 0.0}
"""The default attachment point of a limb; y is the middle of the range of a mirrored limb."""


@dataclass(frozen=True)
class Coding:
    """The mapping between the genotypes of one structure and rows of values.

    genes: genes of all numbers that may change: first of the body, then of the phase leads of mirrored limbs if twins
    share genes, then of the control. body_indices: indices of the body's genes in body_numbers(). parts: name of the
    part of the body that each gene belongs to; a gene of a signal belongs to the freedom that the signal drives.
    """

    genes: tuple[Gene, ...]
    body_indices: tuple[int, ...]
    parts: tuple[str, ...]

    @property
    def of_control(self) -> "Coding":
        """The coding without the genes of the body."""
        count = len(self.body_indices)
        return Coding(self.genes[count:], (), self.parts[count:])

    def values(self, genotype: Genotype) -> tuple[float, ...]:
        """Return the values of a genotype's genes."""
        numbers = body_numbers(genotype.body)
        return (*(numbers[k] for k in self.body_indices), *shifts_of(genotype), *genotype.control.values)

    def with_values(self, genotype: Genotype, values: Sequence[float]) -> Genotype:
        """Return a copy of a genotype with these values of its genes."""
        numbers = list(body_numbers(genotype.body))
        for k, value in zip(self.body_indices, values, strict=False):
            numbers[k] = value
        body = with_numbers(genotype.body, iter(numbers))
        remaining = iter(values[len(self.body_indices) :])
        shifts = (
            tuple(next(remaining) if limb.mirrored else 0.0 for limb in body.limbs) if genotype.control.shifts else ()
        )
        return replace(genotype, body=body, control=replace(genotype.control, shifts=shifts, values=tuple(remaining)))


def coding_of(genotype: Genotype, margins: Margins, *, free: bool = False) -> Coding:
    """Return the coding of all genotypes of one structure.

    genotype: any genotype of this structure. margins: margins of fields, by name; a field without a margin does not
    change. free: True if margins are around the defaults, False if they are around the values of the genotype.
    """
    rows = [
        (k, replace(margins[name].around(gene, default if free else value), name=f"{part} {name}"))
        for k, (part, name, gene, default, value) in enumerate(body_rows(genotype.body))
        if name in margins
    ]
    genes = tuple(gene for _, gene in rows) + shift_genes(genotype)
    control = control_genes(genotype.body, genotype.control)
    names = freedom_names(genotype.body, genotype.control.kind)
    parts = (*(gene.name.rpartition(" ")[0] for gene in genes), *(_part_of(gene.name, names) for gene in control))
    return Coding((*genes, *control), tuple(k for k, _ in rows), parts)


def _part_of(name: str, freedoms: Sequence[str]) -> str:
    """Return the freedom that a control gene such as "actuator 3 phase" belongs to; for a gene of no freedom its name.

    freedoms: name of the freedom of each signal.
    """
    words = name.split(" ")
    return freedoms[int(words[1])] if words[0] == ACTUATOR else name


def body_rows(body: Body) -> Iterator[tuple[str, str, Gene, float, float]]:
    """Yield for every number of a body: name of its part, name of its field, gene, default value, and value."""
    yield from _part_rows("trunk", body.trunk)
    for n, limb in enumerate(body.limbs, start=1):
        for gene, value in zip(attachment_genes(limb), limb.at, strict=True):
            yield f"limb{n}", gene.name, gene, DEFAULT_ATTACHMENT[gene.name], value
        for k, segment in enumerate(limb.segments, start=1):
            yield from _part_rows(f"limb{n} segment{k}", segment)
            for i, freedom in enumerate(segment.freedoms, start=1):
                name = f"limb{n} segment{k} freedom{i}"
                yield from _part_rows(name, freedom)
                if freedom.muscles is not None:
                    yield from _part_rows(name, freedom.muscles)


def _part_rows(name: str, part: Part) -> Iterator[tuple[str, str, Gene, float, float]]:
    default = DEFAULTS[type(part)]
    for gene in BOUNDS[type(part)]:
        yield name, gene.name, gene, getattr(default, gene.name), getattr(part, gene.name)


def shift_genes(genotype: Genotype) -> tuple[Gene, ...]:
    """Return the genes of the phase leads of twins."""
    if not twins_share_genes(genotype.control.kind):
        return ()
    limbs = enumerate(genotype.body.limbs, start=1)
    return tuple(replace(SHIFT, name=f"limb{n} shift") for n, limb in limbs if limb.mirrored)


def shifts_of(genotype: Genotype) -> tuple[float, ...]:
    """Return the phase leads of twins [cycles], one for each mirrored limb."""
    pairs = zip(genotype.body.limbs, genotype.control.shifts, strict=False)
    return tuple(shift for limb, shift in pairs if limb.mirrored)


PHASE = "phase"
"""The word after a signal's number in the name of a phase gene; the harmonic's number follows, but not for harmonic 1.
"""

SHIFT_SIGMA = 0.1
"""The standard deviation of the shift for a mutation of step size 1 [cycles]."""


def phases_of(genes: Sequence[Gene]) -> dict[str, dict[int, int]]:
    """Return the number of the harmonic of each phase gene, by the number of the signal and the index of the gene."""
    phases: dict[str, dict[int, int]] = {}
    for index, gene in enumerate(genes):
        first_word, number, *harmonic_words = [*gene.name.split(" "), "", ""]
        if first_word == ACTUATOR and harmonic_words[0] == PHASE:
            phases.setdefault(number, {})[index] = int(harmonic_words[1] or 1)
    return phases


def shift_signal(genes: Sequence[Gene], values: Sequence[float], steps: ArrayLike, rng: Generator) -> tuple[float, ...]:
    """Return the values of genes with one random signal shifted in time; unchanged if signals have no phases.

    genes, values: genes of the genotype and their values. steps: step size, one number or one for each gene, whose mean
    is used.
    """
    phases = phases_of(genes)
    if not phases:
        return tuple(values)
    shift = float(np.asarray(steps, float).mean()) * SHIFT_SIGMA * float(rng.standard_normal())
    shifted_values = list(values)
    for index, harmonic in phases[str(rng.choice(list(phases)))].items():
        shifted_values[index] = (shifted_values[index] + harmonic * shift) % 1.0
    return tuple(shifted_values)


def check_probability(probability: float) -> None:
    """Raise EvolveError for a number that is not a probability."""
    if not 0.0 <= probability <= 1.0:
        raise EvolveError(f"the probability of a mutation is {probability:g}; give 0 to 1")

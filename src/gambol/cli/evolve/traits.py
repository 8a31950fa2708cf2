"""The genes of creatures, with names, units and bounds."""

from collections.abc import Callable, Mapping
from typing import Any

from gambol.control.gene import Gene
from gambol.evolve.genotype import Genotype, of_json
from gambol.evolve.genotype.bounds import FAR
from gambol.evolve.genotype.breeding import GenotypeSpace, coding_of
from gambol.evolve.life.asked import space_asked
from gambol.evolve.run import Settings
from gambol.view.lineage import Trait

Traits = tuple[tuple[Trait, ...], tuple[float, ...]]
"""Genes and their values."""


def reader_of(settings: Settings) -> Callable[[Mapping[str, Any]], Traits]:
    """What tells the genes of a run's genotypes, which are plain data: those that may change, and their values."""
    space = space_asked(settings)
    known: dict[tuple[Gene, ...], tuple[Trait, ...]] = {}

    def read(plain: Mapping[str, Any]) -> Traits:
        genotype: Genotype = of_json(plain)
        coding = space.coding if isinstance(space, GenotypeSpace) else coding_of(genotype, FAR, free=True)
        if coding.genes not in known:
            known[coding.genes] = tuple(Trait(gene.name, gene.unit, gene.lower, gene.upper) for gene in coding.genes)
        return known[coding.genes], coding.values(genotype)

    return read

"""The genes of creatures, with names, units and bounds."""

from collections.abc import Callable, Mapping
from typing import Any

from gambol.control.gene import Gene
from gambol.evolve.evaluate.options import search_space
from gambol.evolve.genotype import Genotype, of_json
from gambol.evolve.genotype.bounds import FAR
from gambol.evolve.genotype.breeding import GenotypeSpace, coding_of
from gambol.evolve.run import Settings
from gambol.view.lineage import GeneInfo

GeneValues = tuple[tuple[GeneInfo, ...], tuple[float, ...]]
"""Descriptions of genes, and their values."""


def gene_reader(settings: Settings) -> Callable[[Mapping[str, Any]], GeneValues]:
    """Return a function from a genotype of a run, as plain data, to its variable genes and their values."""
    space = search_space(settings)
    known: dict[tuple[Gene, ...], tuple[GeneInfo, ...]] = {}

    def read(plain: Mapping[str, Any]) -> GeneValues:
        genotype: Genotype = of_json(plain)
        coding = space.coding if isinstance(space, GenotypeSpace) else coding_of(genotype, FAR, free=True)
        if coding.genes not in known:
            known[coding.genes] = tuple(GeneInfo(gene.name, gene.unit, gene.lower, gene.upper) for gene in coding.genes)
        return known[coding.genes], coding.values(genotype)

    return read

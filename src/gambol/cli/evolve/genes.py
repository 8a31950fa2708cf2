"""The genes of creatures, with names, units and bounds."""

from collections.abc import Callable, Mapping
from typing import Any

from gambol.control.gene import Gene
from gambol.evolve.evaluate.options import search_space
from gambol.evolve.genotype import Genotype, of_json
from gambol.evolve.genotype.bounds import FREE_MARGINS
from gambol.evolve.genotype.breeding import GenotypeSpace, coding_of
from gambol.evolve.runs import Settings
from gambol.view.lineage import GeneInfo

GeneValues = tuple[tuple[GeneInfo, ...], tuple[float, ...]]
"""Descriptions of genes, and the values of the genes."""


def gene_reader(settings: Settings) -> Callable[[Mapping[str, Any]], GeneValues]:
    """Return a function that takes a genotype as plain data, and returns its variable genes and their values.

    settings: of the run that the genotype belongs to. Near a body plan all genotypes have the same genes. A free body
    has genes of its own, by its structure; their bounds are those of free bodies (FREE_MARGINS).
    """
    space = search_space(settings)
    infos: dict[tuple[Gene, ...], tuple[GeneInfo, ...]] = {}

    def read(data: Mapping[str, Any]) -> GeneValues:
        genotype: Genotype = of_json(data)
        coding = space.coding if isinstance(space, GenotypeSpace) else coding_of(genotype, FREE_MARGINS, free=True)
        if coding.genes not in infos:
            infos[coding.genes] = tuple(GeneInfo(gene.name, gene.unit, gene.lower, gene.upper) for gene in coding.genes)
        return infos[coding.genes], coding.values(genotype)

    return read

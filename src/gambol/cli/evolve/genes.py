"""The genes of creatures, with names, units and bounds."""

from collections.abc import Callable, Mapping
from typing import Any

from gambol.control.gene import Gene
from gambol.evolve.evaluate import gene_reader
from gambol.evolve.runs import Settings
from gambol.view.lineage import GeneInfo

GeneValues = tuple[tuple[GeneInfo, ...], tuple[float, ...]]
"""Descriptions of genes, and the values of the genes."""


def gene_info_reader(settings: Settings) -> Callable[[Mapping[str, Any]], GeneValues]:
    """Return a function that takes a genotype as plain data, and returns its variable genes and their values.

    settings: settings of the run that the genotype belongs to, see evaluate.gene_reader().
    """
    read_genes = gene_reader(settings)
    infos: dict[tuple[Gene, ...], tuple[GeneInfo, ...]] = {}

    def read(data: Mapping[str, Any]) -> GeneValues:
        genes, values = read_genes(data)
        if genes not in infos:
            infos[genes] = tuple(GeneInfo(gene.name, gene.unit, gene.lower, gene.upper) for gene in genes)
        return infos[genes], values

    return read

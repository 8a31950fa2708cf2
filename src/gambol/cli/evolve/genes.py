"""The genes of creatures, with names, units and bounds, for pages of lineages and for sliders of live pages."""

from collections.abc import Callable, Mapping
from typing import Any

from gambol.control.gene import Gene
from gambol.evolve.evaluate import gene_reader
from gambol.evolve.evaluate.gene_inputs import gene_inputs, gene_program
from gambol.evolve.runs import Settings
from gambol.view.lineage import GeneInfo
from gambol.view.live.gene_settings import SAMPLES, GeneSettings, Growth, gene_setting, sampled_gene_setting
from gambol.view.live.numbers import number_names
from gambol.world import State

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


def gene_settings(settings: Settings, genotype: Mapping[str, Any], state: State) -> GeneSettings:
    """Return the sliders of a creature's genes. state: first state of its world."""
    if (program := gene_program(settings, genotype, state.q[0])) is not None:
        sliders = [
            gene_setting(gene.name, gene.unit, (gene.lower, gene.upper), value, body=k < program.body)
            for k, (gene, value) in enumerate(zip(program.genes, program.values, strict=True))
        ]
        numbers = tuple(number_names(program.inputs))
        return GeneSettings(sliders, Growth(program.spec, numbers, program.parameters, program.shapes))
    names = list(number_names(state.world.numbers()))
    return GeneSettings(
        [
            sampled_gene_setting(
                found.gene.name,
                found.gene.unit,
                (found.gene.lower, found.gene.upper),
                found.value,
                {names[row]: samples.tolist() for row, samples in found.rows.items()},
            )
            for found in gene_inputs(settings, genotype, SAMPLES)
        ]
    )

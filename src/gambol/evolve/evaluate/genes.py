"""The genes of genotypes with their values."""

from collections.abc import Callable, Mapping
from typing import Any

from gambol.control.gene import Gene
from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.evaluate.options import search_space
from gambol.evolve.genotype import Genotype, check_genotype, of_json, to_json
from gambol.evolve.genotype.bounds import FREE_MARGINS, PLAN_MARGINS
from gambol.evolve.genotype.breeding import FreeSpace, GenotypeSpace, coding_of
from gambol.evolve.genotype.breeding.coding import Coding
from gambol.evolve.genotype.genotype import topology
from gambol.evolve.runs import Settings

GeneReader = Callable[[Mapping[str, Any]], tuple[tuple[Gene, ...], tuple[float, ...]]]
"""A function that takes a genotype as plain data, and returns its variable genes and their values."""


def gene_reader(settings: Settings) -> GeneReader:
    """Return a function that reads the genes of genotypes.

    settings: settings of the run that the genotypes belong to. Near a body plan all genotypes have the same genes. The
    genes of a free body depend on its structure; their bounds are in FREE_MARGINS.
    """
    space = search_space(settings)

    def read(data: Mapping[str, Any]) -> tuple[tuple[Gene, ...], tuple[float, ...]]:
        genotype: Genotype = of_json(data)
        coding = _coding(space, genotype)
        return coding.genes, coding.values(genotype)

    return read


def coding_for(settings: Settings, genotype: Genotype) -> Coding:
    """Return the genes of a genotype of a run with these settings, see gene_reader().

    A genotype of another structure than those of the run, such as that of a file, has the genes of a free body.
    """
    space = search_space(settings)
    if isinstance(space, GenotypeSpace) and topology(genotype) != topology(space.plan):
        return coding_of(genotype, FREE_MARGINS, free=True)
    return _coding(space, genotype)


def coding_with_body(settings: Settings, genotype: Genotype) -> Coding:
    """Return the genes of a genotype as coding_for() does, and the genes of its body even if they do not evolve.

    Their bounds are PLAN_MARGINS around the body plan of the run; for a genotype of another structure, around itself.
    """
    space = search_space(settings)
    if isinstance(space, FreeSpace):
        return coding_of(genotype, FREE_MARGINS, free=True)
    same = topology(genotype) == topology(space.plan)
    return coding_of(space.plan if same else genotype, space.margins or PLAN_MARGINS)


def with_genes(settings: Settings, data: Mapping[str, Any], genes: Mapping[str, float]) -> dict[str, Any]:
    """Return a genotype as plain data with other values of some genes, by name.

    Raises EvolveError for unknown names, and for values out of bounds of any creature.
    """
    genotype = of_json(data)
    coding = coding_with_body(settings, genotype)
    values = dict(zip((gene.name for gene in coding.genes), coding.values(genotype), strict=True))
    for name in genes:
        if name not in values:
            raise EvolveError(f'this creature has no gene "{name}"; {did_you_mean(name, values)}')
    changed = coding.with_values(genotype, tuple((values | dict(genes)).values()))
    check_genotype(changed)
    return to_json(changed)


def _coding(space: GenotypeSpace | FreeSpace, genotype: Genotype) -> Coding:
    return space.coding if isinstance(space, GenotypeSpace) else coding_of(genotype, FREE_MARGINS, free=True)

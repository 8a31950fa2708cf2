"""The inputs of a creature's program as functions of its control genes: as a program, or as samples gene by gene."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.control.gene import Gene
from gambol.errors import TraceError
from gambol.evolve.evaluate.filming import batch_of
from gambol.evolve.evaluate.genes import coding_for
from gambol.evolve.evaluate.topology_world import TopologyWorld
from gambol.evolve.genotype import of_json
from gambol.evolve.genotype.genotype import pattern_of
from gambol.evolve.runs import Settings
from gambol.lanes.program_spec import ProgramSpec, trace_program


@dataclass(frozen=True)
class GeneProgram:
    """A program that grows the control of a creature from its genes.

    genes, values: all genes of the control, and their values. spec: its input are the values of the genes, its output
    the numbers of the pattern, see Pattern.numbers(). tree: a tree of their structure.
    """

    genes: tuple[Gene, ...]
    values: tuple[float, ...]
    spec: ProgramSpec
    tree: Any


def gene_program(settings: Settings, data: Mapping[str, Any]) -> GeneProgram | None:
    """Return the program of a creature's control genes; None if its world is a template, or its pattern not traceable.

    settings: settings of the run of the creature; data: its genotype as plain data.
    """
    genotype = of_json(data)
    if not isinstance(batch_of(settings, genotype).batch_world, TopologyWorld):
        return None
    coding = coding_for(settings, genotype)
    values, first = coding.values(genotype), len(coding.body_indices)

    def grown_pattern(genes: list[Any]) -> tuple[Any]:
        return (pattern_of(coding.with_values(genotype, (*values[:first], *genes))).numbers(),)

    spec = ProgramSpec("genes", grown_pattern, ([0.0] * (len(values) - first),))
    try:
        trace_program(spec, "float64")
    except TraceError:  # patterns that NumPy grows, such as "stride"
        return None
    return GeneProgram(coding.genes[first:], values[first:], spec, pattern_of(genotype).numbers())


@dataclass(frozen=True)
class GeneInputs:
    """A gene, its value, and samples of the inputs that it changes.

    rows: for each input that changes, by its row (see Engine.numbers()): its values (n,) at n equidistant values of the
    gene from its lower to its upper bound, where all other genes have the values of the creature.
    """

    gene: Gene
    value: float
    rows: Mapping[int, NDArray[np.float64]]


def gene_inputs(settings: Settings, data: Mapping[str, Any], samples: int) -> Iterator[GeneInputs]:
    """Yield the genes of a creature's control with the inputs that they change; genes without influence are left out.

    settings: settings of the run of the creature; data: its genotype as plain data; samples: number of values of each
    gene. Genes of the body are left out: they also change the drawn shapes.
    """
    genotype = of_json(data)
    coding, batch = coding_for(settings, genotype), batch_of(settings, genotype)
    values = coding.values(genotype)
    for k in range(len(coding.body_indices), len(values)):
        gene = coding.genes[k]
        others = [
            coding.with_values(genotype, (*values[:k], float(x), *values[k + 1 :]))
            for x in np.linspace(gene.lower, gene.upper, samples)
        ]
        numbers = batch.batch_world.batch_inputs(batch.engine, others).numbers.astype(float)
        varied = (numbers != numbers[:, :1]).any(axis=1)
        changed = np.flatnonzero(varied & np.isfinite(numbers).all(axis=1))
        if len(changed):
            yield GeneInputs(gene, values[k], {int(row): numbers[row] for row in changed})

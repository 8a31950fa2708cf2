"""The inputs of a creature's program as functions of its genes: as a program, or as samples gene by gene."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.control.gene import Gene
from gambol.errors import TraceError
from gambol.evolve.evaluate.filming import batch_of, drawn_links_of
from gambol.evolve.evaluate.genes import coding_for, coding_with_body
from gambol.evolve.evaluate.topology_world import TopologyWorld
from gambol.evolve.genotype import Body, Genotype, of_json
from gambol.evolve.genotype.anatomy import links_of
from gambol.evolve.genotype.breeding.coding import Coding
from gambol.evolve.genotype.topology_arrays import TopologyArrays, arrays_of_one
from gambol.evolve.runs import Settings
from gambol.figure.parameters import parameters
from gambol.figure.visual import VisualMesh
from gambol.lanes import Scalar, is_traced
from gambol.lanes.program_spec import ProgramSpec, trace_program
from gambol.world import World


@dataclass(frozen=True)
class GeneProgram:
    """A program that grows a creature from its genes.

    genes, values: all genes and their values. body: number of the genes of the body, which come first. spec: its input
    are the values of the genes. Its outputs are the inputs of the world, the first coordinates, and for each drawn
    shape its sizes and its position in its link [m]. inputs: the first output with the creature's own genes, in the
    form of the keyword arguments of Engine.numbers(). parameters: names of the parameters of the figure among them.
    shapes: kind and sizes of each drawn shape, with the creature's own genes.
    """

    genes: tuple[Gene, ...]
    values: tuple[float, ...]
    body: int
    spec: ProgramSpec
    inputs: Mapping[str, Any]
    parameters: tuple[str, ...]
    shapes: tuple[tuple[str, tuple[float, ...]], ...]


def gene_program(settings: Settings, data: Mapping[str, Any], q: NDArray[Any]) -> GeneProgram | None:
    """Return the program of a creature's genes; None if its world is a template, or its pattern not traceable.

    settings: settings of the run of the creature; data: its genotype as plain data. q: first coordinates of its page
    (nq). If they are not those of a creature at the origin of level ground, the body's genes are left out.
    """
    genotype = of_json(data)
    batch = batch_of(settings, genotype)
    if not isinstance(batch.batch_world, TopologyWorld):
        return None
    coding, world = coding_with_body(settings, genotype), batch.batch_world.world
    own = arrays_of_one(genotype, batch.batch_world.first)
    if not np.allclose(own.q[0], q, atol=1e-6):
        coding = coding.of_control
    try:
        return _traced(genotype, coding, world, own)
    except TraceError:  # patterns that NumPy grows, such as "stride"
        return None


def _traced(genotype: Genotype, coding: Coding, world: World, own: TopologyArrays) -> GeneProgram:
    """Return the program of a creature's genes. own: its numbers. Raises TraceError for a pattern of NumPy."""
    values, names = coding.values(genotype), set[str]()

    def grown(genes: Sequence[Scalar]) -> TopologyArrays:
        return arrays_of_one(coding.with_values(genotype, genes), own.first)

    def collect_names(genes: list[Any]) -> tuple[Any]:
        found = parameters(grown(genes).figure)
        names.update(name for name, x in found.items() if is_traced(x))
        return (list(found.values()),)

    inputs = ([0.0] * len(values),)
    trace_program(ProgramSpec("parameters of genes", collect_names, inputs), "float64")
    changed = tuple(name for name in parameters(world.figure) if name in names or name in world.parameters)
    parametrised = world.parametrised_by(changed)

    def outputs(genes: list[Any]) -> tuple[Any, Any, Any]:
        arrays, shapes = grown(genes), _shapes(world, coding.with_values(genotype, genes).body)
        return arrays.numbers(parametrised), arrays.coordinates, [[*sizes, *at] for _, sizes, at in shapes]

    spec = ProgramSpec("genes", outputs, inputs)
    trace_program(spec, "float64")
    shapes = tuple((kind, tuple(map(float, sizes))) for kind, sizes, _ in _shapes(world, genotype.body))
    body = len(coding.body_indices)
    return GeneProgram(coding.genes, values, body, spec, own.numbers(parametrised), changed, shapes)


def _shapes(world: World, body: Body) -> list[tuple[str, tuple[Scalar, ...], tuple[Scalar, ...]]]:
    """Return kind, sizes and position of each shape that a film shows of a body, in its order."""
    shown = [each for link in drawn_links_of(world, links_of(body), body) for each in (link.visuals or link.parts)]
    pairs = [(each.shape, each.position) for each in shown if not isinstance(each.shape, VisualMesh)]
    return [(shape.kind, shape.sizes, position) for shape, position in pairs]


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

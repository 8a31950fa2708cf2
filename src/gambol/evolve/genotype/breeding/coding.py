"""A genotype as a row of genes and values: of the body, then of the phase leads of twins, then of the control.

The name of a gene begins with its part: "trunk length", "limb1 x", "limb1 segment2 freedom1 middle", "limb1 shift";
those of the control as their pattern names them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gambol.control.gene import Gene
from gambol.evolve.genotype.body import Body, Freedom, Segment, Trunk
from gambol.evolve.genotype.bounds import BOUNDS, Margins, places
from gambol.evolve.genotype.genotype import SHIFT, Genotype, control_genes, muscle_names, twins_share_genes
from gambol.evolve.genotype.rows import Part, body_numbers, with_numbers

ACTUATOR = "actuator"
"""The first word of a pattern's genes that belong to one signal; the second is its number."""

DEFAULTS: dict[type, Part] = {type(part): part for part in (Trunk(), Segment(), Freedom())}
"""The default parts, around which margins lie where there is no plan."""

DEFAULT_PLACE = {"x": 0.0, "y": 0.65, "z": 0.0}
"""The default attachment point of a limb."""


@dataclass(frozen=True)
class Coding:
    """The mapping between the genotypes of one structure and rows of values.

    genes: of the numbers that may change. body_indices: which of the body's numbers these are; after them come the
    phase leads of mirrored limbs, where twins share genes, and all values of the control. parts: the part of the body
    that each gene belongs to; the genes of a muscle's signal belong to the freedom that it moves.
    """

    genes: tuple[Gene, ...]
    body_indices: tuple[int, ...]
    parts: tuple[str, ...]

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
        rest = iter(values[len(self.body_indices) :])
        shifts = tuple(next(rest) if limb.mirrored else 0.0 for limb in body.limbs) if genotype.control.shifts else ()
        return replace(genotype, body=body, control=replace(genotype.control, shifts=shifts, values=tuple(rest)))


def coding_of(genotype: Genotype, margins: Margins, *, free: bool = False) -> Coding:
    """Return the coding of all genotypes of one structure.

    margins: for each field, by name, its distance from the genotype's value, or, if free, from the default; fields
    without a margin do not change.
    """
    rows = [
        (k, replace(margins[name].around(gene, default if free else value), name=f"{part} {name}"))
        for k, (part, name, gene, default, value) in enumerate(body_rows(genotype.body))
        if name in margins
    ]
    genes = tuple(gene for _, gene in rows) + shift_genes(genotype)
    control = control_genes(genotype.body, genotype.control)
    muscles = muscle_names(genotype.body, genotype.control.kind)
    parts = (*(gene.name.rpartition(" ")[0] for gene in genes), *(_part_of(gene.name, muscles) for gene in control))
    return Coding((*genes, *control), tuple(k for k, _ in rows), parts)


def _part_of(name: str, muscles: Sequence[str]) -> str:
    """Return the muscle of a control gene such as "actuator 3 phase"; a gene of no actuator is a part by itself."""
    words = name.split(" ")
    return muscles[int(words[1])] if words[0] == ACTUATOR else name


def body_rows(body: Body) -> Iterator[tuple[str, str, Gene, float, float]]:
    """Yield every number of a body: name of its part, name of its field, gene, default, and value."""
    yield from _part_rows("trunk", body.trunk)
    for n, limb in enumerate(body.limbs, start=1):
        for gene, value in zip(places(limb), limb.at, strict=True):
            yield f"limb{n}", gene.name, gene, DEFAULT_PLACE[gene.name], value
        for k, segment in enumerate(limb.segments, start=1):
            yield from _part_rows(f"limb{n} segment{k}", segment)
            for i, freedom in enumerate(segment.freedoms, start=1):
                yield from _part_rows(f"limb{n} segment{k} freedom{i}", freedom)


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
    """Return the phase leads of twins [cycles], for mirrored limbs."""
    pairs = zip(genotype.body.limbs, genotype.control.shifts, strict=False)
    return tuple(shift for limb, shift in pairs if limb.mirrored)

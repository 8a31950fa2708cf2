"""A genotype as a row of genes and values: the body's, then how far twins are ahead, then the control's.

Genes are called after what they belong to: "trunk length", "limb1 x", "limb1 segment2 freedom1 middle", "limb1 shift";
those of the control as their pattern calls them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gambol.control.gene import Gene
from gambol.evolve.genotype.body import Body, Freedom, Segment, Trunk
from gambol.evolve.genotype.bounds import BOUNDS, Margins, places
from gambol.evolve.genotype.genotype import SHIFT, Genotype, control_genes, doubles, muscle_names
from gambol.evolve.genotype.rows import Part, body_numbers, with_numbers

ACTUATOR = "actuator"
"""The first word of a pattern's genes that tell one signal; the second is its number."""

USUAL: dict[type, Part] = {type(part): part for part in (Trunk(), Segment(), Freedom())}
"""What has margins about it where no plan is followed."""

MIDDLES = {"x": 0.0, "y": 0.65, "z": 0.0}
"""Of places on the trunk, likewise."""


@dataclass(frozen=True)
class Coding:
    """How genotypes of one structure are written as rows of values.

    genes: of the numbers that may change. kept: which of the body's numbers these are; then come the shifts of limbs
    with twins, where twins do as their limbs do, and all values of the control. parts: what each gene belongs to; the
    genes of a muscle's signal belong to the freedom that it moves.
    """

    genes: tuple[Gene, ...]
    kept: tuple[int, ...]
    parts: tuple[str, ...]

    def values(self, genotype: Genotype) -> tuple[float, ...]:
        """The values of a genotype's genes."""
        numbers = body_numbers(genotype.body)
        return (*(numbers[k] for k in self.kept), *shifts_of(genotype), *genotype.control.values)

    def with_values(self, genotype: Genotype, values: Sequence[float]) -> Genotype:
        """A genotype with these values of its genes, and otherwise as another one of the same structure."""
        numbers = list(body_numbers(genotype.body))
        for k, value in zip(self.kept, values, strict=False):
            numbers[k] = value
        body = with_numbers(genotype.body, iter(numbers))
        rest = iter(values[len(self.kept) :])
        shifts = tuple(next(rest) if limb.mirrored else 0.0 for limb in body.limbs) if genotype.control.shifts else ()
        return replace(genotype, body=body, control=replace(genotype.control, shifts=shifts, values=tuple(rest)))


def coding_of(genotype: Genotype, margins: Margins, *, free: bool = False) -> Coding:
    """The coding of all genotypes of one structure.

    margins: by the name of a field, how far it may be from the genotype's own number, or, if free, from what is usual;
    those of no margin stay what they are, as all do where there are no margins.
    """
    rows = [
        (k, replace(margins[name].around(gene, usual if free else value), name=f"{of} {name}"))
        for k, (of, name, gene, usual, value) in enumerate(body_rows(genotype.body))
        if name in margins
    ]
    genes = tuple(gene for _, gene in rows) + shift_genes(genotype)
    driving = control_genes(genotype.body, genotype.control)
    muscles = muscle_names(genotype.body, genotype.control.kind)
    parts = (*(gene.name.rpartition(" ")[0] for gene in genes), *(_driven(gene.name, muscles) for gene in driving))
    return Coding((*genes, *driving), tuple(k for k, _ in rows), parts)


def _driven(name: str, muscles: Sequence[str]) -> str:
    """What a gene of the control belongs to: the muscle whose signal it tells, or itself. name: "actuator 3 phase"."""
    words = name.split(" ")
    return muscles[int(words[1])] if words[0] == ACTUATOR else name


def body_rows(body: Body) -> Iterator[tuple[str, str, Gene, float, float]]:
    """Every number of a body: what it belongs to, its name there, its gene, what is usual, and what it is."""
    yield from _part_rows("trunk", body.trunk)
    for n, limb in enumerate(body.limbs, start=1):
        for gene, value in zip(places(limb), limb.at, strict=True):
            yield f"limb{n}", gene.name, gene, MIDDLES[gene.name], value
        for k, segment in enumerate(limb.segments, start=1):
            yield from _part_rows(f"limb{n} segment{k}", segment)
            for i, freedom in enumerate(segment.freedoms, start=1):
                yield from _part_rows(f"limb{n} segment{k} freedom{i}", freedom)


def _part_rows(of: str, part: Part) -> Iterator[tuple[str, str, Gene, float, float]]:
    usual = USUAL[type(part)]
    for gene in BOUNDS[type(part)]:
        yield of, gene.name, gene, getattr(usual, gene.name), getattr(part, gene.name)


def shift_genes(genotype: Genotype) -> tuple[Gene, ...]:
    """The genes of how far twins are ahead."""
    if not doubles(genotype.control.kind):
        return ()
    limbs = enumerate(genotype.body.limbs, start=1)
    return tuple(replace(SHIFT, name=f"limb{n} shift") for n, limb in limbs if limb.mirrored)


def shifts_of(genotype: Genotype) -> tuple[float, ...]:
    """How far twins are ahead of their limbs [cycles], for limbs that have one."""
    pairs = zip(genotype.body.limbs, genotype.control.shifts, strict=False)
    return tuple(shift for limb, shift in pairs if limb.mirrored)

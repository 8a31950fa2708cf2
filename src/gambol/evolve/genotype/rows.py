"""The numbers of a body as one row; the topology of a genotype."""

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import TypeVar

from gambol.evolve.genotype.body import Body, Freedom, Limb, Segment, Trunk
from gambol.evolve.genotype.bounds import BOUNDS
from gambol.evolve.genotype.genotype import Genotype
from gambol.lanes import Scalar

Part = Trunk | Segment | Freedom
P = TypeVar("P", Trunk, Segment, Freedom)


def topology(genotype: Genotype) -> Hashable:
    """Return the topology of a genotype: limbs, segments, kinds of joints, and kind and shape of the control.

    Genotypes of equal topology differ in numbers only and can share a program; see figure.parameters.
    """
    control = genotype.control
    return _body_topology(genotype.body), control.kind, control.size, control.senses, control.slowest, control.fastest


def body_numbers(body: Body) -> tuple[float, ...]:
    """Return all numbers of a body in a fixed order: trunk, then limb by limb and segment by segment."""
    numbers = [*_gene_values(body.trunk)]
    for limb in body.limbs:
        numbers += limb.at
        for segment in limb.segments:
            numbers += _gene_values(segment)
            for freedom in segment.freedoms:
                numbers += _gene_values(freedom)
    return tuple(numbers)


def with_numbers(body: Body, numbers: Iterator[Scalar]) -> Body:
    """Return a body of the same topology with these numbers, in the order of body_numbers()."""
    trunk = _with_gene_values(body.trunk, numbers)
    return Body(trunk, tuple(_with_limb_numbers(limb, numbers) for limb in body.limbs))


def _body_topology(body: Body) -> Hashable:
    """Return the topology of a body: for each limb whether it is mirrored, and the kinds of freedoms by segment."""
    return tuple(
        (limb.mirrored, tuple(tuple(freedom.kind for freedom in segment.freedoms) for segment in limb.segments))
        for limb in body.limbs
    )


def _gene_values(part: Part) -> list[float]:
    return [getattr(part, gene.name) for gene in BOUNDS[type(part)]]


def _with_gene_values(part: P, numbers: Iterator[Scalar]) -> P:
    return replace(part, **{gene.name: next(numbers) for gene in BOUNDS[type(part)]})


def _with_limb_numbers(limb: Limb, numbers: Iterator[Scalar]) -> Limb:
    attachment = (next(numbers), next(numbers), next(numbers))
    return replace(
        limb, at=attachment, segments=tuple(_with_segment_numbers(segment, numbers) for segment in limb.segments)
    )


def _with_segment_numbers(segment: Segment, numbers: Iterator[Scalar]) -> Segment:
    result = _with_gene_values(segment, numbers)
    return replace(result, freedoms=tuple(_with_gene_values(freedom, numbers) for freedom in segment.freedoms))

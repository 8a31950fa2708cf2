"""The numbers of a body as one row, and the topology of a genotype."""

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
    """Return the topology of a genotype: all but numbers, that is links, kinds of joints, and the shape of the control.

    Their figures share a program; see figure.parameters.
    """
    control = genotype.control
    return _kinds(genotype.body), control.kind, control.size, control.senses, control.slowest, control.fastest


def body_numbers(body: Body) -> tuple[float, ...]:
    """Return every number of a body, in the order of its trunk and limbs."""
    numbers = [*_numbers(body.trunk)]
    for limb in body.limbs:
        numbers += limb.at
        for segment in limb.segments:
            numbers += _numbers(segment)
            for freedom in segment.freedoms:
                numbers += _numbers(freedom)
    return tuple(numbers)


def with_numbers(body: Body, numbers: Iterator[Scalar]) -> Body:
    """Return a body of the same structure with other numbers, in the order of body_numbers()."""
    trunk = _with(body.trunk, numbers)
    return Body(trunk, tuple(_limb(limb, numbers) for limb in body.limbs))


def _kinds(body: Body) -> Hashable:
    """Return the kinds of all joints, limb by limb and segment by segment, and which limbs are mirrored."""
    return tuple(
        (limb.mirrored, tuple(tuple(freedom.kind for freedom in segment.freedoms) for segment in limb.segments))
        for limb in body.limbs
    )


def _numbers(part: Part) -> list[float]:
    return [getattr(part, gene.name) for gene in BOUNDS[type(part)]]


def _with(part: P, numbers: Iterator[Scalar]) -> P:
    return replace(part, **{gene.name: next(numbers) for gene in BOUNDS[type(part)]})


def _limb(limb: Limb, numbers: Iterator[Scalar]) -> Limb:
    at = (next(numbers), next(numbers), next(numbers))
    return replace(limb, at=at, segments=tuple(_segment(segment, numbers) for segment in limb.segments))


def _segment(segment: Segment, numbers: Iterator[Scalar]) -> Segment:
    changed = _with(segment, numbers)
    return replace(changed, freedoms=tuple(_with(freedom, numbers) for freedom in segment.freedoms))

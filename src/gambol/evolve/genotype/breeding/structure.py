"""Mutation and crossover of structure: operators on decomposed genotypes. [Sims 1994; Arnold 1997, chapter 3]

Each operator takes the parts of a genotype, the largest number of links besides the trunk, and a random generator. It
returns the changed parts, or None if it is not applicable. The result is always a valid genotype.
"""

from collections.abc import Callable
from dataclasses import replace

from numpy.random import Generator

from gambol.evolve.genotype.body import MAX_FREEDOMS
from gambol.evolve.genotype.bounds import TWIN_ATTACHMENT
from gambol.evolve.genotype.breeding.decomposition import (
    DrivenFreedom,
    DrivenLimb,
    DrivenSegment,
    GenotypeParts,
    without_signals,
)
from gambol.evolve.genotype.breeding.random_parts import random_freedom, random_limb, random_segment

Operator = Callable[[GenotypeParts, int, Generator], GenotypeParts | None]

COPY_OFFSET = 0.4
"""The distance of a copied limb from the original along the trunk, as a fraction of half the trunk's length."""


def add_limb(parts: GenotypeParts, max_links: int, rng: Generator) -> GenotypeParts | None:
    """Add a random limb."""
    if parts.links >= max_links:
        return None
    return replace(parts, limbs=(*parts.limbs, without_signals(random_limb(rng, max_links - parts.links))))


def remove_limb(parts: GenotypeParts, max_links: int, rng: Generator) -> GenotypeParts | None:
    """Remove a limb, with its twin."""
    if len(parts.limbs) < 2:
        return None
    k = int(rng.integers(len(parts.limbs)))
    return replace(parts, limbs=(*parts.limbs[:k], *parts.limbs[k + 1 :]))


def copy_limb(parts: GenotypeParts, max_links: int, rng: Generator) -> GenotypeParts | None:
    """Copy a limb with its signals; the copy is COPY_OFFSET before or behind the original."""
    driven = parts.limbs[int(rng.integers(len(parts.limbs)))]
    if parts.links + driven.links > max_links:
        return None
    x, y, z = driven.limb.at
    step = COPY_OFFSET if rng.random() < 0.5 else -COPY_OFFSET
    x = x + step if abs(x + step) <= 1.0 else x - step
    copy = replace(driven, limb=replace(driven.limb, at=(x, y, z)))
    return replace(parts, limbs=(*parts.limbs, copy))


def add_segment(parts: GenotypeParts, max_links: int, rng: Generator) -> GenotypeParts | None:
    """Add a segment at the end of a limb: a random one, or a copy of the last with its signals."""
    k, driven = _random_limb(parts, rng)
    new = driven.segments[-1]
    if rng.random() < 0.5:
        segment = random_segment(rng)
        new = DrivenSegment(segment, tuple(DrivenFreedom(freedom) for freedom in segment.freedoms))
    elif len(driven.segments) == 1:  # pitch and roll of a first segment are the limb's direction
        new = replace(new, segment=replace(new.segment, pitch=0.0, roll=0.0))
    return _with_limb(parts, k, replace(driven, segments=(*driven.segments, new)), max_links)


def remove_segment(parts: GenotypeParts, max_links: int, rng: Generator) -> GenotypeParts | None:
    """Remove a segment of a limb that has several."""
    k, driven = _random_limb(parts, rng)
    if len(driven.segments) < 2:
        return None
    i = 1 + int(rng.integers(len(driven.segments) - 1))  # the first segment stays: it has the limb's direction
    return _with_limb(parts, k, replace(driven, segments=(*driven.segments[:i], *driven.segments[i + 1 :])), max_links)


def toggle_twin(parts: GenotypeParts, max_links: int, rng: Generator) -> GenotypeParts | None:
    """Add a twin to a limb without one, or remove a limb's twin."""
    k, driven = _random_limb(parts, rng)
    limb, (x, y, z) = driven.limb, driven.limb.at
    if not limb.mirrored:
        y = min(max(abs(y), TWIN_ATTACHMENT[1].lower), TWIN_ATTACHMENT[1].upper)
    mirrored_limb = replace(limb, mirrored=not limb.mirrored, at=(x, y, z))
    return _with_limb(parts, k, replace(driven, limb=mirrored_limb, shift=None), max_links)


def change_freedom(parts: GenotypeParts, max_links: int, rng: Generator) -> GenotypeParts | None:
    """Change kind and axis of a freedom; its signal stays the same."""
    k, driven = _random_limb(parts, rng)
    i = int(rng.integers(len(driven.segments)))
    freedoms = list(driven.segments[i].freedoms)
    n = int(rng.integers(len(freedoms)))
    new_freedom = random_freedom(rng)
    changed = replace(
        freedoms[n].freedom, kind=new_freedom.kind, azimuth=new_freedom.azimuth, elevation=new_freedom.elevation
    )
    freedoms[n] = replace(freedoms[n], freedom=changed)
    return _with_limb(parts, k, _with_freedoms(driven, i, tuple(freedoms)), max_links)


def add_freedom(parts: GenotypeParts, max_links: int, rng: Generator) -> GenotypeParts | None:
    """Add a freedom to a joint that has one; the new freedom is nearer to the trunk."""
    k, driven = _random_limb(parts, rng)
    i = int(rng.integers(len(driven.segments)))
    freedoms = driven.segments[i].freedoms
    if len(freedoms) >= MAX_FREEDOMS:
        return None
    return _with_limb(parts, k, _with_freedoms(driven, i, (DrivenFreedom(random_freedom(rng)), *freedoms)), max_links)


def remove_freedom(parts: GenotypeParts, max_links: int, rng: Generator) -> GenotypeParts | None:
    """Remove a freedom of a joint that has two."""
    k, driven = _random_limb(parts, rng)
    i = int(rng.integers(len(driven.segments)))
    freedoms = driven.segments[i].freedoms
    if len(freedoms) < 2:
        return None
    remaining = freedoms[int(rng.integers(len(freedoms)))]
    return _with_limb(parts, k, _with_freedoms(driven, i, (remaining,)), max_links)


OPERATORS: dict[str, Operator] = {
    operator.__name__.replace("_", " "): operator
    for operator in (
        add_limb,
        remove_limb,
        copy_limb,
        add_segment,
        remove_segment,
        toggle_twin,
        change_freedom,
        add_freedom,
        remove_freedom,
    )
}
"""The mutations of the structure of a body by name."""


def mutate_structure(parts: GenotypeParts, max_links: int, rng: Generator) -> GenotypeParts:
    """Return the parts after the first applicable operator in a random order.

    max_links: largest number of links besides the trunk.
    """
    for name in rng.permutation(list(OPERATORS)):
        changed = OPERATORS[str(name)](parts, max_links, rng)
        if changed is not None:
            return changed
    return parts


def exchange_limbs(a: GenotypeParts, b: GenotypeParts, max_links: int, rng: Generator) -> GenotypeParts:
    """Return parts with limbs of two parents: limb k comes from a or b at random, if its links fit.

    a, b: decomposed genotypes. max_links: largest number of links besides the trunk. The trunk comes from a or b at
    random; so do, drawn again, the genes that all signals share. If no limb is chosen, the limbs come from the trunk's
    parent.
    """
    limbs, remaining_links = list[DrivenLimb](), max_links
    for k in range(max(len(a.limbs), len(b.limbs))):
        parent = a if rng.random() < 0.5 else b
        driven = parent.limbs[k] if k < len(parent.limbs) else None
        if driven is not None and driven.links <= remaining_links:
            limbs.append(driven)
            remaining_links -= driven.links
    trunk_parent = a if rng.random() < 0.5 else b
    shared = (a if rng.random() < 0.5 else b).shared
    return GenotypeParts(trunk_parent.trunk, tuple(limbs) or trunk_parent.limbs, trunk_parent.control, shared)


def _random_limb(parts: GenotypeParts, rng: Generator) -> tuple[int, DrivenLimb]:
    """Return the index of a random limb, and the limb."""
    k = int(rng.integers(len(parts.limbs)))
    return k, parts.limbs[k]


def _with_freedoms(driven: DrivenLimb, i: int, freedoms: tuple[DrivenFreedom, ...]) -> DrivenLimb:
    """Return a limb with other freedoms at the joint of segment i."""
    segment = replace(driven.segments[i], freedoms=freedoms)
    return replace(driven, segments=(*driven.segments[:i], segment, *driven.segments[i + 1 :]))


def _with_limb(parts: GenotypeParts, k: int, driven: DrivenLimb, max_links: int) -> GenotypeParts | None:
    """Return the parts with limb k replaced, or None if there are too many links."""
    changed = replace(parts, limbs=(*parts.limbs[:k], driven, *parts.limbs[k + 1 :]))
    return changed if changed.links <= max_links else None

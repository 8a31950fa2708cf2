"""Mutation and crossover of structure: operators on decomposed genotypes. [Sims 1994; Arnold 1997, chapter 3]

Each takes the parts, the largest number of links, and random numbers, and returns the changed parts, or None where it
is not applicable. The results are always valid.
"""

from collections.abc import Callable
from dataclasses import replace

from numpy.random import Generator

from gambol.evolve.genotype.body import MOST_FREEDOMS
from gambol.evolve.genotype.bounds import TWIN_PLACE
from gambol.evolve.genotype.breeding.decomposition import (
    DrivenFreedom,
    DrivenLimb,
    DrivenSegment,
    GenotypeParts,
    without_signals,
)
from gambol.evolve.genotype.breeding.random_parts import random_freedom, random_limb, random_segment

Operator = Callable[[GenotypeParts, int, Generator], GenotypeParts | None]

MOVED = 0.4
"""The distance along the trunk of a copied limb from the original, relative to half the trunk's length."""


def add_limb(parts: GenotypeParts, links: int, rng: Generator) -> GenotypeParts | None:
    """Add a random limb."""
    if parts.links >= links:
        return None
    return replace(parts, limbs=(*parts.limbs, without_signals(random_limb(rng, links - parts.links))))


def remove_limb(parts: GenotypeParts, links: int, rng: Generator) -> GenotypeParts | None:
    """Remove a limb, with its twin."""
    if len(parts.limbs) < 2:
        return None
    k = int(rng.integers(len(parts.limbs)))
    return replace(parts, limbs=(*parts.limbs[:k], *parts.limbs[k + 1 :]))


def copy_limb(parts: GenotypeParts, links: int, rng: Generator) -> GenotypeParts | None:
    """Copy a limb, with its signals, a little before or behind the original."""
    driven = parts.limbs[int(rng.integers(len(parts.limbs)))]
    if parts.links + driven.links > links:
        return None
    x, y, z = driven.limb.at
    step = MOVED if rng.random() < 0.5 else -MOVED
    x = x + step if abs(x + step) <= 1.0 else x - step
    copy = replace(driven, limb=replace(driven.limb, at=(x, y, z)))
    return replace(parts, limbs=(*parts.limbs, copy))


def add_segment(parts: GenotypeParts, links: int, rng: Generator) -> GenotypeParts | None:
    """Add a segment at the end of a limb: a random one, or a copy of the last with its signals."""
    k, driven = _random_limb(parts, rng)
    last = driven.segments[-1]
    if rng.random() < 0.5:
        segment = random_segment(rng)
        last = DrivenSegment(segment, tuple(DrivenFreedom(freedom) for freedom in segment.freedoms))
    elif len(driven.segments) == 1:  # its pitch and roll are the limb's way out of the trunk
        last = replace(last, segment=replace(last.segment, pitch=0.0, roll=0.0))
    return _with_limb(parts, k, replace(driven, segments=(*driven.segments, last)), links)


def remove_segment(parts: GenotypeParts, links: int, rng: Generator) -> GenotypeParts | None:
    """Remove a segment of a limb that has several."""
    k, driven = _random_limb(parts, rng)
    if len(driven.segments) < 2:
        return None
    i = 1 + int(rng.integers(len(driven.segments) - 1))  # the first is the limb's way out of the trunk
    return _with_limb(parts, k, replace(driven, segments=(*driven.segments[:i], *driven.segments[i + 1 :])), links)


def toggle_twin(parts: GenotypeParts, links: int, rng: Generator) -> GenotypeParts | None:
    """Add a twin to a limb without, or remove the twin of a limb with one."""
    k, driven = _random_limb(parts, rng)
    limb, (x, y, z) = driven.limb, driven.limb.at
    if not limb.mirrored:
        y = min(max(abs(y), TWIN_PLACE[1].lower), TWIN_PLACE[1].upper)
    mirrored_limb = replace(limb, mirrored=not limb.mirrored, at=(x, y, z))
    return _with_limb(parts, k, replace(driven, limb=mirrored_limb, shift=None), links)


def change_freedom(parts: GenotypeParts, links: int, rng: Generator) -> GenotypeParts | None:
    """Change kind and axis of a freedom, whose signal stays."""
    k, driven = _random_limb(parts, rng)
    i = int(rng.integers(len(driven.segments)))
    muscles = list(driven.segments[i].muscles)
    n = int(rng.integers(len(muscles)))
    drawn = random_freedom(rng)
    changed = replace(muscles[n].freedom, kind=drawn.kind, azimuth=drawn.azimuth, elevation=drawn.elevation)
    muscles[n] = replace(muscles[n], freedom=changed)
    return _with_limb(parts, k, _with_muscles(driven, i, tuple(muscles)), links)


def add_freedom(parts: GenotypeParts, links: int, rng: Generator) -> GenotypeParts | None:
    """Add a second freedom to a joint that has one, nearer the trunk."""
    k, driven = _random_limb(parts, rng)
    i = int(rng.integers(len(driven.segments)))
    muscles = driven.segments[i].muscles
    if len(muscles) >= MOST_FREEDOMS:
        return None
    return _with_limb(parts, k, _with_muscles(driven, i, (DrivenFreedom(random_freedom(rng)), *muscles)), links)


def remove_freedom(parts: GenotypeParts, links: int, rng: Generator) -> GenotypeParts | None:
    """Remove a freedom of a joint that has two."""
    k, driven = _random_limb(parts, rng)
    i = int(rng.integers(len(driven.segments)))
    muscles = driven.segments[i].muscles
    if len(muscles) < 2:
        return None
    remaining = muscles[int(rng.integers(len(muscles)))]
    return _with_limb(parts, k, _with_muscles(driven, i, (remaining,)), links)


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


def mutate_structure(parts: GenotypeParts, links: int, rng: Generator) -> GenotypeParts:
    """Return the parts after one operator, the first in a random order that is applicable."""
    for name in rng.permutation(list(OPERATORS)):
        changed = OPERATORS[str(name)](parts, links, rng)
        if changed is not None:
            return changed
    return parts


def exchange_limbs(a: GenotypeParts, b: GenotypeParts, links: int, rng: Generator) -> GenotypeParts:
    """Return the mixed limbs of two bodies: at every number the limb of one of them, as long as there are links for it.

    a, b: decomposed. links: the most. The trunk, and the genes that all signals share, come from one of them each.
    """
    limbs, free = list[DrivenLimb](), links
    for k in range(max(len(a.limbs), len(b.limbs))):
        parent = a if rng.random() < 0.5 else b
        driven = parent.limbs[k] if k < len(parent.limbs) else None
        if driven is not None and driven.links <= free:
            limbs.append(driven)
            free -= driven.links
    first = a if rng.random() < 0.5 else b
    shared = (a if rng.random() < 0.5 else b).shared
    return GenotypeParts(first.trunk, tuple(limbs) or first.limbs, first.control, shared)


def _random_limb(parts: GenotypeParts, rng: Generator) -> tuple[int, DrivenLimb]:
    k = int(rng.integers(len(parts.limbs)))
    return k, parts.limbs[k]


def _with_muscles(driven: DrivenLimb, i: int, muscles: tuple[DrivenFreedom, ...]) -> DrivenLimb:
    """Return a limb with other muscles at one joint."""
    joint = replace(driven.segments[i], muscles=muscles)
    return replace(driven, segments=(*driven.segments[:i], joint, *driven.segments[i + 1 :]))


def _with_limb(parts: GenotypeParts, k: int, driven: DrivenLimb, links: int) -> GenotypeParts | None:
    """Return the parts with one limb replaced, or None where there are too many links."""
    changed = replace(parts, limbs=(*parts.limbs[:k], driven, *parts.limbs[k + 1 :]))
    return changed if changed.links <= links else None

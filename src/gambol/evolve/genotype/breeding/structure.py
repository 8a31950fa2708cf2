"""How bodies change their structure: operators on genotypes that are taken apart. [Sims 1994; Arnold 1997, chapter 3]

Each takes the parts, the most links there may be, and random numbers, and gives the changed parts, or None where it
cannot be done here. What they give is always legal.
"""

from collections.abc import Callable
from dataclasses import replace

from numpy.random import Generator

from gambol.evolve.genotype.body import MOST_FREEDOMS
from gambol.evolve.genotype.bounds import TWIN_PLACE
from gambol.evolve.genotype.breeding.births import random_freedom, random_limb, random_segment
from gambol.evolve.genotype.breeding.grafts import Apart, Graft, Jointed, Muscled, silent

Operator = Callable[[Apart, int, Generator], Apart | None]

MOVED = 0.4
"""How far a copied limb hangs from the first along the trunk, of half its length."""


def add_limb(apart: Apart, links: int, rng: Generator) -> Apart | None:
    """A limb more, at random."""
    if apart.links >= links:
        return None
    return replace(apart, grafts=(*apart.grafts, silent(random_limb(rng, links - apart.links))))


def remove_limb(apart: Apart, links: int, rng: Generator) -> Apart | None:
    """One limb, with its twin, less."""
    if len(apart.grafts) < 2:
        return None
    k = int(rng.integers(len(apart.grafts)))
    return replace(apart, grafts=(*apart.grafts[:k], *apart.grafts[k + 1 :]))


def copy_limb(apart: Apart, links: int, rng: Generator) -> Apart | None:
    """A limb once more, a little before or behind the first, with the same signals."""
    graft = apart.grafts[int(rng.integers(len(apart.grafts)))]
    if apart.links + graft.links > links:
        return None
    x, y, z = graft.limb.at
    step = MOVED if rng.random() < 0.5 else -MOVED
    x = x + step if abs(x + step) <= 1.0 else x - step
    copied = replace(graft, limb=replace(graft.limb, at=(x, y, z)))
    return replace(apart, grafts=(*apart.grafts, copied))


def add_segment(apart: Apart, links: int, rng: Generator) -> Apart | None:
    """A segment more at the end of a limb: one at random, or the last one again, with its signals."""
    k, graft = _picked(apart, rng)
    last = graft.joints[-1]
    if rng.random() < 0.5:
        segment = random_segment(rng)
        last = Jointed(segment, tuple(Muscled(freedom) for freedom in segment.freedoms))
    elif len(graft.joints) == 1:  # its pitch and roll are the limb's way out of the trunk
        last = replace(last, segment=replace(last.segment, pitch=0.0, roll=0.0))
    return _with(apart, k, replace(graft, joints=(*graft.joints, last)), links)


def remove_segment(apart: Apart, links: int, rng: Generator) -> Apart | None:
    """One segment less, of a limb that has several."""
    k, graft = _picked(apart, rng)
    if len(graft.joints) < 2:
        return None
    i = 1 + int(rng.integers(len(graft.joints) - 1))  # the first is the limb's way out of the trunk
    return _with(apart, k, replace(graft, joints=(*graft.joints[:i], *graft.joints[i + 1 :])), links)


def toggle_twin(apart: Apart, links: int, rng: Generator) -> Apart | None:
    """A twin for a limb without, or none for a limb with one."""
    k, graft = _picked(apart, rng)
    limb, (x, y, z) = graft.limb, graft.limb.at
    if not limb.mirrored:
        y = min(max(abs(y), TWIN_PLACE[1].lower), TWIN_PLACE[1].upper)
    toggled = replace(limb, mirrored=not limb.mirrored, at=(x, y, z))
    return _with(apart, k, replace(graft, limb=toggled, shift=None), links)


def change_freedom(apart: Apart, links: int, rng: Generator) -> Apart | None:
    """Another kind and axis for one freedom, whose signal stays."""
    k, graft = _picked(apart, rng)
    i = int(rng.integers(len(graft.joints)))
    muscles = list(graft.joints[i].muscles)
    n = int(rng.integers(len(muscles)))
    born = random_freedom(rng)
    changed = replace(muscles[n].freedom, kind=born.kind, azimuth=born.azimuth, elevation=born.elevation)
    muscles[n] = replace(muscles[n], freedom=changed)
    return _with(apart, k, _jointed(graft, i, tuple(muscles)), links)


def add_freedom(apart: Apart, links: int, rng: Generator) -> Apart | None:
    """A second freedom for a joint that has one, nearer the trunk."""
    k, graft = _picked(apart, rng)
    i = int(rng.integers(len(graft.joints)))
    muscles = graft.joints[i].muscles
    if len(muscles) >= MOST_FREEDOMS:
        return None
    return _with(apart, k, _jointed(graft, i, (Muscled(random_freedom(rng)), *muscles)), links)


def remove_freedom(apart: Apart, links: int, rng: Generator) -> Apart | None:
    """One freedom less for a joint that has two."""
    k, graft = _picked(apart, rng)
    i = int(rng.integers(len(graft.joints)))
    muscles = graft.joints[i].muscles
    if len(muscles) < 2:
        return None
    kept = muscles[int(rng.integers(len(muscles)))]
    return _with(apart, k, _jointed(graft, i, (kept,)), links)


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


def restructured(apart: Apart, links: int, rng: Generator) -> Apart:
    """The parts after one operator, the first in a random order that can be used here."""
    for name in rng.permutation(list(OPERATORS)):
        changed = OPERATORS[str(name)](apart, links, rng)
        if changed is not None:
            return changed
    return apart


def exchanged(a: Apart, b: Apart, links: int, rng: Generator) -> Apart:
    """The limbs of two bodies mixed: at every number the limb of one of them, as long as there are links for it.

    Trunk, and what control has in common, come from one of them each.
    """
    grafts, left = list[Graft](), links
    for k in range(max(len(a.grafts), len(b.grafts))):
        owner = a if rng.random() < 0.5 else b
        graft = owner.grafts[k] if k < len(owner.grafts) else None
        if graft is not None and graft.links <= left:
            grafts.append(graft)
            left -= graft.links
    first = a if rng.random() < 0.5 else b
    shared = (a if rng.random() < 0.5 else b).shared
    return Apart(first.trunk, tuple(grafts) or first.grafts, first.control, shared)


def _picked(apart: Apart, rng: Generator) -> tuple[int, Graft]:
    k = int(rng.integers(len(apart.grafts)))
    return k, apart.grafts[k]


def _jointed(graft: Graft, i: int, muscles: tuple[Muscled, ...]) -> Graft:
    """A graft with other muscles at one joint."""
    joint = replace(graft.joints[i], muscles=muscles)
    return replace(graft, joints=(*graft.joints[:i], joint, *graft.joints[i + 1 :]))


def _with(apart: Apart, k: int, graft: Graft, links: int) -> Apart | None:
    """The parts with one graft replaced, unless that makes too many links."""
    changed = replace(apart, grafts=(*apart.grafts[:k], graft, *apart.grafts[k + 1 :]))
    return changed if changed.links <= links else None

"""Random limbs, segments and freedoms: most of them stick out of the trunk and swing about axes across themselves.

Numbers that are not drawn here are uniform within the margins FAR around the defaults.
"""

import math
from dataclasses import replace
from typing import TypeVar

from numpy.random import Generator

from gambol.evolve.genotype.body import Body, Freedom, Limb, Segment, Trunk
from gambol.evolve.genotype.bounds import BOUNDS, FAR, PLACE, TWIN_PLACE
from gambol.figure import Triple

P = TypeVar("P", Trunk, Segment, Freedom)

TWINS, SLIDERS, PAIRED = 0.7, 0.1, 0.15
"""Probabilities of a twin for a limb, of a slide for a freedom, and of two freedoms for a joint."""

MOST_LIMBS, MOST_SEGMENTS = 3, 3
"""The largest numbers of limbs of a random body, twins not counted, and of segments of a limb: mutations add more."""

STRAY = 0.3
"""The standard deviation of axes and of bends between segments around the simplest ones [rad]."""

AXES = (0.0, -math.pi / 2, math.pi / 2)
"""Azimuths of axes across a segment: swinging to and fro, outwards, inwards."""


def random_body(rng: Generator, links: int) -> Body:
    """Return a random body with at most so many links on its trunk."""
    limbs = [random_limb(rng, links)]
    for _ in range(int(rng.integers(MOST_LIMBS))):
        left = links - sum(limb.links for limb in limbs)
        if left > 0:
            limbs.append(random_limb(rng, left))
    return Body(_spread(Trunk(), rng), tuple(limbs))


def random_limb(rng: Generator, links: int) -> Limb:
    """Return a random limb of at most so many links, twin included."""
    mirrored = links > 1 and bool(rng.random() < TWINS)
    most = links // 2 if mirrored else links
    segments = [random_segment(rng, most)]
    for _ in range(int(rng.integers(MOST_SEGMENTS))):
        left = most - sum(len(segment.freedoms) for segment in segments)
        if left > 0:
            segments.append(random_segment(rng, left))
    at, pitch, roll = _place(rng, mirrored)
    first = replace(segments[0], pitch=pitch, roll=roll)
    return Limb(at, mirrored, (first, *segments[1:]))


def random_segment(rng: Generator, links: int = 1) -> Segment:
    """Return a random segment, nearly in line with the one above; links: the most that it may have."""
    count = 2 if links > 1 and rng.random() < PAIRED else 1
    freedoms = tuple(random_freedom(rng) for _ in range(count))
    pitch, roll = rng.normal(0.0, STRAY, 2).clip(-1.0, 1.0).tolist()
    return replace(_spread(Segment(), rng), pitch=pitch, roll=roll, freedoms=freedoms)


def random_freedom(rng: Generator) -> Freedom:
    """A freedom that turns about an axis nearly across its segment, or slides nearly along it."""
    freedom = _spread(Freedom(), rng)
    if rng.random() < SLIDERS:
        return replace(
            freedom, kind="prismatic", azimuth=0.0, elevation=math.pi / 2 - abs(float(rng.normal(0.0, STRAY)))
        )
    azimuth = AXES[int(rng.integers(len(AXES)))] + float(rng.normal(0.0, STRAY))
    elevation = max(-math.pi / 2, min(math.pi / 2, float(rng.normal(0.0, STRAY))))
    return replace(freedom, kind="revolute", azimuth=wrapped(azimuth), elevation=elevation)


def wrapped(angle: float) -> float:
    """Return an angle within [-pi, pi]."""
    return math.remainder(angle, 2.0 * math.pi)


def _place(rng: Generator, mirrored: bool) -> tuple[Triple, float, float]:
    """Return a limb's attachment point, pitch and roll: downwards and outwards from a side or an end of the trunk."""
    x, y, z = (float(rng.uniform(gene.lower, gene.upper)) for gene in (TWIN_PLACE if mirrored else PLACE))
    if mirrored:
        return (x, 1.0, z), wrapped(float(rng.normal(0.0, STRAY))), float(rng.uniform(0.0, 0.6 * math.pi))
    end = 1.0 if x > 0.0 else -1.0
    return (end, 0.2 * y, z), wrapped(-end * float(rng.uniform(0.0, 0.6 * math.pi))), 0.0


def _spread(part: P, rng: Generator) -> P:
    """Return a part with random numbers within the margins around its own."""
    genes = [gene for gene in BOUNDS[type(part)] if gene.name in FAR]
    near = {gene.name: FAR[gene.name].around(gene, getattr(part, gene.name)) for gene in genes}
    return replace(part, **{name: float(rng.uniform(gene.lower, gene.upper)) for name, gene in near.items()})

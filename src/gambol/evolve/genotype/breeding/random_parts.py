"""Random limbs, segments and freedoms: most limbs extend from the trunk and swing about axes across their segments.

Numbers without a distribution below are uniform within FREE_MARGINS around the defaults.
"""

import math
from dataclasses import replace
from typing import TypeVar

from numpy.random import Generator

from gambol.evolve.genotype.body import Body, Freedom, Limb, MusclePair, Segment, Trunk, with_freedoms, with_muscles
from gambol.evolve.genotype.bounds import ATTACHMENT, BOUNDS, FREE_MARGINS, TWIN_ATTACHMENT
from gambol.figure import Triple

P = TypeVar("P", Trunk, Segment, Freedom, MusclePair)

TWIN_PROBABILITY, PRISMATIC_PROBABILITY, TWO_FREEDOMS_PROBABILITY = 0.7, 0.1, 0.15
"""Probabilities that a limb has a twin, that a freedom is prismatic, and that a joint has two freedoms."""

MAX_RANDOM_LIMBS, MAX_RANDOM_SEGMENTS = 3, 3
"""Maximum numbers of limbs of a random body (without twins) and of segments of a limb; mutations may add more."""

ANGLE_SIGMA = 0.3
"""Standard deviation of the directions of axes, and of the angles between segments [rad]."""

AZIMUTHS = (0.0, -math.pi / 2, math.pi / 2)
"""Azimuths of joint axes: about them a left segment swings backwards, outwards, or inwards [rad]."""


def random_body(rng: Generator, max_links: int) -> Body:
    """Return a random body with at most max_links links besides its trunk."""
    limbs = [random_limb(rng, max_links)]
    for _ in range(int(rng.integers(MAX_RANDOM_LIMBS))):
        remaining = max_links - sum(limb.links for limb in limbs)
        if remaining > 0:
            limbs.append(random_limb(rng, remaining))
    return Body(_randomised(Trunk(), rng), tuple(limbs))


def random_limb(rng: Generator, max_links: int) -> Limb:
    """Return a random limb that has at most max_links links together with its twin."""
    mirrored = max_links > 1 and bool(rng.random() < TWIN_PROBABILITY)
    limit = max_links // 2 if mirrored else max_links
    segments = [random_segment(rng, limit)]
    for _ in range(int(rng.integers(MAX_RANDOM_SEGMENTS))):
        remaining = limit - sum(len(segment.freedoms) for segment in segments)
        if remaining > 0:
            segments.append(random_segment(rng, remaining))
    at, pitch, roll = _random_attachment(rng, mirrored)
    first_segment = replace(segments[0], pitch=pitch, roll=roll)
    return Limb(at, mirrored, (first_segment, *segments[1:]))


def random_segment(rng: Generator, max_links: int = 1) -> Segment:
    """Return a random segment of at most max_links links, nearly in line with the segment above."""
    count = 2 if max_links > 1 and rng.random() < TWO_FREEDOMS_PROBABILITY else 1
    freedoms = tuple(random_freedom(rng) for _ in range(count))
    pitch, roll = rng.normal(0.0, ANGLE_SIGMA, 2).clip(-1.0, 1.0).tolist()
    return replace(_randomised(Segment(), rng), pitch=pitch, roll=roll, freedoms=freedoms)


def random_freedom(rng: Generator) -> Freedom:
    """Return a random freedom: it turns about an axis nearly across its segment, or slides nearly along it."""
    freedom = _randomised(Freedom(), rng)
    if rng.random() < PRISMATIC_PROBABILITY:
        return replace(
            freedom, kind="prismatic", azimuth=0.0, elevation=math.pi / 2 - abs(float(rng.normal(0.0, ANGLE_SIGMA)))
        )
    azimuth = AZIMUTHS[int(rng.integers(len(AZIMUTHS)))] + float(rng.normal(0.0, ANGLE_SIGMA))
    elevation = max(-math.pi / 2, min(math.pi / 2, float(rng.normal(0.0, ANGLE_SIGMA))))
    return replace(freedom, kind="revolute", azimuth=wrapped(azimuth), elevation=elevation)


def with_random_muscles(body: Body, rng: Generator, metabolism: str | None = None) -> Body:
    """Return a body with muscles at every joint; new muscles get random numbers, and a metabolism."""
    new = MusclePair(metabolism=metabolism)
    return with_freedoms(body, lambda freedom: _with_muscles(freedom, new, rng))


def _with_muscles(freedom: Freedom, new: MusclePair, rng: Generator) -> Freedom:
    return freedom if freedom.muscles is not None else with_muscles(freedom, _randomised(new, rng))


def wrapped(angle: float) -> float:
    """Return an equivalent angle within [-pi, pi]."""
    return math.remainder(angle, 2.0 * math.pi)


def _random_attachment(rng: Generator, mirrored: bool) -> tuple[Triple, float, float]:
    """Return a random attachment point, pitch and roll of a limb on a side or an end of the trunk.

    The angle between the limb and straight down is from 0 to 0.6 pi; at 0.6 pi the limb points outwards and a little
    up.
    """
    x, y, z = (float(rng.uniform(gene.lower, gene.upper)) for gene in (TWIN_ATTACHMENT if mirrored else ATTACHMENT))
    if mirrored:
        return (x, 1.0, z), wrapped(float(rng.normal(0.0, ANGLE_SIGMA))), float(rng.uniform(0.0, 0.6 * math.pi))
    end = 1.0 if x > 0.0 else -1.0
    return (end, 0.2 * y, z), wrapped(-end * float(rng.uniform(0.0, 0.6 * math.pi))), 0.0


def _randomised(part: P, rng: Generator) -> P:
    """Return a part with random numbers within FREE_MARGINS around the numbers of the given part."""
    genes = [gene for gene in BOUNDS[type(part)] if gene.name in FREE_MARGINS]
    narrowed = {gene.name: FREE_MARGINS[gene.name].around(gene, getattr(part, gene.name)) for gene in genes}
    return replace(part, **{name: float(rng.uniform(gene.lower, gene.upper)) for name, gene in narrowed.items()})

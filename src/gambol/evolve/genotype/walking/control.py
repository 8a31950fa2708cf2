"""The controls "stride" and "trot": their genes, and the balanced waves of all joints of a body."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import cast

from gambol.control.gene import Gene
from gambol.control.patterns import Balanced, BalancedWave, Pattern, PatternShape
from gambol.errors import EvolveError
from gambol.evolve.genotype.body import Body, spines_of
from gambol.evolve.genotype.genotype import Control
from gambol.evolve.genotype.walking.stride import Stride, genes_of_stride
from gambol.evolve.genotype.walking.walker import Walker, walker_of
from gambol.evolve.genotype.walking.waves import HARMONICS, leg_waves, wave_without_foot


def stride_genes(body: Body, control: Control) -> tuple[Gene, ...]:
    """Return the genes of the control "stride" for a body. Raises EvolveError for a body without a pair of legs."""
    if not (pairs := sum(limb.mirrored and limb.foot for limb in body.limbs)):
        raise EvolveError('the control "stride" needs a pair of legs; take a body with legs, or another control')
    return _genes(pairs, control.slowest, control.fastest, bends=bool(spines_of(body)))


def trot_genes(body: Body, control: Control) -> tuple[Gene, ...]:
    """Return the genes of the control "trot" for a body. Raises EvolveError for a body without two pairs of legs."""
    if (pairs := sum(limb.mirrored and limb.foot for limb in body.limbs)) != 2:
        raise EvolveError(f'the control "trot" needs two pairs of legs; this body has {pairs}')
    return _genes(pairs, control.slowest, control.fastest, trots=True, bends=bool(spines_of(body)))


@lru_cache(maxsize=16)
def _genes(pairs: int, slowest: float, fastest: float, *, trots: bool = False, bends: bool = False) -> tuple[Gene, ...]:
    return genes_of_stride(pairs, slowest, fastest, trots=trots, bends=bends)


def stride_pattern(body: Body, control: Control) -> Pattern:
    """Return the pattern with one signal for each freedom of a body, in the order of links.

    control: its values are those of the genes of a stride; they may be arrays (W,), for creatures of one body.
    """
    stride, walker = Stride(*control.values), walker_of(body)
    waves: dict[int, list[BalancedWave]] = {
        n: [wave_without_foot(body, n, stride, joint) for joint in range(len(limb.freedoms))]
        for n, limb in enumerate(body.limbs)
    }
    for number, leg in enumerate(walker.legs):
        waves[leg.limb] = leg_waves(walker, leg, number, stride)
    return cast(Pattern, pattern_of_waves(walker, stride, control, waves))


trot_pattern = stride_pattern
"""The pattern of a trot is made of the same genes; only their bounds differ."""


def pattern_of_waves(
    walker: Walker, stride: Stride, control: Control, waves: Mapping[int, Sequence[BalancedWave]]
) -> Balanced:
    """Return the pattern of a body with the waves of each limb; twins have the same waves half a stride later.

    waves: for each limb by index, the wave of each of its joints. control: gives the bounds of the frequency.
    """
    limbs = walker.body.limbs
    speed = stride.travel * walker.height * stride.frequency / stride.duty
    rows = tuple(wave for n in range(len(limbs)) for wave in waves[n])
    pattern = Balanced(_shape(len(rows), control), stride.frequency, speed, rows)
    sources, shifts, first = list[int](), list[float](), 0
    for limb in limbs:
        indices = range(first, first + len(limb.freedoms))
        for shift in (0.0, 0.5)[: len(limb.sides)]:
            sources += indices
            shifts += [shift] * len(indices)
        first = indices.stop
    return pattern.with_twins(sources, shifts, _shape(len(sources), control))


def _shape(actuators: int, control: Control) -> PatternShape:
    return PatternShape(actuators, size=HARMONICS, slowest=control.slowest, fastest=control.fastest)

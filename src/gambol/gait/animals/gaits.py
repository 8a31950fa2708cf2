"""Classes of gaits: walk, trot and gallop. [Hildebrand 1965]

A gait is symmetrical if the two limbs of each pair land half a stride apart. A symmetrical gait with limbs that stand
for half the stride or longer is a walk; with shorter stances it is a run, which is called a trot here, also for bipeds
and for the pace. All asymmetrical gaits are called a gallop here: canter, gallops, bound and pronk.

With one or two pairs of limbs, stances shorter than half the stride leave a girdle without support. With more pairs
they need not: limbs that move in a wave always support the body, and cannot bounce it. [Weihmann 2018, Science Advances
4: eaat3721] There a symmetrical gait is a run if the body flies.
"""

from collections.abc import Sequence

WALK = "walk"
"""A symmetrical gait in which a foot stands for half the stride or longer; of six or more limbs, one without flight."""

TROT = "trot"
"""A symmetrical gait with shorter stances: trot, pace, and the run of a biped."""

GALLOP = "gallop"
"""An asymmetrical gait: canter, gallop, bound and pronk."""

MAX_ASYMMETRY = 0.1
"""Maximum deviation from half a stride of the landings of a pair in a symmetrical gait [cycles]: twice the error of the
phases that were measured in one dog.
"""

MAX_FLIGHT = 0.02
"""Maximum fraction of time without a standing foot in a walk of six or more limbs: in steps of 1/30 s, one moment in
two seconds or less."""


def gait_class(duty_factors: Sequence[float], pair_phases: Sequence[float], flight: float = 0.0) -> str:
    """Return WALK, TROT or GALLOP.

    duty_factors: duty factors of all limbs. pair_phases: for each pair, landing of one limb after the landing of the
    other [cycles]. flight: fraction of time in which no limb stands; only used with more than four limbs.
    """
    asymmetry = [abs(phase % 1.0 - 0.5) for phase in pair_phases]
    if asymmetry and sum(asymmetry) / len(asymmetry) > MAX_ASYMMETRY:
        return GALLOP
    if len(duty_factors) > 4:
        return WALK if flight <= MAX_FLIGHT else TROT
    return WALK if sum(duty_factors) / len(duty_factors) >= 0.5 else TROT

"""Calibrating the reflexes: walk undisturbed, read the ranges, set the triggers beyond them. [McKenna 1990, 5.2]

The thesis left this undone and says how to do it. The walks are of several speeds and both kinds of feet, on level
ground and with the reflexes off, so that in none of them a calibrated reflex acts. A leg and its mirror image get the
same triggers: the wider of the two.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gambol.control import Leg, ReflexTriggers, calibrated
from gambol.creatures.creature import Creature
from gambol.creatures.home import FEET, SETTLING, set_down, world_of
from gambol.errors import WorldError
from gambol.world import run

SPEEDS = (1.0, 1.5, 3.0)
"""Speed factors of the walks: the tripod gait, one between, and the wave gait."""

STRIDES = 4.0
"""Strides of each walk; the first one, in which it gathers speed, counts too."""


def calibrate(
    creature: Creature, *, speeds: Sequence[float] = SPEEDS, margin: float = 0.25
) -> tuple[ReflexTriggers, ...]:
    """Triggers for every leg of a creature.

    speeds: factors of the walks. margin: how far beyond the ranges, as a part of them. Raises WorldError when a leg
    never steps, and without a speed. Takes some seconds.
    """
    if not speeds:
        raise WorldError("reflexes are calibrated in walks; give at least one speed")
    found: list[tuple[ReflexTriggers, ...]] = []
    for feet in FEET:
        for speed in speeds:
            world = world_of(creature, speed=speed, feet=feet, reflexes=False)
            seconds = SETTLING + STRIDES * 2.0 * creature.gait.protraction * speed
            film = run(world, set_down(creature, world), seconds)
            walking = film.time > SETTLING
            upper, load, stepping = (film.signals[name][walking, 0] for name in ("upper", "load", "stepping"))
            found.append(calibrated(upper, load, [stance_direction(leg) for leg in creature.legs], stepping, margin))
    own = [_widest(of_leg) for of_leg in zip(*found, strict=True)]
    ranks = [leg.rank for leg in creature.legs]
    pairs = [[t for other, t in zip(ranks, own, strict=True) if other == rank] for rank in ranks]
    return tuple(replace(_widest(pair), direction=t.direction) for pair, t in zip(pairs, own, strict=True))


def stance_direction(leg: Leg) -> float:
    """The sense in which a leg's first joint turns during stance: +1 or -1.

    Raises WorldError for a leg whose first joint is not moved by both of its motor programs.
    """
    upper = leg.links[0]
    lands = [command.target for command in leg.step if command.joint == upper]
    leaves = [command.target for command in leg.stance if command.joint == upper]
    if not lands or not leaves:
        program = "stance" if lands else "step"
        raise WorldError(f'no command of the {program} program moves "{upper}", the first joint of leg "{leg.name}"')
    return float(np.sign(leaves[-1] - lands[-1]))


def _widest(triggers: Sequence[ReflexTriggers]) -> ReflexTriggers:
    """The triggers that lie beyond all of these."""
    return ReflexTriggers(max(t.bent_back for t in triggers), triggers[0].direction, max(t.load for t in triggers))

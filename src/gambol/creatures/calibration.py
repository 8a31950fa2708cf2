"""Calibration of the reflexes: walk undisturbed, record ranges, and set the triggers outside them. [McKenna 1990, 5.2]

The thesis describes this procedure but did not carry it out. The walks have several speeds and both kinds of feet, on
level ground with the reflexes off; a calibrated reflex would not act in any of them. A leg and its mirror image have
the same triggers: the larger one of the two values.
"""

from collections.abc import Sequence
from dataclasses import replace

from gambol.creatures.creature import Creature
from gambol.creatures.creature_world import FEET, SETTLING_TIME, standing_state, world_of
from gambol.errors import WorldError
from gambol.gait import ReflexTriggers, calibrated_triggers
from gambol.gait.leg import stance_direction
from gambol.world import run

SPEEDS = (1.0, 1.5, 3.0)
"""Speed factors of the walks: the tripod gait, an intermediate gait, and the wave gait."""

STRIDES = 4.0
"""Number of strides of each walk, including the first one, in which the creature accelerates."""


def calibrate(
    creature: Creature, *, speeds: Sequence[float] = SPEEDS, margin: float = 0.25
) -> tuple[ReflexTriggers, ...]:
    """Return the reflex triggers of every leg of a creature, from simulated walks. Takes some seconds.

    speeds: speed factors of the walks. margin: distance of a trigger from the range of its quantity, as a fraction of
    that range. Raises WorldError if a leg never steps, or if no speed is given.
    """
    if not speeds:
        raise WorldError("reflexes are calibrated in walks; give at least one speed")
    triggers: list[tuple[ReflexTriggers, ...]] = []
    for feet in FEET:
        for speed in speeds:
            world = world_of(creature, speed=speed, feet=feet, reflexes=False)
            seconds = SETTLING_TIME + STRIDES * 2.0 * creature.gait.protraction * speed
            film = run(world, standing_state(creature, world), seconds)
            walking = film.time > SETTLING_TIME
            upper, load, stepping = (film.signals[name][walking, 0] for name in ("upper", "load", "stepping"))
            triggers.append(
                calibrated_triggers(upper, load, [stance_direction(leg) for leg in creature.legs], stepping, margin)
            )
    per_leg = [_largest(leg_triggers) for leg_triggers in zip(*triggers, strict=True)]
    ranks = [leg.rank for leg in creature.legs]
    pairs = [[t for other, t in zip(ranks, per_leg, strict=True) if other == rank] for rank in ranks]
    return tuple(replace(_largest(pair), direction=t.direction) for pair, t in zip(pairs, per_leg, strict=True))


def _largest(triggers: Sequence[ReflexTriggers]) -> ReflexTriggers:
    """Return triggers with the largest thresholds of several triggers, and the direction of the first of them."""
    return ReflexTriggers(max(t.bent_back for t in triggers), triggers[0].direction, max(t.load for t in triggers))

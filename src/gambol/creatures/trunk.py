"""Which legs of a creature may touch its trunk, if they are not to pass through it."""

from gambol.collide.broad import Pair, overlapping, pair_reasons
from gambol.collide.broad.at_rest import overlaps_at, poses_at
from gambol.creatures.creature import Creature
from gambol.figure import JOINTS


def trunk_pairs(creature: Creature) -> tuple[Pair, ...]:
    """The pairs of parts of which one belongs to a leg, the other does not, and which may touch each other.

    Left out is what pair_reasons() gives a reason for, and parts that overlap at the creature's initial angles: the
    roach's hind legs begin inside its abdomen.
    """
    figure = creature.figure
    legs = {figure.link(name).index for leg in creature.legs for name in leg.links}
    reasons = pair_reasons(figure, springs=creature.springs, refuse=lambda pair: "" if _mixed(pair, legs) else OTHERS)
    rest = {link.index: JOINTS[link.joint.kind].rest for link in figure.links}
    angles = {figure.link(name).index: (angle,) for name, angle in creature.angles.items()}
    pairs = [pair for pair, why in reasons.items() if not why]
    inside = overlaps_at(figure, pairs, overlapping, poses_at(figure, rest | angles))
    return tuple(pair for pair in pairs if pair not in inside)


OTHERS = "they are two legs, or two parts of the trunk"


def _mixed(pair: Pair, legs: set[int]) -> bool:
    """Whether one of two parts belongs to a leg and the other to the trunk."""
    return (pair.link in legs) != (pair.other in legs)

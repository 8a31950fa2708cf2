"""Collision pairs between the legs and the trunk of a creature."""

from gambol.collide.broad import Pair, exclusion_reasons, overlapping
from gambol.collide.broad.at_rest import overlaps_at, poses_at
from gambol.creatures.creature import Creature
from gambol.figure import JOINTS


def trunk_pairs(creature: Creature) -> tuple[Pair, ...]:
    """Return the pairs of parts, one of a leg and one of the trunk, that may touch each other.

    Two sorts of pairs are left out: pairs with a reason in exclusion_reasons(), and pairs that overlap at the
    creature's initial angles, such as the roach's hind legs and abdomen.
    """
    figure = creature.figure
    legs = {figure.link(name).index for leg in creature.legs for name in leg.links}
    reasons = exclusion_reasons(
        figure,
        springs=creature.springs,
        extra_rule=lambda pair: "" if _is_leg_and_trunk(pair, legs) else NOT_LEG_AND_TRUNK,
    )
    default_q = {link.index: JOINTS[link.joint.kind].rest for link in figure.links}
    angles = {figure.link(name).index: (angle,) for name, angle in creature.angles.items()}
    pairs = [pair for pair, reason in reasons.items() if not reason]
    overlaps = overlaps_at(figure, pairs, overlapping, poses_at(figure, default_q | angles))
    return tuple(pair for pair in pairs if pair not in overlaps)


NOT_LEG_AND_TRUNK = "they are two legs, or two parts of the trunk"


def _is_leg_and_trunk(pair: Pair, legs: set[int]) -> bool:
    """Return True if one part of a pair belongs to a leg and the other to the trunk."""
    return (pair.link in legs) != (pair.other in legs)

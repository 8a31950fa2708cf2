"""Legs and their motor programs, as data."""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from gambol.errors import WorldError

Side: TypeAlias = Literal["left", "right"]
"""The side of a leg; left is +y of the trunk."""


@dataclass(frozen=True, slots=True)
class MotorCommand:
    """One line of a motor program: a joint's rest angle moves to a target at constant speed. [McKenna 1990, 4.5]

    joint: name of the link of the joint; target: rest angle at the end [rad]; begins, lasts: start and duration, as
    fractions of the program's time. Raises WorldError for invalid numbers.
    """

    joint: str
    target: float
    begins: float
    lasts: float

    def __post_init__(self) -> None:
        if not math.isfinite(self.target):
            raise WorldError(f'a motor command moves "{self.joint}" to {self.target} rad; it must be finite')
        if not (0.0 <= self.begins <= 1.0 and 0.0 <= self.lasts < math.inf):
            raise WorldError(
                f'a motor command of "{self.joint}" begins at {self.begins} and lasts {self.lasts} of its program; '
                "give fractions, such as 0.5"
            )


@dataclass(frozen=True, slots=True)
class Leg:
    """One leg of a creature.

    side: "left" or "right". rank: index of its pair, 0 is the foremost. links: names of its links, from the body to the
    foot. step, stance: motor programs. angle_joint: name of the link of the joint whose angle the step reflex reads;
    empty: the first joint of the leg. load_joint: name of the link of the joint whose torque the load-bearing reflex
    reads; empty: the second joint.
    """

    name: str
    side: Side
    rank: int
    links: tuple[str, ...]
    step: tuple[MotorCommand, ...]
    stance: tuple[MotorCommand, ...]
    angle_joint: str = ""
    load_joint: str = ""

    @property
    def reflex_joints(self) -> tuple[str, str]:
        """The joints whose angle and torque the reflexes measure; in a leg with one joint, it is the same joint."""
        return self.angle_joint or self.links[0], self.load_joint or self.links[:2][-1]

    @property
    def foot(self) -> str:
        """The name of the link that stands on the ground."""
        return self.links[-1]

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints that its motor programs move, each once."""
        return tuple(dict.fromkeys(command.joint for command in (*self.step, *self.stance)))


def neighbours(legs: tuple[Leg, ...], leg: Leg) -> list[int]:
    """Return the indices of the legs in front of a leg, behind it and opposite. [McKenna 1990, section 3.2]"""
    return [
        i
        for i, other in enumerate(legs)
        if (other.side == leg.side and abs(other.rank - leg.rank) == 1)
        or (other.side != leg.side and other.rank == leg.rank)
    ]


def stance_direction(leg: Leg) -> float:
    """Return the direction in which a leg's first joint turns during stance: +1 or -1.

    Raises WorldError if one of the leg's motor programs does not move this joint.
    """
    upper = leg.links[0]
    landing_targets = [command.target for command in leg.step if command.joint == upper]
    lift_off_targets = [command.target for command in leg.stance if command.joint == upper]
    if not landing_targets or not lift_off_targets:
        program = "stance" if landing_targets else "step"
        raise WorldError(f'no command of the {program} program moves "{upper}", the first joint of leg "{leg.name}"')
    return math.copysign(1.0, lift_off_targets[-1] - landing_targets[-1])


def lifting_commands(leg: Leg) -> tuple[int, int]:
    """Return the indices of the commands in a leg's step program that lift it and lower it by its second joint.

    Raises WorldError if the leg has one joint, or if the step program does not move its second one at least twice.
    """
    if len(leg.links) < 2:
        raise WorldError(
            f'leg "{leg.name}" has one joint; a leg that is to be lifted higher needs a second one, which lifts it'
        )
    indices = [i for i, command in enumerate(leg.step) if command.joint == leg.links[1]]
    if len(indices) < 2:
        raise WorldError(
            f'the step program of leg "{leg.name}" moves "{leg.links[1]}" {len(indices)} times; a leg that is to be '
            "lifted higher needs a command that lifts and one that lowers it"
        )
    return indices[0], indices[-1]


def lift_direction(leg: Leg) -> float:
    """Return the direction in which a leg's second joint turns when it lifts: +1 or -1. See lifting_commands().

    It is that from its angle in a stance to the command that lifts it: from the end of the stance, or, if the stance
    program does not move this joint, from the command that lowers it. A leg may land higher than it was lifted.
    """
    lifts, lowers = lifting_commands(leg)
    standing = [command.target for command in leg.stance if command.joint == leg.links[1]]
    return math.copysign(1.0, leg.step[lifts].target - (standing[-1] if standing else leg.step[lowers].target))

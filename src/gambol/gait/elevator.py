"""The elevator reflex: a leg that strikes something on its way forward is drawn back, lifted higher and tried again.

[McKenna 1990, section 2.2; Pearson and Franklin 1984]

A leg strikes an obstacle if it was in the air in this step, and one of its lower links has contact before the step
program begins to lower it. Attempt n of a step then has

    retreat        the first joint turns back by `back`, and the second joint lifts by `lift`
    step program   begins again after the retreat; the target of its lifting command is higher by n `lift`
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gambol.errors import WorldError
from gambol.gait.gait_memory import GaitMemory
from gambol.gait.leg import Leg, lift_direction, lifting_commands, stance_direction
from gambol.gait.modifier import GaitModifier, ModifierInput
from gambol.lanes import Scalar, logical_not, where

NO_STRIKE_BEFORE = 0.1
"""The fraction of a step's time before which no contact is a strike: the foot is still leaving the ground."""


@dataclass(frozen=True, slots=True)
class ElevatorMemory:
    """For each leg: 1 if it has been in the air in this step; 1 if it strikes now; failed attempts of this step."""

    airborne: list[Scalar]
    strikes: list[Scalar]
    attempts: list[Scalar]


@dataclass(frozen=True)
class Elevator(GaitModifier):
    """The elevator reflex of all legs of a gait.

    lift: additional lift of each further attempt [rad]. back: angle by which a leg is drawn back [rad]. retreat: time
    for drawing it back, as a fraction of the step's time. most: largest number of further attempts in one step. Raises
    WorldError for values that are not positive, and for legs with step programs that do not lift and lower them.
    """

    legs: tuple[Leg, ...]
    lift: float = 0.35
    back: float = 0.15
    retreat: float = 0.4
    most: float = 3.0

    def __post_init__(self) -> None:
        for name, value in self.numbers().items():
            if not 0.0 < value < math.inf:
                raise WorldError(f"the {name} of an elevator reflex is {value}; give more than 0")
        for leg in self.legs:
            lift_direction(leg)
            stance_direction(leg)

    @property
    def required_senses(self) -> tuple[str, ...]:
        """The contacts of the legs."""
        return ("contacts",)

    @property
    def feet(self) -> tuple[str, ...]:
        """The links of the legs beyond the link of the second joint."""
        return tuple(link for leg in self.legs for link in lower_links(leg))

    def numbers(self) -> dict[str, Any]:
        """Return lift, back, retreat and the number of attempts."""
        return {"lift": self.lift, "back": self.back, "retreat": self.retreat, "most": self.most}

    def memory(self) -> ElevatorMemory:
        """Return the memory of legs that have not stepped."""
        zeros: list[Scalar] = [0.0] * len(self.legs)
        return ElevatorMemory(list(zeros), list(zeros), list(zeros))

    def structure(self) -> tuple[Any, ...]:
        """Return the directions of lift and stance of each leg."""
        return ("elevator", [(lift_direction(leg), stance_direction(leg)) for leg in self.legs])

    def remembered(self, now: ModifierInput) -> ElevatorMemory:
        """Return the memory in this control step."""
        own, gait, new = now.own, now.gait, ElevatorMemory([], [], [])
        for i, leg in enumerate(self.legs):
            steps, clock, touched = gait.state[i] > 1.5, gait.clock[i], now.touched(lower_links(leg))
            begun = steps & (clock >= NO_STRIKE_BEFORE * gait.duration[i])
            airborne = where(steps, where(begun & logical_not(touched), 1.0, own.airborne[i]), 0.0)
            rising = clock < leg.step[lifting_commands(leg)[1]].begins * gait.duration[i]
            strikes = begun & rising & touched & (airborne > 0.5) & (own.attempts[i] < now.numbers["most"] - 0.5)
            new.airborne.append(where(strikes, 0.0, airborne))
            new.strikes.append(where(strikes, 1.0, 0.0))
            new.attempts.append(where(steps, own.attempts[i] + where(strikes, 1.0, 0.0), 0.0))
        return new

    def target(self, now: ModifierInput, leg: int, program: str, command: int, goal: Scalar) -> Scalar:
        """Return the target of a command: higher for the command that lifts."""
        moved_leg = self.legs[leg]
        if program == "step" and command == lifting_commands(moved_leg)[0]:
            return goal + lift_direction(moved_leg) * now.own.attempts[leg] * now.numbers["lift"]
        return goal

    def moved(self, now: ModifierInput, decided: GaitMemory) -> GaitMemory:
        """Return the gait's memory, in which legs that strike now move back and up before the next attempt."""
        clock, rate, target = list(decided.clock), list(decided.rate), list(decided.target)
        for i, leg in enumerate(self.legs):
            strikes, time = now.own.strikes[i] > 0.5, now.numbers["retreat"] * decided.duration[i]
            clock[i] = where(strikes, -time, clock[i])
            turns = (stance_direction(leg) * now.numbers["back"], lift_direction(leg) * now.numbers["lift"])
            for joint, turn in zip(leg.links[:2], turns, strict=True):
                k = now.joints.index(joint)
                target[k] = where(strikes, decided.rest[k] + turn, target[k])
                rate[k] = where(strikes, turn / time, rate[k])
        return replace(decided, clock=clock, rate=rate, target=target)


def lower_links(leg: Leg) -> Sequence[str]:
    """Return the links of a leg beyond its second one, or its foot if it has only two."""
    return leg.links[2:] or leg.links[-1:]

"""The search for a foothold: a leg that is lowered stops on high ground, and reaches down and around over low ground.

[McKenna 1990, section 2.2; Pearson and Franklin 1984]

High ground touches a foot while it is lowered, earlier than in undisturbed walking. Then the step ends, and in stance
the target of the second joint is higher by the part `yielding` of the angle by which the leg was still to be lowered.

Over low ground a leg searches if its foot has not been touched since its step ended, for longer than the grace;
undisturbed legs land within the grace. With t the time since the end of the grace, up to the time of the search,

    second joint   lowers at the rate reach / search, against the direction in which it lifts
    first joint    sways by sway sin(2 pi turns t / search) about its angle at the start, forward first

When the foot has contact, or the time is over, the stance program continues for the rest of the stance. Until the next
step the target of the second joint remains lower by the angle that the leg has reached down, so that the foot stays in
its hollow.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

from gambol.errors import WorldError
from gambol.gait.gait_memory import GaitMemory
from gambol.gait.leg import Leg, lift_direction, lifting_commands, stance_direction
from gambol.gait.modifier import GaitModifier, ModifierInput
from gambol.lanes import Scalar, cos, logical_not, maximum, where

TURNS = 2.0
"""Number of sways in a search."""


@dataclass(frozen=True, slots=True)
class FootholdMemory:
    """The memory of the search, for each leg.

    landed: 1 if it has been touched since it was in the air. early: 1 if it lands early now. flexion: angle by which it
    stands flexed on high ground [rad]. searching: 1 while it searches. resumes: 1 if its search ends now. reached:
    angle by which it has moved below its program [rad]. goals: targets of its first two joints when the search began
    [rad].
    """

    landed: list[Scalar]
    early: list[Scalar]
    flexion: list[Scalar]
    searching: list[Scalar]
    resumes: list[Scalar]
    reached: list[Scalar]
    goals: list[list[Scalar]]


@dataclass(frozen=True)
class Foothold(GaitModifier):
    """The search for a foothold by all legs of a gait.

    grace: time after a step in which the foot may land without a search [s]. search: longest time of a search [s].
    reach: largest angle by which the second joint lowers [rad]. sway: amplitude of the first joint [rad]. early:
    fraction of the step's time before which a foot that is being lowered can touch only high ground. yielding: see the
    docstring of the module; 1 for a leg that does not raise the trunk. Raises WorldError for values that are not
    positive, and for legs with programs that do not lift, lower and bring them forward.
    """

    legs: tuple[Leg, ...]
    grace: float = 0.015
    search: float = 0.025
    reach: float = 0.5
    sway: float = 0.1
    early: float = 0.8
    yielding: float = 0.8

    def __post_init__(self) -> None:
        for name in ("grace", "search", "reach", "sway", "early", "yielding"):
            value = getattr(self, name)
            if not 0.0 < value < math.inf:
                raise WorldError(f"the {name} of a search for a foothold is {value}; give more than 0")
        for leg in self.legs:
            lift_direction(leg)
            stance_direction(leg)

    @property
    def required_senses(self) -> tuple[str, ...]:
        """The contacts of the feet."""
        return ("contacts",)

    @property
    def feet(self) -> tuple[str, ...]:
        """The feet of the legs."""
        return tuple(leg.foot for leg in self.legs)

    def numbers(self) -> dict[str, Any]:
        """Return the options, and the target to which the step program lowers each leg [rad]."""
        names = ("grace", "search", "reach", "sway", "early", "yielding")
        lowered = [leg.step[lifting_commands(leg)[1]].target for leg in self.legs]
        return {**{name: getattr(self, name) for name in names}, "lowered": lowered}

    def memory(self) -> FootholdMemory:
        """Return the memory of legs that stand."""
        early, flexion, searching, resumes, reached = ([0.0 for _ in self.legs] for _ in range(5))
        goals: list[list[Scalar]] = [[0.0, 0.0] for _ in self.legs]
        return FootholdMemory([1.0 for _ in self.legs], early, flexion, searching, resumes, reached, goals)

    def structure(self) -> tuple[Any, ...]:
        """Return the directions of lift and stance of each leg."""
        return ("foothold", [(lift_direction(leg), stance_direction(leg)) for leg in self.legs])

    def remembered(self, now: ModifierInput) -> FootholdMemory:
        """Return the memory in this control step."""
        own, new = now.own, FootholdMemory([], [], [], [], [], [], [])
        for i, leg in enumerate(self.legs):
            steps, touched = now.gait.state[i] > 1.5, now.touched([leg.foot])
            new.landed.append(where(steps & logical_not(touched), 0.0, where(touched, 1.0, own.landed[i])))
            early = steps & touched & (own.landed[i] < 0.5) & self._lowers_early(now, i)
            new.early.append(where(early, 1.0, 0.0))
            new.flexion.append(where(early, self._flexion(now, i), where(steps, 0.0, own.flexion[i])))
            self._search(now, i, new)
        return new

    def ends(self, now: ModifierInput, leg: int, done: Scalar) -> Scalar:
        """Return True if a leg's step is over, or the leg touches high ground."""
        return done | (now.own.early[leg] > 0.5)

    def target(self, now: ModifierInput, leg: int, program: str, command: int, goal: Scalar) -> Scalar:
        """Return the target of a command, which is flexed in stance on high ground."""
        moved_leg = self.legs[leg]
        if program == "stance" and moved_leg.stance[command].joint == moved_leg.links[1]:
            return goal + lift_direction(moved_leg) * now.own.flexion[leg]
        return goal

    def moved(self, now: ModifierInput, decided: GaitMemory) -> GaitMemory:
        """Return the gait's memory, in which joints of searching legs follow the search, others their programs."""
        own, rate, target = now.own, list(decided.rate), list(decided.target)
        for i, leg in enumerate(self.legs):
            stands = decided.state[i] < 1.5
            searches, resumes = stands & (own.searching[i] > 0.5), stands & (own.resumes[i] > 0.5)
            left = maximum(decided.duration[i] - decided.clock[i], now.dt)
            for joint, turn, goal in zip(leg.links[:2], self._search_rates(now, i), self._goals(now, i), strict=True):
                k = now.joints.index(joint)
                rate[k] = where(searches, turn, where(resumes, (goal - decided.rest[k]) / left, rate[k]))
                target[k] = where(searches, decided.rest[k] + turn * now.dt, where(resumes, goal, target[k]))
        return replace(decided, rate=rate, target=target)

    def _lowers_early(self, now: ModifierInput, i: int) -> Scalar:
        """Return True if leg i is being lowered, and would not touch level ground yet."""
        begins = self.legs[i].step[lifting_commands(self.legs[i])[1]].begins
        clock, duration = now.gait.clock[i], now.gait.duration[i]
        return (clock > begins * duration) & (clock < now.numbers["early"] * duration)

    def _flexion(self, now: ModifierInput, i: int) -> Scalar:
        """Return the angle by which leg i stands flexed if it lands now [rad]."""
        rest = now.gait.rest[now.joints.index(self.legs[i].links[1])]
        above = lift_direction(self.legs[i]) * (rest - now.numbers["lowered"][i])
        return now.numbers["yielding"] * maximum(above, 0.0)

    def _search(self, now: ModifierInput, i: int, new: FootholdMemory) -> None:
        """Append the numbers of the search of leg i in this control step to a new memory."""
        own, steps, clock = now.own, now.gait.state[i] > 1.5, now.gait.clock[i]
        begins, searched = now.numbers["grace"], own.searching[i] > 0.5
        in_time = (clock >= begins) & (clock < begins + now.numbers["search"])
        searches = logical_not(steps) & (new.landed[i] < 0.5) & in_time
        further = where(searches, now.numbers["reach"] / now.numbers["search"] * now.dt, 0.0)
        new.searching.append(where(searches, 1.0, 0.0))
        new.resumes.append(where(searched & logical_not(searches), 1.0, 0.0))
        new.reached.append(where(steps, 0.0, own.reached[i] + further))
        targets = [now.gait.target[now.joints.index(joint)] for joint in self.legs[i].links[:2]]
        new.goals.append([where(searched, old, target) for old, target in zip(own.goals[i], targets, strict=True)])

    def _search_rates(self, now: ModifierInput, i: int) -> tuple[Scalar, Scalar]:
        """Return the rates of the first two joints of leg i while it searches [rad/s]."""
        frequency = 2.0 * math.pi * TURNS / now.numbers["search"]
        phase = frequency * (now.gait.clock[i] - now.numbers["grace"])
        forward = -stance_direction(self.legs[i])
        down = -lift_direction(self.legs[i])
        return (
            forward * now.numbers["sway"] * frequency * cos(phase),
            down * now.numbers["reach"] / now.numbers["search"],
        )

    def _goals(self, now: ModifierInput, i: int) -> tuple[Scalar, Scalar]:
        """Return the targets of the first two joints of leg i after its search [rad]."""
        upper, support = now.own.goals[i]
        return upper, support - lift_direction(self.legs[i]) * now.own.reached[i]

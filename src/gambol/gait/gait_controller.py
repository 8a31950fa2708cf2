"""The gait controller: oscillators, reflexes and inhibition decide which legs step; motor programs move rest angles.

Each leg is in stance, in potential step, or in step. An oscillator or the step reflex turns stance into a potential
step. A potential step becomes a step unless a neighbour steps, or the leg carries too much and has stood for less than
a cycle. A step ends after its duration. [McKenna 1990, section 4.6] Decisions are made once per control step; between
them rest angles move at constant speed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gambol.actuation import Actuator
from gambol.control.controller import JointSignal, Senses
from gambol.errors import WorldError, did_you_mean
from gambol.gait.gait_memory import NOT_STARTED, STANCE, STEP, GaitMemory
from gambol.gait.leg import Leg, MotorCommand
from gambol.gait.leg_decisions import LegDecisions, Modifying
from gambol.gait.modifier import GaitModifier, ModifierInput
from gambol.gait.motor_program import TargetChange, begin_commands, rest_angles_after, within_targets
from gambol.gait.oscillator import GaitTimes, gait_times, peaks_passed, phase
from gambol.gait.reflex import ReflexTriggers
from gambol.lanes import Scalar, clamp, declare_alike, is_short, where


@dataclass(frozen=True)
class GaitController:
    """A gait for any even number of legs, or for the legs that remain after losses.

    metabolism: time of one step [s]; cycle, delay: the shortest cycle, and the delay to the leg in front, both divided
    by metabolism. speed: initial factor, 1 is the tripod gait; speed_after: final factor; it changes linearly from
    ramp_start to ramp_end [s]. begins: when the oscillators start [s]. reflexes: triggers, one for each leg, or none.
    rest: initial rest angles of the driven joints' springs, by link name [rad]. others: other joints whose rest angles
    a motor may move; with these, a controller needs no legs. modifiers: modifiers such as steering, called in this
    order. stance_first: True if the stance programs run from the start of the simulation, False if each leg moves with
    its first step. Raises WorldError for invalid times, speeds and legs.
    """

    legs: tuple[Leg, ...]
    rest: Mapping[str, float]
    metabolism: float = 0.05
    speed: float = 1.0
    speed_after: float | None = None
    ramp_start: float = 0.0
    ramp_end: float = 1.0
    begins: float = 0.0
    reflexes: tuple[ReflexTriggers, ...] = ()
    cycle: float = 2.0
    delay: float = 1.0
    others: tuple[str, ...] = ()
    modifiers: tuple[GaitModifier, ...] = ()
    stance_first: bool = False
    joints: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        if not 0.0 < self.metabolism < math.inf:
            raise WorldError(f"the time of a step must be positive and finite, not {self.metabolism} s")
        if not (1.0 < self.cycle < math.inf and 0.0 <= self.delay < math.inf):
            raise WorldError(
                f"a cycle of {self.cycle} steps and a delay of {self.delay} are impossible: a step must end before "
                "its cycle"
            )
        for speed in (self.speed, self.end_speed):
            if not 1.0 <= speed < math.inf:
                raise WorldError(f"a speed factor of {speed} means steps faster than the tripod gait; give 1 or more")
        if not -math.inf < self.ramp_start < self.ramp_end < math.inf:
            raise WorldError(f"a change of speed cannot start at {self.ramp_start} s and end at {self.ramp_end} s")
        if not math.isfinite(self.begins):
            raise WorldError(f"a gait cannot begin at {self.begins} s")
        if self.reflexes and len(self.reflexes) != len(self.legs):
            raise WorldError(f"{len(self.legs)} legs need as many reflex triggers, not {len(self.reflexes)}")
        _check_legs(self.legs, self.others)
        driven = dict.fromkeys((*(joint for leg in self.legs for joint in leg.joints), *self.others))
        for joint in driven:
            if joint not in self.rest:
                hint = did_you_mean(joint, self.rest)
                raise WorldError(f'a motor moves "{joint}", whose rest angle is not given; {hint}')
        object.__setattr__(self, "joints", tuple(driven))

    @property
    def required_senses(self) -> tuple[str, ...]:
        """The senses of the step reflex, of the load-bearing reflex, and of the modifiers."""
        own = ("joint_angles", "spring_torques") if self.legs else ()
        return tuple(
            dict.fromkeys((*own, *(sense for modifier in self.modifiers for sense in modifier.required_senses)))
        )

    @property
    def signals(self) -> Mapping[str, JointSignal]:
        """The angle and the spring torque that the reflexes of each leg measure, and signals of the modifiers."""
        upper, support = (tuple(leg.reflex_joints[k] for leg in self.legs) for k in (0, 1))
        own = {"upper": JointSignal("joint_angles", upper), "load": JointSignal("spring_torques", support)}
        return {**own, **{name: signal for modifier in self.modifiers for name, signal in modifier.signals.items()}}

    @property
    def feet(self) -> tuple[str, ...]:
        """The feet whose contacts the modifiers read; the reflexes of the gait read joints."""
        return tuple(dict.fromkeys(foot for modifier in self.modifiers for foot in modifier.feet))

    @property
    def actuators(self) -> Mapping[str, Actuator]:
        """Empty: motor programs move the rest angles of springs."""
        return {}

    @property
    def gait(self) -> "GaitController":
        """The controller itself."""
        return self

    @property
    def end_speed(self) -> float:
        """The speed factor after the change, or the constant speed factor."""
        return self.speed if self.speed_after is None else self.speed_after

    @property
    def ranks(self) -> int:
        """The number of pairs of legs, including lost ones."""
        return 1 + max((leg.rank for leg in self.legs), default=0)

    def numbers(self) -> dict[str, Any]:
        """Return the numbers that may differ between worlds, as inputs of a program."""
        triggers = self.reflexes or tuple(ReflexTriggers() for _ in self.legs)
        return {
            "metabolism": self.metabolism,
            "cycle": self.cycle,
            "delay": self.delay,
            "speed": self.speed,
            "speed_after": self.end_speed,
            "ramp_start": self.ramp_start,
            "ramp_end": self.ramp_end,
            "begins": self.begins,
            "bent_back": [t.bent_back for t in triggers],
            "load": [t.load for t in triggers],
            "step": [[c.target for c in leg.step] for leg in self.legs],
            "stance": [[c.target for c in leg.stance] for leg in self.legs],
            **({"modifiers": [modifier.numbers() for modifier in self.modifiers]} if self.modifiers else {}),
        }

    def memory(self) -> GaitMemory:
        """Return the memory before the first control step: all legs are in stance."""
        count, rest = len(self.legs), [self.rest[joint] for joint in self.joints]
        start = gait_times(self.metabolism, self.speed, self.cycle, self.delay)
        peaks = [peaks_passed(phase(0.0, start, leg, self.ranks)) for leg in self.legs]
        state, clock, durations = (
            [STANCE] * count,
            [0.0 if self.stance_first else NOT_STARTED] * count,
            [start.stance] * count,
        )
        modifiers = [modifier.memory() for modifier in self.modifiers]
        return GaitMemory(0.0, peaks, state, clock, durations, rest, [0.0] * len(rest), list(rest), modifiers)

    def decide(self, numbers: Mapping[str, Any], memory: GaitMemory, senses: Senses, dt: Scalar) -> GaitMemory:
        """Return the memory after the decisions of a control step.

        numbers: in the structure of numbers(). memory: memory before. senses: observations now. dt: length of the
        control step [s].
        """
        self._declare_legs(memory, numbers)
        walking = senses.time >= numbers["begins"]
        times = gait_times(numbers["metabolism"], self._speed(numbers, senses.time), numbers["cycle"], numbers["delay"])
        times, modifying = self._modifying(
            numbers, ModifierInput({}, (), self.legs, self.joints, self.feet, memory, senses, times, walking, dt)
        )
        master, half_step = memory.master + where(walking, dt / times.cycle, 0.0), 0.5 * dt
        legs = LegDecisions(
            self.legs, self.ranks, numbers, senses, times, master, memory.master > 0.0, walking, half_step, modifying,
            *(list(x) for x in (memory.peaks, memory.state, memory.clock, memory.duration)), finished=[],
        )  # fmt: skip
        legs.end_steps()
        for i in range(len(self.legs)):
            legs.request_step(i, self._trigger(i))
            legs.begin_step(i)
        decided = replace(legs.remembered(memory), modifiers=[now.own for _, now in modifying])
        moved = begin_commands(self.legs, self.joints, numbers, decided, half_step, _target_change(modifying))
        for modifier, now in modifying:
            moved = modifier.moved(now, moved)
        moved = within_targets(moved, dt)
        return replace(moved, clock=[c + dt for c in moved.clock])

    def rest_angle(self, memory: GaitMemory, joint: str, elapsed: Scalar) -> tuple[Scalar, Scalar]:
        """Return a driven joint's rest angle [rad] and its rate [rad/s], at a time `elapsed` into a control step [s].

        The rate is constant within a control step: a change within it would reduce the order of an integrator.
        """
        k = self.joints.index(joint)
        return memory.rest[k] + memory.rate[k] * elapsed, memory.rate[k]

    def commands(self, memory: GaitMemory, actuator: str, elapsed: Scalar) -> Sequence[Scalar]:
        """Raise WorldError, because a gait has no actuators."""
        raise WorldError(f'a gait does not command the actuator "{actuator}"; it moves rest angles of springs')

    def advanced(self, memory: GaitMemory, dt: Scalar) -> GaitMemory:
        """Return the memory at the end of a control step of dt [s]; rest angles end exactly at their targets."""
        self._declare_legs(memory)
        return rest_angles_after(memory, dt)

    def stepping(self, memory: GaitMemory) -> list[Scalar]:
        """Return True for each leg that is in step."""
        return [state > STEP - 0.5 for state in memory.state]

    def structure(self) -> tuple[Any, ...]:
        """Return times of the legs' programs, directions of reflexes, joints in order, and modifiers."""
        legs = [
            (leg.side, leg.rank, leg.links, *map(_times, (leg.step, leg.stance)), *leg.reflex_joints)
            for leg in self.legs
        ]
        modifiers = [modifier.structure() for modifier in self.modifiers]
        return ("gait", legs, [trigger.direction for trigger in self.reflexes], self.joints, modifiers)

    def _declare_legs(self, memory: GaitMemory, numbers: Mapping[str, Any] | None = None) -> None:
        """Let short programs have loops over legs: declare their memory and numbers as alike."""
        if not is_short() or len({(len(leg.step), len(leg.stance), len(leg.joints)) for leg in self.legs}) > 1:
            return
        pieces: list[list[Scalar]] = []
        for i, leg in enumerate(self.legs):
            piece = [memory.peaks[i], memory.state[i], memory.clock[i], memory.duration[i]]
            for k in map(self.joints.index, leg.joints):
                piece += [memory.rest[k], memory.rate[k], memory.target[k]]
            if numbers is not None:
                piece += [numbers["bent_back"][i], numbers["load"][i], *numbers["step"][i], *numbers["stance"][i]]
            pieces.append(piece)
        declare_alike(pieces)

    def _speed(self, numbers: Mapping[str, Any], time: Scalar) -> Scalar:
        """Return the speed factor at a time [s]."""
        ramp = clamp((time - numbers["ramp_start"]) / (numbers["ramp_end"] - numbers["ramp_start"]), 0.0, 1.0)
        return numbers["speed"] + ramp * (numbers["speed_after"] - numbers["speed"])

    def _trigger(self, leg: int) -> ReflexTriggers:
        return self.reflexes[leg] if self.reflexes else ReflexTriggers()

    def _modifying(self, numbers: Mapping[str, Any], start: ModifierInput) -> tuple[GaitTimes, Modifying]:
        """Return the times of the gait, and the modifiers, each with its input in the control step that begins now.

        start: the input of modifiers at the start of the control step, without numbers and memory.
        """
        times, inputs = start.times, list[ModifierInput]()
        for k, modifier in enumerate(self.modifiers):
            before = replace(start, numbers=numbers["modifiers"][k], own=start.gait.modifiers[k], times=times)
            now = replace(before, own=modifier.remembered(before))
            times = modifier.times(now)
            inputs.append(now)
        return times, [
            (modifier, replace(now, times=times)) for modifier, now in zip(self.modifiers, inputs, strict=True)
        ]


def _target_change(modifying: Modifying) -> TargetChange | None:
    """Return the function by which modifiers change the targets of commands, or None without modifiers."""

    def changed(leg: int, program: str, command: int, goal: Scalar) -> Scalar:
        for modifier, now in modifying:
            goal = modifier.target(now, leg, program, command, goal)
        return goal

    return changed if modifying else None


def _times(program: Sequence[MotorCommand]) -> list[tuple[str, float, float]]:
    """Return the joint, the start and the duration of each command."""
    return [(command.joint, command.begins, command.lasts) for command in program]


def _check_legs(legs: Sequence[Leg], others: Sequence[str]) -> None:
    """Raise WorldError without legs and joints, for two legs of the same side and rank, and for a leg without links."""
    if not legs and not others:
        raise WorldError("a gait needs at least one leg, or another joint that a motor moves")
    names: dict[tuple[str, int], str] = {}
    for leg in legs:
        if not leg.links:
            raise WorldError(f'leg "{leg.name}" has no links; give those of its joints, from the body to the foot')
        other = names.setdefault((leg.side, leg.rank), leg.name)
        if other != leg.name:
            raise WorldError(f'legs "{other}" and "{leg.name}" are both number {leg.rank} on the {leg.side} side')

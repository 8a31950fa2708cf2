"""The gait controller: oscillators, reflexes and inhibition decide which legs step; motor programs move rest angles.

Each leg is in stance, in potential step, or in step. An oscillator or the step reflex turns stance into a potential
step. A potential step becomes a step unless a neighbour steps or the leg bears too much. A step ends after its
duration. [McKenna 1990, section 4.6] Decisions are made once per control step; between them rest angles move at
constant speed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gambol.actuation import Actuator
from gambol.control.controller import JointSignal, Senses
from gambol.errors import WorldError, did_you_mean
from gambol.gait.leg import Leg, MotorCommand, neighbours
from gambol.gait.oscillator import pace, peaks_passed, phase, triggered
from gambol.gait.reflex import ReflexTriggers, bears_too_much, steps_by_reflex
from gambol.lanes import Scalar, clamp, logical_not, maximum, where

STANCE = 0.0
"""The state of a leg that stands."""
POTENTIAL_STEP = 1.0
"""The state of a leg that is to step, and waits while a neighbour steps or it bears too much."""
STEP = 2.0
"""The state of a leg that steps."""

NOT_STARTED = 1e6
"""The clock of a leg whose motor programs have not started yet [s]: later than the start of every command."""


@dataclass(frozen=True, slots=True)
class GaitMemory:
    """The memory of the controller. Only rest angles change between control steps.

    master: phase of the master oscillator [cycles]. For each leg, peaks: number of peaks passed; state: STANCE,
    POTENTIAL_STEP or STEP; clock: time since its program began; duration: of the program [s]. For each driven joint,
    rest: rest angle [rad]; rate: of the rest angle [rad/s]; target: at which the rest angle stops [rad].
    """

    master: Scalar
    peaks: list[Scalar]
    state: list[Scalar]
    clock: list[Scalar]
    duration: list[Scalar]
    rest: list[Scalar]
    rate: list[Scalar]
    target: list[Scalar]


@dataclass(frozen=True)
class GaitController:
    """A gait for any even number of legs, or for those that remain after losses.

    metabolism: time of one step [s]; cycle, delay: the shortest cycle, and the delay to the leg in front, both divided
    by metabolism. speed: initial factor, 1 is the tripod gait; speed_after: final factor; it changes linearly from
    ramp_start to ramp_end [s]. begins: when the oscillators start [s]. reflexes: triggers, one for each leg, or none.
    rest: initial rest angles of the driven joints' springs, by link name [rad]. others: joints that no motor
    program moves, but whose rest angles a motor may move; with these, a controller needs no legs. Raises WorldError for
    invalid times, speeds and legs.
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
    joints: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        if not 0.0 < self.metabolism < math.inf:
            raise WorldError(f"the time of a step must be positive and finite, not {self.metabolism} s")
        if not (1.0 < self.cycle < math.inf and 0.0 <= self.delay < math.inf):
            raise WorldError(
                f"a cycle of {self.cycle} steps and a delay of {self.delay} cannot be; a step must end before its cycle"
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
        """The senses of the step reflex and of the load-bearing reflex."""
        return ("joint_angles", "spring_torques") if self.legs else ()

    @property
    def signals(self) -> Mapping[str, JointSignal]:
        """The signals of its reflexes: the angle of each leg's first joint, and the spring torque of its second."""
        upper, support = (tuple(leg.links[k] for leg in self.legs) for k in (0, 1))
        return {"upper": JointSignal("joint_angles", upper), "load": JointSignal("spring_torques", support)}

    @property
    def feet(self) -> tuple[str, ...]:
        """Empty: its reflexes read joints."""
        return ()

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
        """The speed factor after the change, or the only one."""
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
        }

    def memory(self) -> GaitMemory:
        """Return the memory before the first control step: all legs are in stance."""
        count, rest = len(self.legs), [self.rest[joint] for joint in self.joints]
        start = pace(self.metabolism, self.speed, self.cycle, self.delay)
        peaks = [peaks_passed(phase(0.0, start, leg, self.ranks)) for leg in self.legs]
        state, clock, durations = [STANCE] * count, [NOT_STARTED] * count, [start.stance] * count
        return GaitMemory(0.0, peaks, state, clock, durations, rest, [0.0] * len(rest), list(rest))

    def decide(self, numbers: Mapping[str, Any], memory: GaitMemory, senses: Senses, dt: Scalar) -> GaitMemory:
        """Return the memory after the decisions of a control step.

        numbers: as from numbers(). memory: before. senses: now. dt: length of the control step [s].
        """
        times = pace(numbers["metabolism"], self._speed(numbers, senses.time), numbers["cycle"], numbers["delay"])
        walking = senses.time >= numbers["begins"]
        master = memory.master + where(walking, dt / times.cycle, 0.0)
        half_step = 0.5 * dt
        state, peaks, clock, durations = (list(x) for x in (memory.state, memory.peaks, memory.clock, memory.duration))
        finished: list[Scalar] = []
        for i in range(len(self.legs)):
            done = (state[i] > 1.5) & (clock[i] >= durations[i] - half_step)
            finished.append(done)
            state[i], clock[i] = where(done, STANCE, state[i]), where(done, 0.0, clock[i])
            durations[i] = where(done, times.stance, durations[i])
        for i, leg in enumerate(self.legs):
            peak, peaks[i] = self._peak(memory, i, phase(master, times, leg, self.ranks))
            upper, support = senses.joint_angles[leg.links[0]], senses.spring_torques[leg.links[1]]
            reflex = steps_by_reflex(self._trigger(i), numbers["bent_back"][i], upper) & walking
            reflex = reflex & logical_not(finished[i])  # a leg that has just stepped gives way to waiting neighbours
            state[i] = where((state[i] < 0.5) & (peak | reflex), POTENTIAL_STEP, state[i])
            blocked = bears_too_much(numbers["load"][i], support)
            for j in neighbours(self.legs, leg):
                blocked = blocked | (state[j] > 1.5)
            steps = (state[i] > 0.5) & (state[i] < 1.5) & logical_not(blocked)
            state[i], clock[i] = where(steps, STEP, state[i]), where(steps, 0.0, clock[i])
            durations[i] = where(steps, times.step, durations[i])
        decided = replace(memory, master=master, peaks=peaks, state=state, clock=clock, duration=durations)
        rest, rate, target = self._start_commands(numbers, decided, half_step)
        rate = [
            where(_arrives(x, r, goal, dt), (goal - x) / dt, r) for x, r, goal in zip(rest, rate, target, strict=True)
        ]
        return replace(decided, clock=[c + dt for c in clock], rest=rest, rate=rate, target=target)

    def rest_angle(self, memory: GaitMemory, joint: str, elapsed: Scalar) -> tuple[Scalar, Scalar]:
        """Return a driven joint's rest angle [rad] and its rate [rad/s], at a time `elapsed` into a control step [s].

        The rate is constant within a control step: a change inside it would reduce the order of an integrator.
        """
        k = self.joints.index(joint)
        return memory.rest[k] + memory.rate[k] * elapsed, memory.rate[k]

    def commands(self, memory: GaitMemory, actuator: str, elapsed: Scalar) -> Sequence[Scalar]:
        """Raise WorldError: a gait has no actuators."""
        raise WorldError(f'a gait does not command the actuator "{actuator}"; it moves rest angles of springs')

    def advanced(self, memory: GaitMemory, dt: Scalar) -> GaitMemory:
        """Return the memory at the end of a control step of dt [s]; rest angles end exactly at their targets."""
        rest, rate = list(memory.rest), list(memory.rate)
        for k, goal in enumerate(memory.target):
            arrives = _arrives(rest[k], rate[k], goal, dt)
            rest[k], rate[k] = where(arrives, goal, rest[k] + rate[k] * dt), where(arrives, 0.0, rate[k])
        return replace(memory, rest=rest, rate=rate)

    def stepping(self, memory: GaitMemory) -> list[Scalar]:
        """Return True for each leg that is in step."""
        return [state > STEP - 0.5 for state in memory.state]

    def structure(self) -> tuple[Any, ...]:
        """Return the legs with the times of their programs, the directions of reflexes, and the joints in order."""
        legs = [(leg.side, leg.rank, leg.links, *map(_times, (leg.step, leg.stance))) for leg in self.legs]
        return ("gait", legs, [trigger.direction for trigger in self.reflexes], self.joints)

    def _speed(self, numbers: Mapping[str, Any], time: Scalar) -> Scalar:
        """Return the speed factor at a time [s]."""
        ramp = clamp((time - numbers["ramp_start"]) / (numbers["ramp_end"] - numbers["ramp_start"]), 0.0, 1.0)
        return numbers["speed"] + ramp * (numbers["speed_after"] - numbers["speed"])

    def _peak(self, memory: GaitMemory, leg: int, leg_phase: Scalar) -> tuple[Scalar, Scalar]:
        """Return True if a leg's phase has passed a peak, and the new count of peaks.

        Before the gait begins, peaks are counted without effect.
        """
        started = memory.master > 0.0
        peak, count = triggered(memory.peaks[leg], leg_phase)
        return peak & started, where(started, count, peaks_passed(leg_phase))

    def _trigger(self, leg: int) -> ReflexTriggers:
        return self.reflexes[leg] if self.reflexes else ReflexTriggers()

    def _start_commands(
        self, numbers: Mapping[str, Any], memory: GaitMemory, half_step: Scalar
    ) -> tuple[list[Scalar], list[Scalar], list[Scalar]]:
        """Return rest angles, rates and targets after the start of the commands that begin now."""
        rest, rate, target = list(memory.rest), list(memory.rate), list(memory.target)
        for i, leg in enumerate(self.legs):
            steps, duration = memory.state[i] > 1.5, memory.duration[i]
            for name, commands, active in (("step", leg.step, steps), ("stance", leg.stance, logical_not(steps))):
                for command, goal in zip(commands, numbers[name][i], strict=True):
                    k = self.joints.index(command.joint)
                    begins = active & _begins_now(command, memory.clock[i], duration, half_step)
                    target[k] = where(begins, goal, target[k])
                    rate[k] = where(
                        begins, (goal - rest[k]) / maximum(command.lasts * duration, 2.0 * half_step), rate[k]
                    )
        return rest, rate, target


def _times(program: Sequence[MotorCommand]) -> list[tuple[str, float, float]]:
    """Return the joint, the start and the duration of each command."""
    return [(command.joint, command.begins, command.lasts) for command in program]


def _begins_now(command: MotorCommand, clock: Scalar, duration: Scalar, half_step: Scalar) -> Scalar:
    """Return True if a command begins within half a control step of now."""
    elapsed = clock - command.begins * duration
    return (elapsed >= -half_step) & (elapsed < half_step)


def _arrives(rest: Scalar, rate: Scalar, target: Scalar, dt: Scalar) -> Scalar:
    """Return True if a rest angle reaches its target within a control step, up to rounding."""
    return abs(target - rest) <= abs(rate) * dt * (1.0 + 1e-6)


def _check_legs(legs: Sequence[Leg], others: Sequence[str]) -> None:
    """Raise WorldError without legs and joints, for two legs of the same side and rank, and for a leg of one link."""
    if not legs and not others:
        raise WorldError("a gait needs at least one leg, or another joint that a motor moves")
    names: dict[tuple[str, int], str] = {}
    for leg in legs:
        if len(leg.links) < 2:
            raise WorldError(
                f'leg "{leg.name}" has {len(leg.links)} links; its second joint is the one that bears load'
            )
        other = names.setdefault((leg.side, leg.rank), leg.name)
        if other != leg.name:
            raise WorldError(f'legs "{other}" and "{leg.name}" are both number {leg.rank} on the {leg.side} side')

"""The gait controller: oscillators, reflexes and inhibition decide which legs step; motor programs move rest angles.

Each leg is in stance, in potential step, or in step. An oscillator or the step reflex makes stance a potential step; it
becomes a step unless a neighbour steps or the leg bears too much; a step lasts its time. [McKenna 1990, section 4.6]
Decisions are made once per control step; between them rest angles move at constant speed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gambol.control.actuator import Actuator
from gambol.control.controller import Senses
from gambol.control.leg import Leg, MotorCommand, neighbours
from gambol.control.oscillator import pace, peaks_passed, phase, triggered
from gambol.control.reflex import ReflexTriggers, bears_too_much, steps_by_reflex
from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar, clamp, logical_not, maximum, where

STANCE, POTENTIAL_STEP, STEP = 0.0, 1.0, 2.0

NOT_STARTED = 1e6
"""The clock of a leg that no program has moved yet [s]: past the start of every command."""


@dataclass(frozen=True, slots=True)
class GaitMemory:
    """The memory of the controller. Rest angles move all the time, the rest changes at control steps only.

    master: phase [cycles]; peaks: counted for each leg; state: STANCE, POTENTIAL_STEP or STEP of each leg; clock,
    lasts: time since its program began, and the program's whole time [s]; rest, rate, target: of each driven joint
    [rad, rad/s, rad].
    """

    master: Scalar
    peaks: list[Scalar]
    state: list[Scalar]
    clock: list[Scalar]
    lasts: list[Scalar]
    rest: list[Scalar]
    rate: list[Scalar]
    target: list[Scalar]


@dataclass(frozen=True)
class GaitController:
    """A gait for any even number of legs, or for those that remain after losses.

    metabolism: time of one step [s]; cycle, delay: the shortest cycle, and the delay to the leg in front, in such
    times. speed: factor at the start, 1 is the tripod gait; speed_after: factor reached at ramp_end, from ramp_start on
    [s]. begins: when the oscillators start [s]. reflexes: triggers, one for each leg, or none. rest: initial rest
    angles of the driven joints' springs, by link name [rad]. others: joints that no leg's program moves, but whose rest
    angles a motor may move; with them, a controller needs no legs. Raises WorldError for invalid times, speeds and
    legs.
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
                cure = did_you_mean(joint, self.rest)
                raise WorldError(f'a motor moves "{joint}", whose rest angle is not given; {cure}')
        object.__setattr__(self, "joints", tuple(driven))

    @property
    def wants(self) -> tuple[str, ...]:
        """The senses of the step reflex and of the load-bearing reflex."""
        return ("upper", "support") if self.legs else ()

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
        """The number of pairs of legs, with lost ones."""
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
        """Return the memory before the first control step: all legs stand."""
        count, rest = len(self.legs), [self.rest[joint] for joint in self.joints]
        start = pace(self.metabolism, self.speed, self.cycle, self.delay)
        peaks = [peaks_passed(phase(0.0, start, leg, self.ranks)) for leg in self.legs]
        state, clock, lasts = [STANCE] * count, [NOT_STARTED] * count, [start.stance] * count
        return GaitMemory(0.0, peaks, state, clock, lasts, rest, [0.0] * len(rest), list(rest))

    def decide(self, numbers: Mapping[str, Any], memory: GaitMemory, senses: Senses, dt: Scalar) -> GaitMemory:
        """Return the memory after the decisions of a control step of dt [s]. numbers: as from numbers()."""
        times = pace(numbers["metabolism"], self._speed(numbers, senses.time), numbers["cycle"], numbers["delay"])
        walking = senses.time >= numbers["begins"]
        master = memory.master + where(walking, dt / times.cycle, 0.0)
        half_step = 0.5 * dt
        state, peaks, clock, lasts = (list(x) for x in (memory.state, memory.peaks, memory.clock, memory.lasts))
        finished: list[Scalar] = []
        for i in range(len(self.legs)):
            done = (state[i] > 1.5) & (clock[i] >= lasts[i] - half_step)
            finished.append(done)
            state[i], clock[i] = where(done, STANCE, state[i]), where(done, 0.0, clock[i])
            lasts[i] = where(done, times.stance, lasts[i])
        for i, leg in enumerate(self.legs):
            peak, peaks[i] = self._peak(memory, i, phase(master, times, leg, self.ranks))
            reflex = steps_by_reflex(self._trigger(i), numbers["bent_back"][i], senses.upper[i]) & walking
            reflex = reflex & logical_not(finished[i])  # a leg that has just stepped gives way to waiting neighbours
            state[i] = where((state[i] < 0.5) & (peak | reflex), POTENTIAL_STEP, state[i])
            blocked = bears_too_much(numbers["load"][i], senses.support[i])
            for j in neighbours(self.legs, leg):
                blocked = blocked | (state[j] > 1.5)
            steps = (state[i] > 0.5) & (state[i] < 1.5) & logical_not(blocked)
            state[i], clock[i] = where(steps, STEP, state[i]), where(steps, 0.0, clock[i])
            lasts[i] = where(steps, times.step, lasts[i])
        decided = replace(memory, master=master, peaks=peaks, state=state, clock=clock, lasts=lasts)
        rest, rate, target = self._commanded(numbers, decided, half_step)
        rate = [
            where(_arrives(x, r, goal, dt), (goal - x) / dt, r) for x, r, goal in zip(rest, rate, target, strict=True)
        ]
        return replace(decided, clock=[c + dt for c in clock], rest=rest, rate=rate, target=target)

    def rest_angle(self, memory: GaitMemory, joint: str, elapsed: Scalar) -> tuple[Scalar, Scalar]:
        """Return a driven joint's rest angle [rad] and its rate [rad/s], at a time `elapsed` into a control step [s].

        The rate is constant within a control step: a rate that changed inside would reduce the order of an integrator.
        """
        k = self.joints.index(joint)
        return memory.rest[k] + memory.rate[k] * elapsed, memory.rate[k]

    def advanced(self, memory: GaitMemory, dt: Scalar) -> GaitMemory:
        """Return the memory at the end of a control step of dt [s]; rest angles end exactly at their targets."""
        rest, rate = list(memory.rest), list(memory.rate)
        for k, goal in enumerate(memory.target):
            arrives = _arrives(rest[k], rate[k], goal, dt)
            rest[k], rate[k] = where(arrives, goal, rest[k] + rate[k] * dt), where(arrives, 0.0, rate[k])
        return replace(memory, rest=rest, rate=rate)

    def stepping(self, memory: GaitMemory) -> list[Scalar]:
        """Return for each leg True if it steps."""
        return [state > STEP - 0.5 for state in memory.state]

    def structure(self) -> tuple[Any, ...]:
        """Return legs with the times of their programs, directions of reflexes, and joints in their order."""
        legs = [(leg.side, leg.rank, leg.links, *map(_times, (leg.step, leg.stance))) for leg in self.legs]
        return ("gait", legs, [trigger.direction for trigger in self.reflexes], self.joints)

    def _speed(self, numbers: Mapping[str, Any], time: Scalar) -> Scalar:
        ramp = clamp((time - numbers["ramp_start"]) / (numbers["ramp_end"] - numbers["ramp_start"]), 0.0, 1.0)
        return numbers["speed"] + ramp * (numbers["speed_after"] - numbers["speed"])

    def _peak(self, memory: GaitMemory, leg: int, now: Scalar) -> tuple[Scalar, Scalar]:
        """Return True if a leg's phase passed a peak, and its count; before the first stride peaks are only counted."""
        started = memory.master > 0.0
        peak, count = triggered(memory.peaks[leg], now)
        return peak & started, where(started, count, peaks_passed(now))

    def _trigger(self, leg: int) -> ReflexTriggers:
        return self.reflexes[leg] if self.reflexes else ReflexTriggers()

    def _commanded(
        self, numbers: Mapping[str, Any], memory: GaitMemory, half_step: Scalar
    ) -> tuple[list[Scalar], list[Scalar], list[Scalar]]:
        """Return rest angles, rates and targets after the commands that begin now."""
        rest, rate, target = list(memory.rest), list(memory.rate), list(memory.target)
        for i, leg in enumerate(self.legs):
            steps, lasts = memory.state[i] > 1.5, memory.lasts[i]
            for name, commands, active in (("step", leg.step, steps), ("stance", leg.stance, logical_not(steps))):
                for command, goal in zip(commands, numbers[name][i], strict=True):
                    k = self.joints.index(command.joint)
                    now = active & _due(command, memory.clock[i], lasts, half_step)
                    target[k] = where(now, goal, target[k])
                    rate[k] = where(now, (goal - rest[k]) / maximum(command.lasts * lasts, 2.0 * half_step), rate[k])
        return rest, rate, target


def _times(program: Sequence[MotorCommand]) -> list[tuple[str, float, float]]:
    """Return for each command its joint, its begin and its duration."""
    return [(command.joint, command.begins, command.lasts) for command in program]


def _due(command: MotorCommand, clock: Scalar, lasts: Scalar, half_step: Scalar) -> Scalar:
    """Return True where a command begins within half a control step of now."""
    ahead = clock - command.begins * lasts
    return (ahead >= -half_step) & (ahead < half_step)


def _arrives(rest: Scalar, rate: Scalar, target: Scalar, dt: Scalar) -> Scalar:
    """Return True where a rest angle reaches its target within a control step, up to rounding."""
    return abs(target - rest) <= abs(rate) * dt * (1.0 + 1e-6)


def _check_legs(legs: Sequence[Leg], others: Sequence[str]) -> None:
    """Raise WorldError if there is no leg or joint, if two legs are in one place, or if a leg lacks a second joint."""
    if not legs and not others:
        raise WorldError("a gait needs at least one leg, or another joint that a motor moves")
    places: dict[tuple[str, int], str] = {}
    for leg in legs:
        if len(leg.links) < 2:
            raise WorldError(
                f'leg "{leg.name}" has {len(leg.links)} links; its second joint is the one that bears load'
            )
        other = places.setdefault((leg.side, leg.rank), leg.name)
        if other != leg.name:
            raise WorldError(f'legs "{other}" and "{leg.name}" are both number {leg.rank} on the {leg.side} side')

"""Decisions at the beginning of a control step: legs end a step, request a step, and begin a step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gambol.control.controller import Senses
from gambol.gait.gait_memory import NOT_STARTED, POTENTIAL_STEP, STANCE, STEP, GaitMemory
from gambol.gait.leg import Leg, neighbours
from gambol.gait.modifier import GaitModifier, ModifierInput
from gambol.gait.oscillator import GaitTimes, peaks_passed, phase, triggered
from gambol.gait.reflex import ReflexTriggers, bears_too_much, steps_by_reflex
from gambol.lanes import Scalar, logical_not, where

FIRST_CYCLES = 2.0
"""Cycles after the gait begins in which a load may hold a leg before its first step. Its oscillator requests this step
in the first of them."""

Modifying = Sequence[tuple[GaitModifier, ModifierInput]]
"""The modifiers of a gait, each with its input in this control step."""


@dataclass(slots=True)
class LegDecisions:
    """The legs of a gait while decisions are made about them.

    ranks: number of pairs of legs. numbers: numbers of the gait. senses: observations now. times: times of the gait.
    master: phase of the master oscillator now [cycles]; started: True if it was above 0 before. walking: True once the
    gait has begun. half_step: half a control step [s]. For each leg, peaks, state, clock and duration as in GaitMemory;
    finished: True if its step has just ended.
    """

    legs: tuple[Leg, ...]
    ranks: int
    numbers: Mapping[str, Any]
    senses: Senses
    times: GaitTimes
    master: Scalar
    started: Scalar
    walking: Scalar
    half_step: Scalar
    modifying: Modifying
    peaks: list[Scalar]
    state: list[Scalar]
    clock: list[Scalar]
    duration: list[Scalar]
    finished: list[Scalar]

    def end_steps(self) -> None:
        """Set legs to stand if their steps are over."""
        for i in range(len(self.legs)):
            done = (self.state[i] > 1.5) & (self.clock[i] >= self.duration[i] - self.half_step)
            for modifier, now in self.modifying:
                done = modifier.ends(now, i, done)
            self.finished.append(done)
            self.state[i], self.clock[i] = where(done, STANCE, self.state[i]), where(done, 0.0, self.clock[i])
            self.duration[i] = where(done, self.times.stance, self.duration[i])

    def request_step(self, i: int, trigger: ReflexTriggers) -> None:
        """Turn the stance of leg i into a potential step if its oscillator or its step reflex requests it."""
        leg = self.legs[i]
        leg_phase = phase(self.master, self.times, leg, self.ranks)
        for modifier, now in self.modifying:
            leg_phase = modifier.phase(now, i, leg_phase)
        peak, self.peaks[i] = self._peak(i, leg_phase)
        angle = self.senses.joint_angles[leg.reflex_joints[0]]
        reflex = steps_by_reflex(trigger, self.numbers["bent_back"][i], angle) & self.walking
        reflex = reflex & logical_not(self.finished[i])  # a leg that has just stepped gives way to waiting neighbours
        requested = peak | reflex
        for modifier, now in self.modifying:
            requested = modifier.requests(now, i, requested)
        self.state[i] = where((self.state[i] < 0.5) & requested, POTENTIAL_STEP, self.state[i])

    def begin_step(self, i: int) -> None:
        """Turn the potential step of leg i into a step unless it carries too much or a neighbour steps.

        A load holds a leg only until it has stood for a whole cycle, which is longer than its stance by one step. It
        delays the first step only in the FIRST_CYCLES. A trigger below 0 holds a leg for ever, such as a lamed one.
        """
        leg, unmoved = self.legs[i], self.clock[i] >= NOT_STARTED
        trigger = self.numbers["load"][i]
        may_hold = (self.clock[i] < self.times.cycle - self.half_step) | (unmoved & (self.master < FIRST_CYCLES))
        may_hold = may_hold | (trigger < 0.0)
        loaded = bears_too_much(trigger, self.senses.spring_torques[leg.reflex_joints[1]])
        blocked = loaded & may_hold
        for j in neighbours(self.legs, leg):
            blocked = blocked | (self.state[j] > 1.5)
        for modifier, now in self.modifying:
            blocked = modifier.blocks(now, i, self.state, blocked)
        steps = (self.state[i] > 0.5) & (self.state[i] < 1.5) & logical_not(blocked)
        self.state[i], self.clock[i] = where(steps, STEP, self.state[i]), where(steps, 0.0, self.clock[i])
        self.duration[i] = where(steps, self.times.step, self.duration[i])

    def remembered(self, memory: GaitMemory) -> GaitMemory:
        """Return a memory with these decisions."""
        return replace(
            memory, master=self.master, peaks=self.peaks, state=self.state, clock=self.clock, duration=self.duration
        )

    def _peak(self, leg: int, leg_phase: Scalar) -> tuple[Scalar, Scalar]:
        """Return True if a leg's phase has passed a peak, and the new count of peaks.

        Before the gait begins, peaks are counted without effect.
        """
        peak, count = triggered(self.peaks[leg], leg_phase)
        return peak & self.started, where(self.started, count, peaks_passed(leg_phase))

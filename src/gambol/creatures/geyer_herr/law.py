"""The control of the walker by reflexes alone. [Geyer and Herr 2010, section II]

A leg is in stance while its foot touches the ground, else in swing; the signal of contact arrives after a delay. With
y+ = max(0, y), y- = min(0, y), the load F of the leg, the lean P = kp (theta - theta_0) + kd theta', and `rear`, 1 for
the leg behind in double support, until the double support ends, s the tone of the hip, dS the start of the swing, and
phi the angle of the knee:

    stance  HAM  (s + P+) F, clamped to [0, 1]      HFL  (s - P-) F, clamped to [0, 1], + rear dS
            GLU  0.7 (HAM - rear dS)                VAS  rows of reflexes - rear F_other - k [phi - phi_0]+ if phi' > 0
    swing   HFL  rows of reflexes + k_lean (theta - theta_0) at take-off
    both    the rows of reflexes of stance and of swing

The excitations are bounded from 0.01 to 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gambol.control import DelayLine, Senses
from gambol.control.reflexes import Afferent, DelayedFeedback
from gambol.control.reflexes.muscle_feedback import afferents_of, delay_lines, excitations
from gambol.creatures.geyer_herr.figure import SIDES
from gambol.creatures.geyer_herr.muscles import MUSCLES, muscle_name
from gambol.creatures.geyer_herr.reflexes import (
    HIP_DELAY,
    KNEE_DELAY,
    MAX_EXCITATION,
    MIN_EXCITATION,
    STANCE,
    SWING,
    source_numbers,
    stance_reflexes,
    swing_reflexes,
    tuned_numbers,
)
from gambol.lanes import Scalar, clamp, exp, maximum, minimum, where


@dataclass(frozen=True, slots=True)
class LegMemory:
    """The memory of a leg's reflexes.

    signals: samples of each afferent. stance, load, knee: samples of the contact of the foot (1 or 0), of its load, and
    of the angle of an overextended knee [rad]. filtered: load after the filter. stood: stance signal that arrived in
    the previous control step. rear: 1 in double support if the other leg has landed last, else 0. takeoff_lean: lean of
    the trunk beyond its reference at the last take-off [rad].
    """

    signals: list[list[Scalar]]
    stance: list[Scalar]
    load: list[Scalar]
    knee: list[Scalar]
    filtered: Scalar
    stood: Scalar
    rear: Scalar
    takeoff_lean: Scalar


@dataclass(frozen=True, slots=True)
class WalkerMemory:
    """The memory of the law.

    legs: memories of the legs, in the order of SIDES. lean, lean_rate: samples of the lean and its rate [rad, rad/s].
    """

    legs: list[LegMemory]
    lean: list[Scalar]
    lean_rate: list[Scalar]


@dataclass(frozen=True, slots=True)
class DelayedSignals:
    """The signals that arrive from a leg in a control step.

    signals: signals of muscles, by afferent. Other fields: as for LegMemory.
    """

    signals: Mapping[Afferent, Scalar]
    stance: Scalar
    load: Scalar
    knee: Scalar
    rear: Scalar


@dataclass(frozen=True)
class ReflexWalkerLaw:
    """The law of the walker.

    control_step: control step of the world [s]. knees: indices of the knees in q, and in v. tuned: True for numbers for
    rigid ground, False for the numbers of the source.
    """

    control_step: float
    knees: tuple[tuple[int, int], ...]
    tuned: bool = True

    @property
    def required_senses(self) -> tuple[str, ...]:
        """Names of the senses that the law reads, besides time."""
        return ("q", "v", "contacts", "loads", "actuator_outputs")

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of the law, and the gains of the reflexes in their rows, equal for both legs."""
        return tuned_numbers() if self.tuned else source_numbers()

    def structure(self) -> tuple[Any, ...]:
        """Return the control step, and the indices of the knees."""
        return (self.control_step, self.knees)

    def memory(self) -> WalkerMemory:
        """Return the memory before the first control step."""
        signals = [[line.memory() for line in self._lines(side)] for side in SIDES]
        knee, hip = self._knee_line.memory, self._hip_line.memory
        legs = [LegMemory(samples, knee(), hip(), knee(), 0.0, 0.0, 0.0, 0.0) for samples in signals]
        return WalkerMemory(legs, self._hip_line.memory(), self._hip_line.memory())

    def commands(
        self, numbers: Mapping[str, Any], memory: WalkerMemory, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], WalkerMemory]:
        """Return the excitations of all muscles, and the new memory."""
        first = senses.time <= 0.0
        lean = self._hip_line.pushed(memory.lean, -senses.q[0], dt, first)
        lean_rate = self._hip_line.pushed(memory.lean_rate, -senses.v[0], dt, first)
        excess = self._hip_line.read(lean, HIP_DELAY) - numbers["lean"]
        balance = numbers["lean_gain"] * excess + numbers["lean_rate_gain"] * self._hip_line.read(lean_rate, HIP_DELAY)
        legs = [self._sampled(k, numbers, leg, senses, dt) for k, leg in enumerate(memory.legs)]
        arrived = self._delayed_signals(legs)
        commands: list[Scalar] = []
        after: list[LegMemory] = []
        for k, (side, leg) in enumerate(zip(SIDES, legs, strict=True)):
            here, there = arrived[k], arrived[1 - k]
            stands = here.stance > 0.5
            takeoff_lean = where(stands, excess, leg.takeoff_lean)
            stance = _stance(side, numbers, here, there.load, balance)
            swing = _swing(side, numbers, here, takeoff_lean)
            commands += [clamp(where(stands, stance[m], swing[m]), MIN_EXCITATION, MAX_EXCITATION) for m in stance]
            after.append(
                LegMemory(
                    leg.signals, leg.stance, leg.load, leg.knee, leg.filtered, here.stance, here.rear, takeoff_lean
                )
            )
        return commands, WalkerMemory(after, lean, lean_rate)

    @property
    def _knee_line(self) -> DelayLine:
        return DelayLine(KNEE_DELAY, self.control_step)

    @property
    def _hip_line(self) -> DelayLine:
        return DelayLine(HIP_DELAY, self.control_step)

    def _afferents(self, side: str) -> tuple[Afferent, ...]:
        return afferents_of((*stance_reflexes(side), *swing_reflexes(side)))

    def _lines(self, side: str) -> list[DelayLine]:
        return delay_lines(self._afferents(side), self.control_step)

    def _sampled(self, k: int, numbers: Mapping[str, Any], leg: LegMemory, senses: Senses, dt: Scalar) -> LegMemory:
        """Return the memory of leg k with its present signals."""
        first, afferents = senses.time <= 0.0, self._afferents(SIDES[k])
        signals = [
            line.pushed(samples, afferent.signal.value(senses, (), ()), dt, first)
            for line, samples, afferent in zip(self._lines(SIDES[k]), leg.signals, afferents, strict=True)
        ]
        load = numbers["bone_load"] * senses.loads[k]
        filtered = leg.filtered + (1.0 - exp(-dt / numbers["load_time"])) * (load - leg.filtered)
        q, v = (x[i] for x, i in zip((senses.q, senses.v), self.knees[k], strict=True))
        knee = where(v > 0.0, maximum(q - numbers["knee_angle"], 0.0), 0.0)
        return LegMemory(
            signals,
            self._knee_line.pushed(leg.stance, senses.contacts[k], dt, first),
            self._hip_line.pushed(leg.load, filtered, dt, first),
            self._knee_line.pushed(leg.knee, knee, dt, first),
            filtered,
            leg.stood,
            leg.rear,
            leg.takeoff_lean,
        )

    def _delayed_signals(self, legs: Sequence[LegMemory]) -> list[DelayedSignals]:
        """Return the delayed signals of each leg. legs: legs with their present signals."""
        stances = [self._knee_line.read(leg.stance, KNEE_DELAY) for leg in legs]
        both = (stances[0] > 0.5) & (stances[1] > 0.5)
        result: list[DelayedSignals] = []
        for k, (side, leg) in enumerate(zip(SIDES, legs, strict=True)):
            other_landed = (stances[1 - k] > 0.5) & (legs[1 - k].stood < 0.5)
            rear = where(both, where(other_landed, 1.0, leg.rear), 0.0)
            afferents = self._afferents(side)
            lines = self._lines(side)
            signals = {a: line.read(s, a.delay) for a, line, s in zip(afferents, lines, leg.signals, strict=True)}
            load, knee = self._hip_line.read(leg.load, HIP_DELAY), self._knee_line.read(leg.knee, KNEE_DELAY)
            result.append(DelayedSignals(signals, stances[k], load, knee, rear))
        return result


def _stance(
    side: str, numbers: Mapping[str, Any], here: DelayedSignals, other_load: Scalar, balance: Scalar
) -> dict[str, Scalar]:
    """Return the excitations of a standing leg, unbounded. other_load: load of the other leg; balance: P."""
    result = _rows(side, stance_reflexes(side), numbers["stance"], here, STANCE)
    ham, glu, hfl, vas = (muscle_name(side, name) for name in ("HAM", "GLU", "HFL", "VAS"))
    tone, start = numbers["hip_tone"], here.rear * numbers["swing_start"]
    result[ham] = clamp((tone + maximum(balance, 0.0)) * here.load, 0.0, 1.0)
    result[glu] = numbers["glu_share"] * (result[ham] - start)
    result[hfl] = clamp((tone - minimum(balance, 0.0)) * here.load, 0.0, 1.0) + start
    result[vas] = result[vas] - here.rear * other_load - numbers["knee_gain"] * here.knee
    return result


def _swing(side: str, numbers: Mapping[str, Any], here: DelayedSignals, takeoff_lean: Scalar) -> dict[str, Scalar]:
    """Return the excitations of a swinging leg, unbounded. takeoff_lean: as in LegMemory."""
    result = _rows(side, swing_reflexes(side), numbers["swing"], here, SWING)
    hfl = muscle_name(side, "HFL")
    result[hfl] = result[hfl] + numbers["takeoff_lean_gain"] * takeoff_lean
    return result


def _rows(
    side: str,
    table: Sequence[DelayedFeedback],
    gains: Sequence[Scalar],
    here: DelayedSignals,
    tone: Mapping[str, float],
) -> dict[str, Scalar]:
    """Return the excitations by the rows of reflexes, and by prestimulation, of all muscles of a leg."""
    base: dict[str, Scalar] = {muscle_name(side, name): tone[name] for name in MUSCLES}
    return excitations(table, gains, here.signals, base)

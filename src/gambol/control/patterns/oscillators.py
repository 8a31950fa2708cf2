"""Coupled oscillators whose phases react to the feet, like reflexes. [Kuramoto 1984; McKenna 1990, section 4.6]

    theta_i = f t + p_i + d_i                    s_i = r(t) (o_i + a_i sin(2 pi theta_i))
    d_i' = n_i - g_i L_i cos(2 pi theta_i) + K / (2 pi N) sum_j sin(2 pi (d_j - d_i))
    d_i += z_i (l_i - theta_i, in [-1/2, 1/2])                       at the landing of its foot

The coupling K pulls all oscillators to the phases p, where d = 0. The detuning n is the frequency of an oscillator less
the common frequency. The load L on a foot slows its oscillators down or speeds them up [Owaki 2013], a smooth
load-bearing reflex; the landing of the foot moves them towards the landing phase l, as the step reflex does. Two
oscillators lock at a phase difference of 2 pi (d_1 - d_2) = arcsin(2 pi (n_1 - n_2) / K).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from gambol.control.gene import Gene
from gambol.control.patterns.pattern import (
    NO_FOOT,
    TWO_PI,
    GeneticPattern,
    PatternShape,
    amplitude_scale,
    clipped,
    soft_start,
    wrapped,
)
from gambol.control.patterns.sensing import reading
from gambol.lanes import Scalar, cos, elementwise, floor, sin, total, where

if TYPE_CHECKING:
    from gambol.control.controller import Senses

MAX_COUPLING = 20.0
"""Maximum rate at which phases are pulled together [1/s]: a third of the difference in a control step at 60 Hz."""


@dataclass(frozen=True)
class Oscillator:
    """One actuator's oscillator.

    offset, amplitude: offset and amplitude of its signal; phase: its phase in the gait [cycles]; detuning: its
    frequency less the common frequency [Hz]; held: rate by which a foot with the full weight of the figure slows it
    down [Hz]; landing: phase towards which the landing of its foot moves it [cycles]; reset: fraction of the difference
    to that phase by which a landing moves it.
    """

    offset: float
    amplitude: float
    phase: float
    detuning: float = 0.0
    held: float = 0.0
    landing: float = 0.0
    reset: float = 0.0


def coupling_rates(leads: Sequence[Scalar], coupling: Scalar) -> list[Scalar]:
    """Return the rates by which coupled oscillators pull each other's leads together [cycles/s].

    leads: phases d of the oscillators ahead of their phases in the gait [cycles]. coupling: K [1/s].
    """
    directions = _directions(leads)
    mean = [total(direction[k] for direction in directions) / len(leads) for k in (0, 1)]
    return [coupling / TWO_PI * (mean[0] * c - mean[1] * s) for s, c in directions]


def _directions(leads: Sequence[Scalar]) -> list[tuple[Scalar, Scalar]]:
    """Return sine and cosine of each lead [cycles]."""
    return [(sin(TWO_PI * d), cos(TWO_PI * d)) for d in leads]


@dataclass(frozen=True, slots=True)
class OscillatorMemory:
    """The memory of oscillators.

    lead: phase d of each ahead of its phase in the gait [cycles]. in_contact: 1 for each foot in contact, else 0.
    """

    lead: list[Scalar]
    in_contact: list[Scalar]


@dataclass(frozen=True)
class Oscillators(GeneticPattern):
    """Oscillators, one for each actuator. frequency: common frequency [Hz]. coupling: strength K of the coupling [1/s].

    Raises WorldError for another number of oscillators.
    """

    kind = "oscillators"
    frequency: float
    coupling: float
    oscillators: tuple[Oscillator, ...]

    def __post_init__(self) -> None:
        self.check()

    @property
    def required_senses(self) -> tuple[str, ...]:
        """Contacts and loads, if an actuator moves a foot."""
        return ("contacts", "loads") if set(self.shape.foot_of) - {NO_FOOT} else ()

    @classmethod
    def genes_of(cls, shape: PatternShape) -> tuple[Gene, ...]:
        """Return the genes: common frequency, coupling, and the numbers of each oscillator."""
        genes = [Gene("frequency", shape.slowest, shape.fastest, "Hz"), Gene("coupling", 0.0, MAX_COUPLING, "1/s")]
        for i in range(shape.actuators):
            genes.append(Gene(f"actuator {i} offset", -0.5, 0.5))
            genes.append(Gene(f"actuator {i} amplitude", 0.0, 1.0))
            genes.append(Gene(f"actuator {i} phase", 0.0, 1.0, "cycle", cyclic=True))
            genes.append(Gene(f"actuator {i} detuning", -0.5, 0.5, "Hz", sigma=0.02))
            genes.append(Gene(f"actuator {i} held by load", -2.0, 2.0, "Hz"))
            genes.append(Gene(f"actuator {i} landing phase", 0.0, 1.0, "cycle", cyclic=True))
            genes.append(Gene(f"actuator {i} reset", 0.0, 1.0))
        return tuple(genes)

    @classmethod
    def read(cls, shape: PatternShape, values: Iterator[float]) -> Self:
        """Return the pattern of a shape with the next values: frequency, coupling, then each oscillator."""
        frequency, coupling = next(values), next(values)
        oscillators = [Oscillator(*(next(values) for _ in range(7))) for _ in range(shape.actuators)]
        return cls(shape, frequency, coupling, tuple(oscillators))

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of each oscillator, sine and cosine of its phase, and its signal scaled to [-1, 1]."""
        oscillators = self.oscillators
        scales = [amplitude_scale(oscillator.offset, [oscillator.amplitude]) for oscillator in oscillators]
        return {
            "frequency": self.frequency,
            "coupling": self.coupling,
            "offset": [scale * oscillator.offset for scale, oscillator in zip(scales, oscillators, strict=True)],
            "amplitude": [scale * oscillator.amplitude for scale, oscillator in zip(scales, oscillators, strict=True)],
            "phase": [oscillator.phase for oscillator in oscillators],
            "sine": [elementwise(math.sin, TWO_PI * oscillator.phase) for oscillator in oscillators],
            "cosine": [elementwise(math.cos, TWO_PI * oscillator.phase) for oscillator in oscillators],
            "detuning": [oscillator.detuning for oscillator in oscillators],
            "held": [oscillator.held for oscillator in oscillators],
            "landing": [oscillator.landing for oscillator in oscillators],
            "reset": [oscillator.reset for oscillator in oscillators],
        }

    def memory(self) -> OscillatorMemory:
        """Return zero leads; no foot is in contact yet."""
        return OscillatorMemory([0.0] * self.shape.actuators, [0.0] * self.shape.feet)

    def signals(
        self, numbers: Mapping[str, Any], memory: OscillatorMemory, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], OscillatorMemory]:
        """Return the sines of the phases, and the leads at the end of the control step."""
        cycles = numbers["frequency"] * time
        x = TWO_PI * (cycles - floor(cycles))
        sine, cosine = sin(x), cos(x)
        rise = soft_start(cycles, cosine)
        directions = _directions(memory.lead)
        rates = coupling_rates(memory.lead, numbers["coupling"])
        signals: list[Scalar] = []
        new_lead: list[Scalar] = []
        for i, (s, c) in enumerate(directions):
            s_phase, c_phase = numbers["sine"][i], numbers["cosine"][i]
            s_gait, c_gait = sine * c_phase + cosine * s_phase, cosine * c_phase - sine * s_phase
            s_theta, c_theta = s_gait * c + c_gait * s, c_gait * c - s_gait * s
            signals.append(clipped(rise * (numbers["offset"][i] + numbers["amplitude"][i] * s_theta)))
            new_lead.append(memory.lead[i] + dt * (numbers["detuning"][i] + rates[i]))
            new_lead[i] = self._after_reflexes(i, numbers, memory, senses, (new_lead[i], cycles, c_theta, dt))
        in_contact = reading(self.shape, senses, "contacts") if self.required_senses else memory.in_contact
        return signals, OscillatorMemory([d - floor(d + 0.5) for d in new_lead], in_contact)

    def _after_reflexes(
        self, i: int, numbers: Mapping[str, Any], memory: OscillatorMemory, senses: Senses, current: tuple[Scalar, ...]
    ) -> Scalar:
        """Return the lead of an oscillator after the reflexes to the load and the landing of its foot.

        i: index of the oscillator. current: its lead, the cycles of the gait, the cosine of its phase, and the control
        step [s].
        """
        foot = self.shape.foot(i)
        d, cycles, cosine, dt = current
        if foot == NO_FOOT:
            return d
        contact, load = (reading(self.shape, senses, sense)[foot] for sense in ("contacts", "loads"))
        d = d - dt * numbers["held"][i] * load * cosine
        lands = (contact > 0.5) & (memory.in_contact[foot] < 0.5)
        remaining = numbers["landing"][i] - (cycles + numbers["phase"][i] + d)
        return where(lands, d + numbers["reset"][i] * (remaining - floor(remaining + 0.5)), d)

    def with_twins(self, sources: Sequence[int], shifts: Sequence[float], shape: PatternShape) -> Self:
        """Return the pattern of a larger shape, with twins of these oscillators.

        sources: index of the oscillator that oscillator i copies. shifts: phase of oscillator i ahead of the copied one
        [cycles]. shape: the larger shape.
        """
        oscillators = [self.oscillators[j] for j in sources]
        shifted = [
            replace(oscillator, phase=wrapped(oscillator.phase + shift))
            for oscillator, shift in zip(oscillators, shifts, strict=True)
        ]
        return type(self)(shape, self.frequency, self.coupling, tuple(shifted))

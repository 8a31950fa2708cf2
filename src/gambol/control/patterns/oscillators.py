"""Coupled oscillators whose phases reflexes move: a gait that waits for its feet. [Kuramoto 1984; McKenna 1990, 4.6]

    theta_i = f t + p_i + d_i                    s_i = r(t) (o_i + a_i sin(2 pi theta_i))
    d_i' = n_i - g_i L_i cos(2 pi theta_i) + K / (2 pi N) sum_j sin(2 pi (d_j - d_i))
    d_i += z_i (l_i - theta_i, the shorter way round)                  at the landing of its foot

All lean on each other to keep the lags p, for which d = 0; n is how far an oscillator's own frequency lies from the
common one. The load L on a foot holds its oscillators back or drives them on [Owaki 2013], which is the
load-bearing reflex made smooth; its landing sets them to the phase of landing, as the step reflex does. Two
oscillators lock, apart by 2 pi (d_1 - d_2) = arcsin(2 pi (n_1 - n_2) / K).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from gambol.control.gene import Gene
from gambol.control.patterns.pattern import NO_FOOT, TURN, Bred, Shape, limited, started, within_one
from gambol.control.patterns.sensing import told
from gambol.lanes import Scalar, cos, each, floor, sin, total, where

if TYPE_CHECKING:
    from gambol.control.controller import Senses

FASTEST_COUPLING = 20.0
"""How fast phases are pulled together at most [1/s]: at 60 frames/s a frame then takes a third of the way."""


@dataclass(frozen=True)
class Oscillator:
    """One actuator's oscillator.

    offset, amplitude: of its signal; phase: its lag in the gait [cycles]; detuning: its own frequency less the common
    one [Hz]; held: by a foot that bears the whole weight [Hz]; landing: its phase at the landing of its foot [cycles];
    reset: the part of the way that a landing moves it there.
    """

    offset: float
    amplitude: float
    phase: float
    detuning: float = 0.0
    held: float = 0.0
    landing: float = 0.0
    reset: float = 0.0


@dataclass(frozen=True, slots=True)
class Phases:
    """What oscillators remember: how far each is ahead of the gait [cycles], and whether each foot touched, 0 or 1."""

    ahead: list[Scalar]
    touched: list[Scalar]


@dataclass(frozen=True)
class Oscillators(Bred):
    """Oscillators of one common frequency [Hz], coupled with a strength [1/s].

    Raises WorldError where there are more or fewer than actuators.
    """

    kind = "oscillators"
    frequency: float
    coupling: float
    oscillators: tuple[Oscillator, ...]

    def __post_init__(self) -> None:
        self.check()

    @property
    def wants(self) -> tuple[str, ...]:
        """Contacts and loads, where an actuator moves a foot."""
        return ("contacts", "loads") if set(self.shape.foot_of) - {NO_FOOT} else ()

    @classmethod
    def genes_of(cls, shape: Shape) -> tuple[Gene, ...]:
        """The common frequency, the coupling, and what each oscillator is."""
        genes = [Gene("frequency", shape.slowest, shape.fastest, "Hz"), Gene("coupling", 0.0, FASTEST_COUPLING, "1/s")]
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
    def read(cls, shape: Shape, values: Iterator[float]) -> Self:
        """The frequency, the coupling and the oscillators that follow each other."""
        frequency, coupling = next(values), next(values)
        oscillators = [Oscillator(*(next(values) for _ in range(7))) for _ in range(shape.actuators)]
        return cls(shape, frequency, coupling, tuple(oscillators))

    def numbers(self) -> dict[str, Any]:
        """What each oscillator is; its lag as a sine and cosine too, and its signal scaled to stay in [-1, 1]."""
        several = self.oscillators
        scales = [within_one(one.offset, [one.amplitude]) for one in several]
        return {
            "frequency": self.frequency,
            "coupling": self.coupling,
            "offset": [scale * one.offset for scale, one in zip(scales, several, strict=True)],
            "amplitude": [scale * one.amplitude for scale, one in zip(scales, several, strict=True)],
            "phase": [one.phase for one in several],
            "sine": [each(math.sin, TURN * one.phase) for one in several],
            "cosine": [each(math.cos, TURN * one.phase) for one in several],
            "detuning": [one.detuning for one in several],
            "held": [one.held for one in several],
            "landing": [one.landing for one in several],
            "reset": [one.reset for one in several],
        }

    def memory(self) -> Phases:
        """All in step with the gait; no foot touches yet."""
        return Phases([0.0] * self.shape.actuators, [0.0] * self.shape.feet)

    def signals(
        self, numbers: Mapping[str, Any], memory: Phases, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], Phases]:
        """The sines of the phases, and the phases a frame later."""
        cycles = numbers["frequency"] * time
        x = TURN * (cycles - floor(cycles))
        sine, cosine = sin(x), cos(x)
        rise = started(cycles, cosine)
        ahead = [(sin(TURN * d), cos(TURN * d)) for d in memory.ahead]
        mean = [total(part[k] for part in ahead) / self.shape.actuators for k in (0, 1)]
        signals: list[Scalar] = []
        moved: list[Scalar] = []
        for i, (s, c) in enumerate(ahead):
            s_lag, c_lag = numbers["sine"][i], numbers["cosine"][i]
            s_gait, c_gait = sine * c_lag + cosine * s_lag, cosine * c_lag - sine * s_lag
            s_theta, c_theta = s_gait * c + c_gait * s, c_gait * c - s_gait * s
            signals.append(limited(rise * (numbers["offset"][i] + numbers["amplitude"][i] * s_theta)))
            pulled = numbers["coupling"] / TURN * (mean[0] * c - mean[1] * s)
            moved.append(memory.ahead[i] + dt * (numbers["detuning"][i] + pulled))
            moved[i] = self._felt(i, numbers, memory, senses, (moved[i], cycles, c_theta, dt))
        touched = told(self.shape, senses, "contacts") if self.wants else memory.touched
        return signals, Phases([d - floor(d + 0.5) for d in moved], touched)

    def _felt(
        self, i: int, numbers: Mapping[str, Any], memory: Phases, senses: Senses, now: tuple[Scalar, ...]
    ) -> Scalar:
        """How far an oscillator is ahead after its foot's load has held it, and its landing has set it."""
        foot = self.shape.foot(i)
        d, cycles, cosine, dt = now
        if foot == NO_FOOT:
            return d
        contact, load = (told(self.shape, senses, sense)[foot] for sense in ("contacts", "loads"))
        d = d - dt * numbers["held"][i] * load * cosine
        lands = (contact > 0.5) & (memory.touched[foot] < 0.5)
        short = numbers["landing"][i] - (cycles + numbers["phase"][i] + d)
        return where(lands, d + numbers["reset"][i] * (short - floor(short + 0.5)), d)

    def with_twins(self, sources: Sequence[int], shifts: Sequence[float], shape: Shape) -> Self:
        """The oscillators of a larger shape: number i is as sources[i] is, shifts[i] cycles ahead."""
        several = [self.oscillators[j] for j in sources]
        moved = [replace(one, phase=(one.phase + x) % 1.0) for one, x in zip(several, shifts, strict=True)]
        return type(self)(shape, self.frequency, self.coupling, tuple(moved))

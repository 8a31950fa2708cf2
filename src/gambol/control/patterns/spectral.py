"""Spectral synthesis: every signal is a small sum of sinusoids of one fundamental. [Arnold 1997, chapter 3]

    s_i(t) = r(t) (o_i + sum_k a_ik sin(2 pi (k f t + p_ik)))          k = 1 .. K

    |ds_i| <= 2 (|do_i| + sum_k |da_ik| + 2 pi sum_k a_ik |dp_ik|)     for small changes of the genes

Signals are scaled if |o| + sum a > 1, so that they stay in [-1, 1]; r rises from 0 to 1 over the first half cycle. Only
the sine and cosine of the fundamental are evaluated: sin k x and cos k x follow by Chebyshev's recurrence. There is no
memory: the signals depend on the time alone, and are as exact after a long run as at its start.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from gambol.control.gene import Gene
from gambol.control.patterns.pattern import (
    TWO_PI,
    GeneticPattern,
    PatternShape,
    amplitude_scale,
    clipped,
    soft_start,
    take,
    wrapped,
)
from gambol.lanes import Scalar, cos, elementwise, floor, sin

if TYPE_CHECKING:
    from gambol.control.controller import Senses

HARMONICS = 3
"""Default number of harmonics: two for the lift and swing of a stride, and one for quick changes."""


@dataclass(frozen=True)
class Wave:
    """One actuator's signal: its offset, and amplitude and phase [cycles] of each harmonic."""

    offset: float
    amplitudes: tuple[float, ...]
    phases: tuple[float, ...]


@dataclass(frozen=True)
class Spectral(GeneticPattern):
    """Sums of sinusoids of one fundamental [Hz], a wave for each actuator.

    Raises WorldError for waves that do not fit its shape.
    """

    kind = "spectral"
    frequency: float
    waves: tuple[Wave, ...]

    def __post_init__(self) -> None:
        count = harmonics(self.shape)
        self.check(all(len(wave.amplitudes) == count == len(wave.phases) for wave in self.waves))

    @classmethod
    def genes_of(cls, shape: PatternShape) -> tuple[Gene, ...]:
        """Return the fundamental's frequency, then offset, amplitudes and phases of each actuator's wave."""
        genes = [Gene("frequency", shape.slowest, shape.fastest, "Hz")]
        for i in range(shape.actuators):
            genes += wave_genes(i, harmonics(shape))
        return tuple(genes)

    @classmethod
    def read(cls, shape: PatternShape, values: Iterator[float]) -> Self:
        """Return the pattern of a shape with the next values: the frequency, then one wave after the other."""
        frequency, count = next(values), harmonics(shape)
        waves = [Wave(next(values), take(values, count), take(values, count)) for _ in range(shape.actuators)]
        return cls(shape, frequency, tuple(waves))

    def numbers(self) -> dict[str, Any]:
        """Return the frequency, and the coefficients of each wave's sines and cosines, scaled to stay in [-1, 1]."""
        scales = [amplitude_scale(wave.offset, wave.amplitudes) for wave in self.waves]
        pairs = list(zip(scales, self.waves, strict=True))
        return {
            "frequency": self.frequency,
            "offset": [scale * wave.offset for scale, wave in pairs],
            "sine": [_coefficients(scale, wave, math.cos) for scale, wave in pairs],
            "cosine": [_coefficients(scale, wave, math.sin) for scale, wave in pairs],
        }

    def signals(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], Any]:
        """Return the sums of the harmonics."""
        cycles = numbers["frequency"] * time
        x = TWO_PI * (cycles - floor(cycles))
        sines, cosines = multiples(sin(x), cos(x), harmonics(self.shape))
        rise = soft_start(cycles, cosines[0])
        rows = zip(numbers["offset"], numbers["sine"], numbers["cosine"], strict=True)
        return [clipped(rise * _signal(*row, sines, cosines)) for row in rows], memory

    def with_twins(self, sources: Sequence[int], shifts: Sequence[float], shape: PatternShape) -> Self:
        """Return the pattern of a larger shape, with twins of these waves.

        sources: index of the wave that wave i copies. shifts: phase of wave i ahead of that wave [cycles]. shape: the
        larger shape.
        """
        waves = [_shifted(self.waves[j], shift) for j, shift in zip(sources, shifts, strict=True)]
        return type(self)(shape, self.frequency, tuple(waves))


def wave_genes(actuator: int, count: int) -> list[Gene]:
    """Return the genes of an actuator's wave, in the order of the fields of Wave; count: number of harmonics."""
    orders = range(1, count + 1)
    return [
        Gene(f"actuator {actuator} offset", -0.5, 0.5),
        *(Gene(f"actuator {actuator} amplitude {k}", 0.0, 1.0 / k) for k in orders),
        *(Gene(f"actuator {actuator} phase {k}", 0.0, 1.0, "cycle", cyclic=True) for k in orders),
    ]


def harmonics(shape: PatternShape) -> int:
    """Return the number of harmonics of a spectral pattern of a shape."""
    return shape.size or HARMONICS


def multiples(sine: Scalar, cosine: Scalar, count: int) -> tuple[list[Scalar], list[Scalar]]:
    """Return the sines and cosines of x, 2 x, ..., count x.

        cos (k + 1) x = 2 cos x cos k x - cos (k - 1) x      sin (k + 1) x = 2 cos x sin k x - sin (k - 1) x

    sine, cosine: sine and cosine of x. count: the number of multiples.
    """
    sines, cosines = [0.0, sine], [1.0, cosine]
    for k in range(1, count):
        sines.append(2.0 * cosine * sines[k] - sines[k - 1])
        cosines.append(2.0 * cosine * cosines[k] - cosines[k - 1])
    return sines[1:], cosines[1:]


def _signal(
    offset: Scalar,
    sine: Sequence[Scalar],
    cosine: Sequence[Scalar],
    sines: Sequence[Scalar],
    cosines: Sequence[Scalar],
) -> Scalar:
    """Return offset + sum_k (sine_k sin k x + cosine_k cos k x)."""
    total = offset
    for a, b, s, c in zip(sine, cosine, sines, cosines, strict=True):
        total = total + a * s + b * c
    return total


def _coefficients(scale: float, wave: Wave, function: Any) -> list[float]:
    """Return scale times the amplitude times a function, sine or cosine, of the phase, for each harmonic."""
    return [
        scale * a * elementwise(function, TWO_PI * phase) for a, phase in zip(wave.amplitudes, wave.phases, strict=True)
    ]


def _shifted(wave: Wave, shift: float) -> Wave:
    """Return a wave shifted ahead by a number of cycles of the fundamental.

    Its k-th harmonic is shifted by k times as many cycles.
    """
    phases = tuple(wrapped(phase + k * shift) for k, phase in enumerate(wave.phases, start=1))
    return Wave(wave.offset, wave.amplitudes, phases)

"""A sinusoid for each joint, each with its own frequency. [Ventrella 1995, whose joints share one frequency]

    s_i(t) = r_i(t) (o_i + a_i sin(2 pi (f_i t + p_i)))

scaled if |o| + |a| > 1. The factor r rises from 0 to 1 over the first half cycle of each sinusoid.
"""

from __future__ import annotations

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
    wrapped,
)
from gambol.lanes import Scalar, cos, floor, sin

if TYPE_CHECKING:
    from gambol.control.controller import Senses


@dataclass(frozen=True)
class SineWave:
    """One actuator's sinusoid: its frequency [Hz], offset, amplitude and phase [cycles]."""

    frequency: float
    offset: float
    amplitude: float
    phase: float


@dataclass(frozen=True)
class Sinusoid(GeneticPattern):
    """A sine wave for each actuator. Raises WorldError for another number of waves."""

    kind = "sinusoid"
    waves: tuple[SineWave, ...]

    def __post_init__(self) -> None:
        self.check()

    @classmethod
    def genes_of(cls, shape: PatternShape) -> tuple[Gene, ...]:
        """Return frequency, offset, amplitude and phase of each actuator's wave."""
        genes: list[Gene] = []
        for i in range(shape.actuators):
            genes.append(Gene(f"actuator {i} frequency", shape.slowest, shape.fastest, "Hz"))
            genes.append(Gene(f"actuator {i} offset", -0.5, 0.5))
            genes.append(Gene(f"actuator {i} amplitude", 0.0, 1.0))
            genes.append(Gene(f"actuator {i} phase", 0.0, 1.0, "cycle", cyclic=True))
        return tuple(genes)

    @classmethod
    def read(cls, shape: PatternShape, values: Iterator[float]) -> Self:
        """Return the pattern of a shape with the next values, for one wave after the other."""
        waves = [SineWave(next(values), next(values), next(values), next(values)) for _ in range(shape.actuators)]
        return cls(shape, tuple(waves))

    def numbers(self) -> dict[str, Any]:
        """Return frequencies, phases, and offsets and amplitudes scaled so that signals stay in [-1, 1]."""
        scales = [amplitude_scale(wave.offset, [wave.amplitude]) for wave in self.waves]
        return {
            "frequency": [wave.frequency for wave in self.waves],
            "phase": [wave.phase for wave in self.waves],
            "offset": [scale * wave.offset for scale, wave in zip(scales, self.waves, strict=True)],
            "amplitude": [scale * wave.amplitude for scale, wave in zip(scales, self.waves, strict=True)],
        }

    def signals(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], Any]:
        """Return the sinusoids at a time."""
        signals: list[Scalar] = []
        for i in range(self.shape.actuators):
            cycles = numbers["frequency"][i] * time
            phase = cycles + numbers["phase"][i]
            wave = sin(TWO_PI * (phase - floor(phase)))
            rise = soft_start(cycles, cos(TWO_PI * (cycles - floor(cycles))))
            signals.append(clipped(rise * (numbers["offset"][i] + numbers["amplitude"][i] * wave)))
        return signals, memory

    def with_twins(self, sources: Sequence[int], shifts: Sequence[float], shape: PatternShape) -> Self:
        """Return the pattern of a larger shape, with twins of these waves.

        sources: index of the wave that wave i copies. shifts: phase of wave i ahead of that wave [cycles]. shape: the
        larger shape.
        """
        waves: list[SineWave] = []
        for j, shift in zip(sources, shifts, strict=True):
            wave = self.waves[j]
            waves.append(SineWave(wave.frequency, wave.offset, wave.amplitude, wrapped(wave.phase + shift)))
        return type(self)(shape, tuple(waves))

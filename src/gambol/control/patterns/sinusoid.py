"""A sinusoid for each joint, with a frequency of its own. [Ventrella 1995, whose joints share one rate]

    s_i(t) = r_i(t) (o_i + a_i sin(2 pi (f_i t + p_i)))

scaled where |o| + |a| > 1; r rises over the first half of each sinusoid's own cycle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from gambol.control.gene import Gene
from gambol.control.patterns.pattern import TURN, Bred, Shape, limited, started, within_one
from gambol.lanes import Scalar, cos, floor, sin

if TYPE_CHECKING:
    from gambol.control.controller import Senses


@dataclass(frozen=True)
class Swing:
    """One actuator's sinusoid: its frequency [Hz], offset, amplitude and phase [cycles]."""

    frequency: float
    offset: float
    amplitude: float
    phase: float


@dataclass(frozen=True)
class Sinusoid(Bred):
    """A swing for each actuator. Raises WorldError where there are more or fewer."""

    kind = "sinusoid"
    swings: tuple[Swing, ...]

    def __post_init__(self) -> None:
        self.check()

    @classmethod
    def genes_of(cls, shape: Shape) -> tuple[Gene, ...]:
        """Frequency, offset, amplitude and phase of each actuator's swing."""
        genes: list[Gene] = []
        for i in range(shape.actuators):
            genes.append(Gene(f"actuator {i} frequency", shape.slowest, shape.fastest, "Hz"))
            genes.append(Gene(f"actuator {i} offset", -0.5, 0.5))
            genes.append(Gene(f"actuator {i} amplitude", 0.0, 1.0))
            genes.append(Gene(f"actuator {i} phase", 0.0, 1.0, "cycle", cyclic=True))
        return tuple(genes)

    @classmethod
    def read(cls, shape: Shape, values: Iterator[float]) -> Self:
        """The swings that follow each other."""
        swings = [Swing(next(values), next(values), next(values), next(values)) for _ in range(shape.actuators)]
        return cls(shape, tuple(swings))

    def numbers(self) -> dict[str, Any]:
        """Frequencies, phases, and offsets and amplitudes that stay in [-1, 1]."""
        scales = [within_one(swing.offset, [swing.amplitude]) for swing in self.swings]
        return {
            "frequency": [swing.frequency for swing in self.swings],
            "phase": [swing.phase for swing in self.swings],
            "offset": [scale * swing.offset for scale, swing in zip(scales, self.swings, strict=True)],
            "amplitude": [scale * swing.amplitude for scale, swing in zip(scales, self.swings, strict=True)],
        }

    def signals(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], Any]:
        """The sinusoids at their own phases."""
        signals: list[Scalar] = []
        for i in range(self.shape.actuators):
            cycles = numbers["frequency"][i] * time
            turned = cycles + numbers["phase"][i]
            swing = sin(TURN * (turned - floor(turned)))
            rise = started(cycles, cos(TURN * (cycles - floor(cycles))))
            signals.append(limited(rise * (numbers["offset"][i] + numbers["amplitude"][i] * swing)))
        return signals, memory

    def with_twins(self, sources: Sequence[int], shifts: Sequence[float], shape: Shape) -> Self:
        """The swings of a larger shape: actuator i swings as sources[i] does, shifts[i] of its own cycles ahead."""
        swings: list[Swing] = []
        for j, shift in zip(sources, shifts, strict=True):
            one = self.swings[j]
            swings.append(Swing(one.frequency, one.offset, one.amplitude, (one.phase + shift) % 1.0))
        return type(self)(shape, tuple(swings))

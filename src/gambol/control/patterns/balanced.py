"""Balanced waves: spectral synthesis with feedback of tilt and velocity. [Raibert 1986; Yin and others 2007]

    s_i = w_i(t) + r(t) (a_i u_x + b_i (v_x - v) + c_i u_y + d_i v_y)

w_i, r: wave and soft start of spectral.py; a to d: the gains pitch, speed, roll and side; u: the world's z axis in the
trunk's frame; v_x, v_y: the trunk's velocity in this frame; v: the desired speed. With gains that move all feet in the
direction of a fall, a swinging leg lands where it stops the fall, and a standing leg pushes the trunk back. The gains
roll and side have opposite signs for a limb and its mirror image.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from gambol.control.gene import Gene
from gambol.control.patterns.pattern import TWO_PI, GeneticPattern, PatternShape, clipped, soft_start, take
from gambol.control.patterns.spectral import Spectral, Wave, harmonics, wave_genes
from gambol.lanes import Scalar, cos, floor, total

if TYPE_CHECKING:
    from gambol.control.controller import Senses

GAINS = (("pitch", 4.0, ""), ("speed", 2.0, "s/m"), ("roll", 4.0, ""), ("side", 2.0, "s/m"))
"""Name, maximum absolute value and unit of an actuator's gains. A foot that stops a fall lands v / sqrt(g h) ahead of
the hip, in rad: for an animal 10 cm high, with joints that reach 0.5 rad, the signal is 2 s/m times v."""

N_SAGITTAL_GAINS = 2
"""Number of gains for motion in the sagittal plane, pitch and speed, which come first: twins have the same; the other
gains, for lateral motion, have opposite signs."""

MAX_SPEED = 4.0
"""The upper bound of the desired speed [m/s]: a Froude number of 0.5 at a hip height of 3 m."""


@dataclass(frozen=True)
class BalancedWave:
    """One actuator's wave, and its gains, see GAINS."""

    wave: Wave
    gains: tuple[float, ...]


@dataclass(frozen=True)
class Balanced(GeneticPattern):
    """Waves of one fundamental frequency [Hz] with feedback, one for each actuator; speed: desired speed [m/s].

    Raises WorldError for waves and gains that do not fit its shape.
    """

    kind = "balanced"
    frequency: float
    speed: float
    waves: tuple[BalancedWave, ...]

    def __post_init__(self) -> None:
        count = harmonics(self.shape)
        self.check(
            all(
                len(each.wave.amplitudes) == count == len(each.wave.phases) and len(each.gains) == len(GAINS)
                for each in self.waves
            )
        )

    @classmethod
    def genes_of(cls, shape: PatternShape) -> tuple[Gene, ...]:
        """Return the genes: the fundamental frequency, the speed, then the wave and the gains of each actuator."""
        genes = [
            Gene("frequency", shape.slowest, shape.fastest, "Hz"),
            Gene("speed", 0.0, MAX_SPEED, "m/s", sigma=0.02),
        ]
        for i in range(shape.actuators):
            genes += wave_genes(i, harmonics(shape))
            genes += [Gene(f"actuator {i} {name} gain", -limit, limit, unit, sigma=0.03) for name, limit, unit in GAINS]
        return tuple(genes)

    @classmethod
    def read(cls, shape: PatternShape, values: Iterator[float]) -> Self:
        """Return the pattern of a shape with the next values, in the order of the genes."""
        frequency, speed, count = next(values), next(values), harmonics(shape)
        waves = [
            BalancedWave(Wave(next(values), take(values, count), take(values, count)), take(values, len(GAINS)))
            for _ in range(shape.actuators)
        ]
        return cls(shape, frequency, speed, tuple(waves))

    @property
    def required_senses(self) -> tuple[str, ...]:
        """The senses of its feedback."""
        return ("up", "velocity")

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of the waves, the speed, and the gains of each actuator."""
        return {**self._spectral().numbers(), "speed": self.speed, "gains": [list(each.gains) for each in self.waves]}

    def _spectral(self) -> Spectral:
        """Return the pattern without feedback."""
        return Spectral(self.shape, self.frequency, tuple(each.wave for each in self.waves))

    def signals(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], Any]:
        """Return the waves plus the gains times tilt and velocity."""
        waves, memory = self._spectral().signals(numbers, memory, senses, time, dt)
        readings = (senses.up[0], senses.velocity[0] - numbers["speed"], senses.up[1], senses.velocity[1])
        cycles = numbers["frequency"] * time
        rise = soft_start(cycles, cos(TWO_PI * (cycles - floor(cycles))))
        signals = (
            wave + rise * total(gain * x for gain, x in zip(gains, readings, strict=True))
            for wave, gains in zip(waves, numbers["gains"], strict=True)
        )
        return [clipped(signal) for signal in signals], memory

    def with_twins(self, sources: Sequence[int], shifts: Sequence[float], shape: PatternShape) -> Self:
        """Return a pattern with more actuators: copies of these waves, shifted in phase; twins have mirrored gains.

        sources, shifts, shape: as for Spectral.with_twins(). The second copy of a wave is that of the twin.
        """
        shifted = self._spectral().with_twins(sources, shifts, shape)
        pairs = list[BalancedWave]()
        for i, (source, wave) in enumerate(zip(sources, shifted.waves, strict=True)):
            gains = self.waves[source].gains
            is_twin = source in sources[:i]
            mirrored = tuple(-gain for gain in gains[N_SAGITTAL_GAINS:]) if is_twin else gains[N_SAGITTAL_GAINS:]
            pairs.append(BalancedWave(wave, (*gains[:N_SAGITTAL_GAINS], *mirrored)))
        return type(self)(shape, self.frequency, self.speed, tuple(pairs))

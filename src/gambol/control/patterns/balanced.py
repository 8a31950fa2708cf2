"""Balanced waves: spectral synthesis with feedback of tilt and velocity. [Raibert 1986; Yin and others 2007]

    s_i = w_i(t) + r(t) (a_i u_x + b_i (v_x - v) + c_i u_y + d_i v_y)

w_i, r: wave and rise of spectral.py; a to d: the gains pitch, speed, roll and side; u: the world's z in the axes of the
trunk; v_x, v_y: its velocity there; v: the wanted speed. With gains that move all feet into the direction of a fall,
legs in the air are put down where they catch the body, and legs on the ground push it back. The mirror image of a limb
has the gains roll and side with the other sign.
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
"""Name, largest size and unit of an actuator's gains. A foot is caught at v / sqrt(g h) forward of the hip, in rad: of
an animal 10 cm high, with joints that reach 0.5 rad, the signal is 2 s/m times v."""

SAGITTAL = 2
"""The number of gains, the first ones, that twins share; the others have the opposite sign."""

FASTEST_WALK = 4.0
"""The upper bound of the wanted speed [m/s]: a Froude number of 0.5 at a hip height of 3 m."""


@dataclass(frozen=True)
class BalancedWave:
    """One actuator's wave, and its gains, see GAINS."""

    wave: Wave
    gains: tuple[float, ...]


@dataclass(frozen=True)
class Balanced(GeneticPattern):
    """Waves of one fundamental [Hz] with feedback, one for each actuator; speed: wanted speed [m/s].

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
                len(one.wave.amplitudes) == count == len(one.wave.phases) and len(one.gains) == len(GAINS)
                for one in self.waves
            )
        )

    @classmethod
    def genes_of(cls, shape: PatternShape) -> tuple[Gene, ...]:
        """Return the fundamental's frequency, the speed, then the wave and the gains of each actuator."""
        genes = [
            Gene("frequency", shape.slowest, shape.fastest, "Hz"),
            Gene("speed", 0.0, FASTEST_WALK, "m/s", sigma=0.02),
        ]
        for i in range(shape.actuators):
            genes += wave_genes(i, harmonics(shape))
            genes += [Gene(f"actuator {i} {name} gain", -most, most, unit, sigma=0.03) for name, most, unit in GAINS]
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
        return {**self._spectral().numbers(), "speed": self.speed, "gains": [list(one.gains) for one in self.waves]}

    def _spectral(self) -> Spectral:
        """Return the pattern without feedback."""
        return Spectral(self.shape, self.frequency, tuple(one.wave for one in self.waves))

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
        """Return the pattern of a larger shape, with twins of these waves and mirrored gains.

        sources, shifts, shape: as for Spectral.with_twins(). The second wave of a source is that of a twin.
        """
        shifted = self._spectral().with_twins(sources, shifts, shape)
        pairs = list[BalancedWave]()
        for i, (source, wave) in enumerate(zip(sources, shifted.waves, strict=True)):
            gains = self.waves[source].gains
            is_twin = source in sources[:i]
            mirrored = tuple(-gain for gain in gains[SAGITTAL:]) if is_twin else gains[SAGITTAL:]
            pairs.append(BalancedWave(wave, (*gains[:SAGITTAL], *mirrored)))
        return type(self)(shape, self.frequency, self.speed, tuple(pairs))

"""Strides of walks: the rhythm of the legs, and the paths of the feet.

    stance   the foot moves backwards at a constant speed, on the ground
    swing    it moves forwards on a cubic with the speed of the stance at its ends, and lifts by lift sin^2
"""

from dataclasses import dataclass

import numpy as np

from gambol.evolve.genotype.walking.leg import Array

PHASES = {1: (0.0,), 2: (0.0, 0.25), 3: (0.0, 0.5, 0.0), 4: (0.0, 0.5, 0.0, 0.5)}
"""Landings of the left feet after that of the hindmost one, from back to front, by number of pairs [cycles].

Two pairs: the lateral sequence of walking mammals, hind foot and then the fore foot of its side [Hildebrand 1965].
Three and four pairs: alternating tripods and tetrapods of insects, spiders and crabs."""

WAVES = 2.0
"""Waves of the legs along a body with more pairs of legs: those of the centipede Scolopendra."""


def landings(pairs: int) -> tuple[float, ...]:
    """Return the landings of the left feet, from back to front, for a number of pairs of legs [cycles]."""
    return PHASES.get(pairs) or tuple((WAVES / pairs * k) % 1.0 for k in range(pairs))


@dataclass(frozen=True)
class Stride:
    """A stride. Lengths are multiples of the height of the trunk.

    frequency [Hz]; duty: part of the stride in which a foot stands; travel: way of a foot in a stance; lift: height of
    a foot in its swing; crouch: by how much the trunk is lower than at rest; shift: places of all feet in front of
    those at rest; spread: places of the foremost feet further in front; landings: see landings(). catch_speed,
    catch_tilt: by how much feet move towards a fall, as multiples of the place where a pendulum of this height comes to
    rest, and of the way by which the tilt moves the trunk: in the middle plane, and across it.
    """

    frequency: float
    duty: float = 0.65
    travel: float = 0.5
    lift: float = 0.1
    crouch: float = 0.04
    shift: float = 0.0
    spread: float = 0.0
    landings: tuple[float, ...] = ()
    catch_speed: tuple[float, float] = (0.0, 0.3)
    catch_tilt: tuple[float, float] = (0.0, 0.3)


def foot_path(stride: Stride, count: int) -> tuple[Array, Array]:
    """Return the path of a foot, over a stride that begins with its landing: forward and upward (count,).

    In units of the height, from the middle of the stance.
    """
    phase, duty = np.arange(count) / count, stride.duty
    s = np.clip((phase - duty) / (1.0 - duty), 0.0, 1.0)
    slope = -(1.0 - duty) / duty
    forward = np.where(phase < duty, 0.5 - phase / duty, _hermite(s, -0.5, 0.5, -(1.0 - duty) / duty))
    upward = np.where(phase < duty, 0.0, np.sin(np.pi * s) ** 2)
    return stride.travel * forward, stride.lift * upward


def _hermite(s: Array, start: float, end: float, slope: float) -> Array:
    """Return the cubic from start to end with the same slope at both; s in [0, 1]."""
    rise = 3.0 * s**2 - 2.0 * s**3
    return start + (end - start) * rise + slope * (s - 3.0 * s**2 + 2.0 * s**3)

"""The parameters of a human walk: velocity, step length, step frequency, and the times of support.

    v = l f / 60        l = 0.004 h f        f <= 182/min        t_d = (29.08 - 0.16 f) / 100 * 2 T        T = 60 / f

v: velocity [m/s]; l: step length [m]; f: step frequency [1/min]; h: height of the body [m]; T: time of a step [s]; t_d:
time of a double support [s]. [Bruderlin and Calvert 1989, after Inman, Ralston and Todd 1981] The coefficients of t_d
are from memory, not checked against the paper; as in the paper, t_d vanishes at 182/min.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gambol.errors import WorldError

LENGTH_PER_FREQUENCY = 0.004
"""Step length / (height x step frequency) [min]."""

MAX_FREQUENCY = 182.0
"""Maximum step frequency [1/min]: beyond it people run."""

SUPPORT_AT_REST, SUPPORT_SLOPE = 29.08, -0.16
"""Double support, in percent of a stride: at a step frequency of 0, and its change with the frequency [min]."""


@dataclass(frozen=True, slots=True)
class WalkParameters:
    """The parameters of a walk, see walk_parameters(). velocity [m/s]; step_length [m]; step_frequency [1/min].

    height: height of the body [m].
    """

    velocity: float
    step_length: float
    step_frequency: float
    height: float

    @property
    def step(self) -> float:
        """Time of a step, from heel strike to heel strike of the other foot [s]."""
        return 60.0 / self.step_frequency

    @property
    def double_support(self) -> float:
        """Time of a double support [s]: as a fraction of the stride it is linear in the step frequency."""
        return 0.01 * (SUPPORT_AT_REST + SUPPORT_SLOPE * self.step_frequency) * 2.0 * self.step

    @property
    def swing(self) -> float:
        """Time for which a foot swings [s]: a step without its double support."""
        return self.step - self.double_support

    @property
    def duty_factor(self) -> float:
        """Fraction of the stride for which a foot stands."""
        return (self.step + self.double_support) / (2.0 * self.step)


def walk_parameters(
    *,
    velocity: float | None = None,
    step_length: float | None = None,
    step_frequency: float | None = None,
    height: float = 1.75,
) -> WalkParameters:
    """Return the parameters of a walk, from one or two of velocity [m/s], step length [m] and step frequency [1/min].

    From one, the others follow by the law of normalised step length; from two, the third follows by v = l f / 60.
    height: height of the body [m]. Raises WorldError unless one or two are given, for numbers that are not positive,
    and for a step frequency above the largest one.
    """
    v, length, f = velocity, step_length, step_frequency
    given = {"velocity": v, "step length": length, "step frequency": f, "height": height}
    for name, value in given.items():
        if value is not None and not 0.0 < value < float("inf"):
            raise WorldError(f"a walk with a {name} of {value:g} is impossible; it must be positive")
    if (count := sum(value is not None for value in (v, length, f))) not in (1, 2):
        raise WorldError(f"{count} parameters are given; give one or two of velocity, step length and step frequency")
    k = LENGTH_PER_FREQUENCY * height
    if f is None:
        f = _frequency(v, length, k)
    if length is None:
        length = k * f if v is None else 60.0 * v / f
    if f > MAX_FREQUENCY - 1.0:
        raise WorldError(
            f"{f:.4g} steps/min are too many for a walk, since people run above {MAX_FREQUENCY - 1.0:g}; "
            f"give less than {k * (MAX_FREQUENCY - 1.0) ** 2 / 60.0:.3g} m/s"
        )
    return WalkParameters(length * f / 60.0, length, f, height)


def _frequency(v: float | None, length: float | None, k: float) -> float:
    """Return the step frequency for a velocity, a step length, or both [1/min]. k: step length / step frequency."""
    if length is None:
        return math.sqrt(60.0 * (v or 0.0) / k)
    return length / k if v is None else 60.0 * v / length

"""The periodic motion that the pulses of a gait's legs give to a rigid body: bob, pitch, sway and ripple of speed.

While a foot stands, its vertical force is half a sine, whose mean over the stride is the leg's share of the weight
[Alexander, Maloiy, Njau and Jayes 1979]:

    F(phi) = s m g pulse(phi)        pulse(phi) = pi / (2 b) sin(pi phi / b) for 0 <= phi < b, else 0; b: duty factor
    pulse = 1 + sum_n 2 c_n cos(2 pi n (phi - b / 2))        c_n = cos(pi n b) / (1 - (2 n b)^2)

The force points from the foot to a pivot near the hip, so it accelerates and turns the body in proportion to the pulse.
Velocities and positions then follow by integrating each harmonic once and twice, without a constant.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from gambol.lanes import Scalar, cos, sin, where

HARMONICS = 4
"""Number of harmonics: integrated twice, the fifth of a duty factor of 0.3 is below 1 % of the first."""

NEARLY_ZERO = 1e-6
"""Below it sin(x) / x is 1 to rounding."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """The pulse of a leg now, its mean being 1; and its integrals over time: first [s] and second [s2], of mean 0."""

    value: Scalar
    first: Scalar
    second: Scalar


def pulse(phase: Scalar, duty: Scalar, frequency: Scalar) -> Pulse:
    """Return a leg's pulse and its integrals. phase: since touchdown, in [0, 1). frequency: of the stride [Hz]."""
    x = math.pi * phase / duty
    value = where(phase < duty, 0.5 * math.pi / duty * sin(x), 0.0)
    angle = 2.0 * math.pi * (phase - 0.5 * duty)
    s1, c1 = sin(angle), cos(angle)
    s, c = s1, c1
    first: Scalar = 0.0
    second: Scalar = 0.0
    for n in range(1, HARMONICS + 1):
        rate = 2.0 * math.pi * n * frequency
        amplitude = 2.0 * coefficient(n, duty) / rate
        first = first + amplitude * s
        second = second - amplitude / rate * c
        s, c = s * c1 + c * s1, c * c1 - s * s1
    return Pulse(value, first, second)


def coefficient(n: int, duty: Scalar) -> Scalar:
    """Return c_n, the mean of the pulse times the cosine of harmonic n; it has no pole at a duty factor of 1 / (2 n)."""
    x = 2.0 * n * duty
    y = 0.5 * math.pi * (1.0 - x)
    near = abs(y) < NEARLY_ZERO
    return where(near, 0.5 * math.pi, 0.5 * math.pi * sin(y) / where(near, 1.0, y)) / (1.0 + x)

"""The path of the hips over the stance leg, a telescopic inverted pendulum.

    single support:  x'' = w^2 x                x = A sinh(w (t - t_m))                        t_d < t < T
    double support:  x'' = w^2 (x - p)          x = p + B sinh(w (t - t_d / 2))                0 < t < t_d
                     p = l (t / t_d - 1)        w^2 = g / z
    A = l sinh(a) / (t_d w sinh(a + b))         B = -l sinh(b) / (t_d w sinh(a + b))
    a = w t_d / 2,   b = w (T - t_d) / 2,   t_m = (T + t_d) / 2
    z = z_0 + e / 2 cos(2 pi (t - t_m) / T)

x: position of the hips, forward of the middle of the leading foot [m]; a step begins with the heel strike of this foot,
t = 0. p: centre of pressure, likewise; it moves from the middle of the trailing foot to the middle of the leading foot
in the double support.

The telescopic leg of Bruderlin and Calvert is moved by a spring and torques that they find by iteration until the step
is symmetric. Here the leg keeps its vertical force equal to the weight; this pendulum has a solution in closed form:
position and velocity are continuous, both supports are symmetric about their middles, and the mean velocity is l / T.
The solution is ours. z, the height of the hips above the ankle, has the excursion e; as observed in people, the hips
are highest in the middle of the single support. This motion along z is prescribed, and does not enter the equation of
x.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from gambol.creatures.bruderlin_calvert.parameters import WalkParameters
from gambol.lanes import Scalar, cos, exp, where

GRAVITY = 9.81
"""Gravity [m/s2]."""


@dataclass(frozen=True)
class HipPath:
    """The path of the hips in a step.

    walk: parameters of the walk. z: mean height above the ankles [m]; excursion: e [m]. pivot: position of the middle
    of a foot, forward of its ankle [m]. rate: w [1/s]. single, double: A and B [m].
    """

    walk: WalkParameters
    z: float
    excursion: float
    pivot: float
    rate: float = field(init=False)
    single: float = field(init=False)
    double: float = field(init=False)

    def __post_init__(self) -> None:
        t_d, w = self.walk.double_support, math.sqrt(GRAVITY / self.z)
        a, b = 0.5 * w * t_d, 0.5 * w * self.walk.swing
        scale = self.walk.step_length / (t_d * w * math.sinh(a + b))
        object.__setattr__(self, "rate", w)
        object.__setattr__(self, "single", scale * math.sinh(a))
        object.__setattr__(self, "double", -scale * math.sinh(b))

    @property
    def middle(self) -> float:
        """The time of the middle of the single support, t_m [s]."""
        return 0.5 * (self.walk.step + self.walk.double_support)

    def x(self, t: Scalar) -> Scalar:
        """Return the position of the hips, forward of the leading ankle [m].

        t: time since the heel strike of the leading foot, 0 to T [s].
        """
        t_d, w = self.walk.double_support, self.rate
        p = self.walk.step_length * (t / t_d - 1.0)
        double = p + self.double * _sinh(w * (t - 0.5 * t_d))
        return self.pivot + where(t < t_d, double, self.single * _sinh(w * (t - self.middle)))

    def height(self, t: Scalar) -> Scalar:
        """Return the height of the hips above the ankle of a flat foot [m]. t: as for x()."""
        return self.z + 0.5 * self.excursion * cos(2.0 * math.pi / self.walk.step * (t - self.middle))


def _sinh(x: Scalar) -> Scalar:
    return 0.5 * (exp(x) - exp(-x))

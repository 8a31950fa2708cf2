"""A leg of a walk: foot that rolls over heel and toes, leg between hip and ankle, and swing in three phases.

Angles [rad] of thighs (positive forward) and feet (positive with the toes up) are in the world; the angle of a knee is
relative, and negative when it bends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gambol.creatures.people.person import LENGTHS
from gambol.creatures.people.planar_figure import SOLE_RADIUS
from gambol.lanes import Scalar, atan2, clamp, cos, sin, sqrt, where


@dataclass(frozen=True, slots=True)
class Leg:
    """A leg in the plane [m].

    thigh, shank: lengths; ankle: height of the ankle; heel, toe: positions of the balls of the sole, forward of the
    ankle.
    """

    thigh: float
    shank: float
    ankle: float
    heel: float
    toe: float

    @classmethod
    def of_height(cls, height: float) -> Leg:
        """Return the leg of person(height=height)."""
        heel = -LENGTHS["heel"] * height
        toe = heel + LENGTHS["foot"] * height
        thigh, shank, ankle = (LENGTHS[name] * height for name in ("thigh", "shank", "ankle"))
        return cls(thigh, shank, ankle, heel + SOLE_RADIUS, toe - SOLE_RADIUS)

    def squared_distance(self, knee: float) -> float:
        """Return the square of the distance between hip and ankle [m2]. knee: angle of the knee [rad]."""
        return self.thigh**2 + self.shank**2 + 2.0 * self.thigh * self.shank * math.cos(knee)

    def rolled_ankle(self, pitch: Scalar) -> tuple[Scalar, Scalar]:
        """Return the displacement of the ankle, forward and up, from its position above a flat foot [m].

        pitch: pitch of the foot. The foot rolls without slip on the ball of its heel (toes up) or of its toes (heel
        up).
        """
        x = where(pitch > 0.0, self.heel, self.toe)
        z = SOLE_RADIUS - self.ankle
        c, s = cos(pitch), sin(pitch)
        return x - SOLE_RADIUS * pitch - (x * c - z * s), z - (x * s + z * c)

    def angles(self, x: Scalar, z: Scalar) -> tuple[Scalar, Scalar]:
        """Return the angles of the thigh, in the world, and of the knee [rad].

        x, z: position of the ankle relative to the hip [m]; beyond the reach of the leg, the leg is straight.
        """
        a, b = self.thigh, self.shank
        c = clamp((x * x + z * z - a * a - b * b) / (2.0 * a * b), -1.0, 1.0 - 1e-4)
        s = sqrt(1.0 - c * c)
        return atan2(x, -z) + atan2(b * s, a + b * c), -atan2(s, c)


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve through knots with given slopes, cubic between them (Hermite). times: increasing times of the knots."""

    times: Sequence[float]
    values: Sequence[float]
    slopes: Sequence[float]

    def __call__(self, t: Scalar) -> Scalar:
        """Return the value at a time. Before the first knot and after the last, the outermost pieces continue."""
        pieces = [self._piece(k, t) for k in range(len(self.times) - 1)]
        value = pieces[-1]
        for k in range(len(pieces) - 2, -1, -1):
            value = where(t < self.times[k + 1], pieces[k], value)
        return value

    def _piece(self, k: int, t: Scalar) -> Scalar:
        h = self.times[k + 1] - self.times[k]
        s = (t - self.times[k]) * (1.0 / h)
        p, q, m, n = self.values[k], self.values[k + 1], h * self.slopes[k], h * self.slopes[k + 1]
        c, d = 3.0 * (q - p) - 2.0 * m - n, 2.0 * (p - q) + m + n
        return p + s * (m + s * (c + s * d))

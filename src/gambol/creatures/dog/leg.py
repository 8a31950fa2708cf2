"""A leg of three segments with a constant angle between the first and the third: kinematics in closed form.

    p = L u(theta_1 + gamma) + l_2 u(theta_2)         u(theta) = (sin theta, 0, -cos theta)
    theta_3 = theta_1 + delta                          L e^(i gamma) = l_1 + l_3 e^(i delta)

In mammals the first and the third segment of a leg stay nearly parallel through a stride, as in a pantograph [Fischer
and Blickhan 2006]; so, for the foot, a leg of three segments is equivalent to a leg of the two segments L and l_2, and
the law of cosines gives its angles. The first segment points forward and down, the second backward and down. The upper
joint also turns about x, by the abduction.
"""

from __future__ import annotations

import cmath
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from gambol.lanes import Scalar, atan2, clamp, cos, maximum, sin, sqrt
from gambol.spatial import Vector

MAX_EXTENSION = 0.995
"""Maximum length of a leg, as a fraction of the length of the straight leg: near 1 the rates of angles grow without
bound."""

MIN_EXTENSION = 1.05
"""Minimum length of a leg, as a multiple of the length of the folded leg."""


@dataclass(frozen=True)
class PantographLeg:
    """A leg that hangs from a joint.

    lengths: lengths of its three segments [m]. delta: angle between the first and the third segment [rad]. Its joint
    angles are, in order: abduction about x; then, about -y, the angles of the first segment to the vertical, of the
    second to the first, and of the third to the second [rad]. At 0 the leg hangs straight down.
    """

    lengths: tuple[float, float, float]
    delta: float

    @cached_property
    def _upper(self) -> complex:
        """L e^(i gamma)."""
        return self.lengths[0] + self.lengths[2] * cmath.exp(1j * self.delta)

    @property
    def longest(self) -> float:
        """The largest distance from the joint to the foot that angles_at() gives [m]."""
        return MAX_EXTENSION * (abs(self._upper) + self.lengths[1])

    @property
    def shortest(self) -> float:
        """The smallest distance from the joint to the foot that angles_at() gives [m]."""
        return MIN_EXTENSION * abs(abs(self._upper) - self.lengths[1])

    def angles_at(self, p: Vector) -> tuple[Scalar, Scalar, Scalar, Scalar]:
        """Return the joint angles that bring the foot to p, or as near to p as the leg reaches in this direction.

        p: position below the joint, from the joint, in the axes of the body [m].
        """
        L, l = abs(self._upper), self.lengths[1]
        down = sqrt(p.y * p.y + p.z * p.z)
        r = clamp(sqrt(maximum(p.x * p.x + down * down, 1e-12)), self.shortest, self.longest)
        direction = atan2(p.x, down)
        upper = direction + _angle((L * L + r * r - l * l) / (2.0 * L * r)) - cmath.phase(self._upper)
        lower = direction - _angle((l * l + r * r - L * L) / (2.0 * l * r))
        return atan2(p.y, -p.z), upper, lower - upper, upper + self.delta - lower

    def points(self, angles: Sequence[Scalar]) -> list[Vector]:
        """Return the positions of its joints, the upper first, and of its foot [m].

        They are relative to the upper joint, in the axes of the body.

        angles: angles of its joints, which need not keep delta [rad].
        """
        abduction, theta = angles[0], 0.0
        s, c = sin(abduction), cos(abduction)
        points = [Vector(0.0, 0.0, 0.0)]
        for angle, length in zip(angles[1:], self.lengths, strict=True):
            theta = theta + angle
            down = length * cos(theta)
            points.append(points[-1] + Vector(length * sin(theta), down * s, -down * c))
        return points

    def torques(self, angles: Sequence[Scalar], force: Vector) -> list[Scalar]:
        """Return the joint torques -J^T f with which the foot pushes the ground [N m].

        angles: joint angles [rad]. force: f, force on the body, in its axes [N]; the foot pushes with the opposite
        force.
        """
        points = self.points(angles)
        s, c = sin(angles[0]), cos(angles[0])
        about = (Vector(1.0, 0.0, 0.0), *(Vector(0.0, -c, -s),) * 3)
        joints = (points[0], *points[:3])
        return [axis.dot((points[3] - joint).cross(-force)) for axis, joint in zip(about, joints, strict=True)]


def _angle(cosine: Scalar) -> Scalar:
    """Return the angle from 0 to pi with a cosine, clamped to [-1, 1]."""
    x = clamp(cosine, -1.0, 1.0)
    return atan2(sqrt(maximum(1.0 - x * x, 0.0)), x)

"""The procedural walk: hips, thighs, knees, feet, pelvis and arms at any time, from velocity or step frequency.

A step begins with the heel strike of the leading leg, which stands during the step and the double support after it. The
trailing leg ends its stance in the double support, then swings in three phases:

    stance     hip and foot are given, thigh and knee follow by the triangle of the leg
    swing 1    until the middle of the swing: the knee bends to its largest angle
    swing 2    the thigh reaches the angle of the heel strike, the knee straightens
    swing 3    the foot is moved back and down to the ground

[Bruderlin and Calvert 1989] have these supports, the three phases, symmetric steps, pelvis and arms as determinants of
gait. They move the swing leg as a double pendulum, with torques found by iteration so that it has given angles at the
ends of the phases. Here cubic curves pass through such angles; the angles, the times of the phases and the pitch of the
foot are ours. For the signs of angles see leg.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from gambol.creatures.bruderlin_calvert.hip_path import HipPath
from gambol.creatures.bruderlin_calvert.leg import Curve, Leg
from gambol.creatures.bruderlin_calvert.parameters import WalkParameters
from gambol.lanes import Scalar, cos, jvp, maximum, minimum, sin, where

STRIKE_KNEE, STANCE_KNEE = math.radians(-8.0), math.radians(-20.0)
"""Angle of the knee at heel strike (not from the source), and in the middle of the single support, a determinant of
gait [Saunders et al. 1953] [rad]. They determine the vertical excursion of the hips: 7.6 cm at 1.2 m/s, more than the
4.6 cm of people."""

STRIKE_PITCH, PUSH_PITCH = 0.25, 0.75
"""Pitch of the foot at heel strike, and opposite pitch at toe-off [rad]. Not from the source."""

HEEL_OFF = 0.75
"""Time from heel strike to heel-off, as a fraction of the time of a step. Not from the source."""

SWING_ENDS = (0.4, 0.85)
"""Ends of the first and of the second phase of the swing, as fractions of its time. Not from the source."""

SWING_PITCH = 0.0
"""Pitch of the foot at the end of the first phase [rad]. Not from the source."""

SWING_KNEE = -1.1
"""Angle of the knee at the end of the first phase [rad]: people bend it by 60 degrees. [Winter 2009]"""

OVERSHOOT = 0.06
"""Angle of the thigh at the end of the second phase, forward of its angle at heel strike [rad]. Not from the source."""

ROTATION, LIST, SHIFT = math.radians(4.0), math.radians(5.0), 0.022
"""Largest rotation and list of the pelvis [rad], and its displacement to each side [m]. [Saunders et al. 1953]"""

ARMS, ELBOW = 0.6, 0.4
"""Angle of an upper arm, as a fraction of that of the opposite thigh; angle of the elbows [rad]. Not from the source.
"""


@dataclass(frozen=True, slots=True)
class LegPose:
    """A leg at a time: angles of thigh and foot in the world and of the knee [rad]."""

    thigh: Scalar
    knee: Scalar
    foot: Scalar

    @property
    def ankle(self) -> Scalar:
        """Angle of the ankle, between foot and shank [rad]."""
        return self.foot - self.thigh - self.knee


@dataclass(frozen=True, slots=True)
class PelvisPose:
    """The pelvis while the left leg leads; mirrored if the right does.

    rotation: positive to the left; list: positive with the left side up [rad]. shift: displacement to the left [m].
    """

    rotation: Scalar
    list: Scalar
    shift: Scalar


@dataclass(frozen=True)
class WalkMotion:
    """The motion of a walk, for floats, arrays and traced scalars. walk: its parameters."""

    walk: WalkParameters
    leg: Leg = field(init=False)
    hips: HipPath = field(init=False)
    swing: tuple[Curve, Curve, Curve] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "leg", Leg.of_height(self.walk.height))
        object.__setattr__(self, "hips", self._path())
        object.__setattr__(self, "swing", self._swing())

    def leading(self, t: Scalar) -> LegPose:
        """Return the pose of the leading leg. t: time in the step, 0 to T [s]."""
        return self._standing(t, self.hips.x(t), self.hips.height(t))

    def trailing(self, t: Scalar) -> LegPose:
        """Return the pose of the trailing leg, which swings after the double support. t: time in the step [s]."""
        t_d, step = self.walk.double_support, self.walk.step
        stance = self._standing(t + step, self.hips.x(t) + self.walk.step_length, self.hips.height(t))
        thigh, knee, foot = (curve(t) for curve in self.swing)
        stands = t < t_d
        return LegPose(
            where(stands, stance.thigh, thigh), where(stands, stance.knee, knee), where(stands, stance.foot, foot)
        )

    def pelvis(self, t: Scalar) -> PelvisPose:
        """Return the pose of the pelvis while the left leg leads. t: time in the step, 0 to T [s].

        The side of the leading leg is in front at heel strike; then the side of the other leg drops, and the pelvis is
        moved toward the leading leg.
        """
        half = math.pi / self.walk.step
        sine = sin(half * (t - self.hips.middle) + 0.5 * math.pi)
        return PelvisPose(-ROTATION * cos(half * t), LIST * sine, SHIFT * sine)

    def arm(self, opposite_thigh: Scalar) -> Scalar:
        """Return the angle of an upper arm, which swings with the thigh of the other side [rad]."""
        return ARMS * opposite_thigh

    def _standing(self, u: Scalar, x: Scalar, z: Scalar) -> LegPose:
        """Return the pose of a leg on the ground.

        u: time since its heel strike [s]; x, z: position of the hip relative to the ankle of a flat foot [m].
        """
        pitch = self._pitch(u)
        forward, up = self.leg.rolled_ankle(pitch)
        thigh, knee = self.leg.angles(forward - x, up - z)
        return LegPose(thigh, knee, pitch)

    def _pitch(self, u: Scalar) -> Scalar:
        """Return the pitch of a standing foot. u: time since its heel strike [s]."""
        t_d, step = self.walk.double_support, self.walk.step
        down = minimum(u / t_d, 1.0)
        up = maximum((u - HEEL_OFF * step) / (t_d + (1.0 - HEEL_OFF) * step), 0.0)
        return STRIKE_PITCH * (1.0 - down) * (1.0 - down) - PUSH_PITCH * up * up

    def _path(self) -> HipPath:
        """Return the path of the hips that gives the knees at heel strike and in the middle of the single support."""
        leg = self.leg
        pivot = 0.5 * (leg.heel + leg.toe)
        forward, up = (float(x) for x in leg.rolled_ankle(STRIKE_PITCH))
        top, excursion = math.sqrt(leg.squared_distance(STANCE_KNEE) - pivot**2), 0.0
        for _ in range(20):  # the pendulum's rate depends a little on the mean height
            path = HipPath(self.walk, top - 0.5 * excursion, excursion, pivot)
            bottom = up + math.sqrt(leg.squared_distance(STRIKE_KNEE) - (forward - float(path.x(0.0))) ** 2)
            excursion = 2.0 * (top - bottom) / (1.0 - math.cos(2.0 * math.pi * path.middle / self.walk.step))
        return HipPath(self.walk, top - 0.5 * excursion, excursion, pivot)

    def _swing(self) -> tuple[Curve, Curve, Curve]:
        """Return thigh, knee and foot in swing, as curves of the time in the step.

        They begin with the angles and rates of the toe-off, and end with the angles of the heel strike.
        """
        (thigh, knee, foot), rates = self._toe_off()
        strike = self.leading(0.0)
        t_d, step = self.walk.double_support, self.walk.step
        first, second = (t_d + fraction * self.walk.swing for fraction in SWING_ENDS)
        times = (t_d, first, second, step)
        forward = float(strike.thigh) + OVERSHOOT
        middle, rate = 0.5 * (thigh + forward), 1.5 * (forward - thigh) / (second - t_d)
        end, pitch = float(strike.knee), float(strike.foot)
        return (
            Curve(times, (thigh, middle, forward, forward - OVERSHOOT), (rates[0], rate, 0.0, 0.0)),
            Curve(times, (knee, SWING_KNEE, end, end), (rates[1], 0.0, 0.0, 0.0)),
            Curve((t_d, first, step), (foot, SWING_PITCH, pitch), (rates[2], 0.0, 0.0)),
        )

    def _toe_off(self) -> tuple[list[float], list[float]]:
        """Return angles and rates of thigh, knee and foot at toe-off."""
        t_d = self.walk.double_support

        def pose(times: list[Scalar]) -> list[Scalar]:
            x, z = self.hips.x(times[0]) + self.walk.step_length, self.hips.height(times[0])
            leg = self._standing(times[0] + self.walk.step, x, z)
            return [leg.thigh, leg.knee, leg.foot]

        values, rates = jvp(pose, [t_d], [1.0])
        return [float(x) for x in values], [float(x) for x in rates]

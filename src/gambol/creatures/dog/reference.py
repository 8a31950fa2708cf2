"""The periodic motion of a rigid body under the pulses of a gait's legs: height, pitch, sway and ripple of speed.

While a foot stands, its vertical force is half a sine, whose mean over the stride is the leg's share of the weight
[Alexander, Maloiy, Njau and Jayes 1979]:

    F(phi) = s m g pulse(phi)        pulse(phi) = pi / (2 b) sin(pi phi / b) for 0 <= phi < b, else 0; b: duty factor
    pulse = 1 + sum_n 2 c_n cos(2 pi n (phi - b / 2))        c_n = cos(pi n b) / (1 - (2 n b)^2)

The force points from the foot to a pivot near the hip, so it accelerates and turns the body in proportion to the pulse.
Velocities and positions then follow by integrating each harmonic once and twice, without a constant.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gambol.creatures.dog.dog_gait import ACCELERATION, smooth
from gambol.creatures.dog.figure import LEGS, centre_in_trunk, dog_figure, joint_position, moments
from gambol.dynamics import STANDARD_GRAVITY
from gambol.lanes import Scalar, cos, maximum, sin, where
from gambol.spatial import Vector

HARMONICS = 4
"""Number of harmonics: the coefficients fall as 1 / n^2, and two integrations divide them by another n^2."""

MIN_START_TIME = 1.0
"""Minimum time in which the dog accelerates to its speed [s]."""

MIN_SINC_ARGUMENT = 1e-6
"""Value of x below which sin(x) / x is 1 to rounding."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """The pulse of a leg now, and its integrals over time.

    The mean of the pulse is 1. first [s], second [s2]: integrals of the pulse less its mean, with mean 0.
    """

    value: Scalar
    first: Scalar
    second: Scalar


def pulse(phase: Scalar, duty: Scalar, frequency: Scalar) -> Pulse:
    """Return a leg's pulse and its integrals.

    phase: phase since touchdown, in [0, 1). frequency: frequency of the stride [Hz].
    """
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
    """Return c_n, the mean of the pulse times the cosine of harmonic n, also at a duty factor of 1 / (2 n)."""
    x = 2.0 * n * duty
    y = 0.5 * math.pi * (1.0 - x)
    near = abs(y) < MIN_SINC_ARGUMENT
    return where(near, 0.5 * math.pi, 0.5 * math.pi * sin(y) / where(near, 1.0, y)) / (1.0 + x)


@dataclass(frozen=True, slots=True)
class DesiredMotion:
    """The motion that the pulses of the gait cause.

    speed: mean speed [m/s]. velocity: velocity of the centre of mass [m/s]; place: position of the centre of mass,
    horizontally from its position without sway, and above the ground [m]. pitch [rad] and its rate [rad/s].
    """

    speed: Scalar
    velocity: Vector
    place: Vector
    pitch: Scalar
    pitch_rate: Scalar


def ahead(leg: str) -> float:
    """Return the distance of a leg's upper joint ahead of the centre of mass [m]."""
    return joint_position(leg)[0] - centre_in_trunk().x


def share(leg: str) -> float:
    """Return a leg's share of the weight, such that a dog on four feet does not turn."""
    front, hind = ahead("front left"), -ahead("hind left")
    return 0.5 * (hind if leg.startswith("front") else front) / (front + hind)


def desired_motion(
    gait: Mapping[str, Any], pulses: Sequence[Pulse], time: Scalar, sideways: Scalar = 0.0
) -> DesiredMotion:
    """Return the motion of the body that the pulses of all legs would cause.

    The mean speed rises from 0 at the start.

    gait: numbers of a gait, see blended(). time: time since the start [s]. sideways: mean speed to the left [m/s].
    """
    g, h = STANDARD_GRAVITY, gait["height"]
    speed = gait["speed"] * smooth(time / maximum(abs(gait["speed"]) / ACCELERATION, MIN_START_TIME))
    velocity, place = Vector(speed, sideways, 0.0), Vector(0.0, 0.0, h)
    pitch: Scalar = 0.0
    rate: Scalar = 0.0
    for leg, p in zip(LEGS, pulses, strict=True):
        lever, lift = gait["pivot"] * ahead(leg), g * share(leg)
        acceleration = Vector((lever - ahead(leg)) / h, -foot_y(leg, gait) / h, 1.0) * lift
        turning = -dog_figure().mass / moments()[1] * lift * lever
        velocity, place = velocity + acceleration * p.first, place + acceleration * p.second
        pitch, rate = pitch + turning * p.second, rate + turning * p.first
    return DesiredMotion(speed, velocity, place, pitch, rate)


def foot_y(leg: str, gait: Mapping[str, Any]) -> Scalar:
    """Return the distance of a foot to the left of the centre of mass [m]."""
    return gait["width"] * joint_position(leg)[1]

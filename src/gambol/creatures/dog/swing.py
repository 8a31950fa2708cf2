"""The swinging legs: the landing position of the paw, and its path. [Raibert 1986, eq. 2.4]

landing     below the hip, and ahead by half the displacement in the next stance, with corrections of speed errors:
            x = x_hip + v T_stance / 2 + k (v - v_desired) - k_lag integral(v_desired - v)
            y likewise, but the integral only in gaits in which left and right feet do not stand together: otherwise
            feet land further apart, and do not push
            in a turn of rate w also by w x r T_stance / 2, and outward by h v w / g, so that the weight leans inward
path        x(s), y(s): cubics from the place of lift-off to that of landing, at the ground's velocity at both ends
            z(s) = ground + 16 clearance s^2 (1 - s)^2          s: time in the swing / its duration
"""

from __future__ import annotations

from gambol.creatures.dog.control_input import ControlInput
from gambol.creatures.dog.figure import LEGS, PAW_RADIUS
from gambol.creatures.dog.reference import ahead, foot_y
from gambol.creatures.dog.servos import SERVOS
from gambol.dynamics import STANDARD_GRAVITY
from gambol.lanes import Scalar, clamp, minimum, sqrt, where
from gambol.spatial import Vector

SWING_GAINS = {
    "step x": 0.10,  # s, how much further ahead a paw lands for each m/s too fast
    "step lag": 0.2,  # how much further back for each metre of the integral of the speed error
    "step y": 0.12,  # s, how much further to the side for each m/s
    "search": 0.15,  # m/s, downwards speed of a paw that should stand and does not; at 0.5 paws bounce in a walk
    "filter": 20.0,  # 1/s, bandwidth of the filter of the velocity that sets landings: swinging legs shake the body
    "coupling": 6.0,  # 1/s, of the phases
}
"""Gains of the swinging legs. They are not from a source but were found by trials."""

MAX_TARGET_SPEED = 25.0
"""Maximum speed of a target [rad/s]: above it a swinging leg is not faster, and its motion is jerky."""

REACH_X, REACH_Y = 0.3, 0.15
"""Largest distance of a landing paw from its hip, along and across [m]: the reach of the leg."""

MIN_TARGET_HEIGHT = -0.05
"""Lowest target of a paw that searches the ground [m]."""


def landing(now: ControlInput, leg: int) -> Vector:
    """Return the landing position of a paw, like Body.paws. leg: index of the leg."""
    stance_time = now.gait["duty"][leg] / now.gait["frequency"]
    v, gains, name = now.memory.velocity, now.gains, LEGS[leg]
    recovery = minimum(0.5 * stance_time, sqrt(now.gait["height"] / STANDARD_GRAVITY))
    error = v.x - now.desired.speed
    forward = 0.5 * stance_time * now.desired.speed + (recovery + gains["step x"]) * error
    forward = forward - gains["step lag"] * now.memory.lag
    aside = (recovery + gains["step y"]) * v.y
    for side_lag in now.memory.side_lag:
        aside = 0.5 * stance_time * now.sideways + (recovery + gains["step y"]) * (v.y - now.sideways)
        aside = aside - where(now.gait["duty"][leg] < 0.5, gains["step lag"] * side_lag, 0.0)
    turned = 0.5 * stance_time * now.turn
    forward = forward - turned * foot_y(name, now.gait)
    aside = aside + turned * ahead(name) - now.gait["height"] * v.x * now.turn / STANDARD_GRAVITY
    x = ahead(name) - now.desired.place.x - now.gait["height"] * now.gait["slope"]
    y = foot_y(name, now.gait) - now.desired.place.y
    return Vector(x + clamp(forward, -REACH_X, REACH_X), y + clamp(aside, -REACH_Y, REACH_Y), PAW_RADIUS)


def paw_target(now: ControlInput, leg: int) -> Vector:
    """Return the target of a paw, like Body.paws: on its path in the swing, downward if it should stand but cannot."""
    duty, dt, last, v = now.gait["duty"][leg], now.dt, now.memory.place[leg], now.body.velocity
    search_target = Vector(
        last.x - v.x * dt, last.y - v.y * dt, clamp(last.z - now.gains["search"] * dt, MIN_TARGET_HEIGHT, 1.0)
    )
    s = clamp((now.memory.phases[leg] - duty) / (1.0 - duty), 0.0, 1.0)
    swing_time = (1.0 - duty) / now.gait["frequency"]
    end, start, slope = landing(now, leg), now.memory.lifted[leg], now.memory.velocity * -swing_time
    lift = 16.0 * now.gait["clearance"] * s * s * (1.0 - s) * (1.0 - s)
    x, y = _cubic(s, start.x, end.x, slope.x), _cubic(s, start.y, end.y, slope.y)
    z = start.z + s * (end.z - start.z) + lift
    down = now.scheduled[leg]
    return Vector(where(down, search_target.x, x), where(down, search_target.y, y), where(down, search_target.z, z))


def _cubic(s: Scalar, start: Scalar, end: Scalar, slope: Scalar) -> Scalar:
    """Return Hermite's cubic with one slope at both ends, at s in [0, 1]."""
    r = s * s * (3.0 - 2.0 * s)
    return start + r * (end - start) + s * (1.0 - s) * (1.0 - 2.0 * s) * slope


def swing_targets(now: ControlInput, leg: int, goal: list[Scalar]) -> list[Scalar]:
    """Return the targets with which a leg's servos follow a moving goal without lag [rad].

    leg: index of the leg. goal: desired joint angles now [rad].
    """
    return [
        q + servo.damping / servo.stiffness * clamp((q - before) / now.dt, -MAX_TARGET_SPEED, MAX_TARGET_SPEED)
        for q, before, servo in zip(goal, now.memory.angles[leg], SERVOS, strict=True)
    ]

"""The swinging legs: where the paw lands, and the way there.

p(s) = cubic from the place of lift-off to that of landing, with the ground's velocity at both ends
z(s) = ground + 16 clearance s^2 (1 - s)^2          s: time in the swing over its duration
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gambol.creatures.dog.body import Body
from gambol.creatures.dog.figure import LEGS, PAW_RADIUS
from gambol.creatures.dog.servos import SERVOS
from gambol.creatures.dog.stance import Wanted, ahead, foot_y
from gambol.lanes import Scalar, clamp, where
from gambol.spatial import Vector

if TYPE_CHECKING:
    from gambol.creatures.dog.law import DogMemory

GAINS = {
    "step x": 0.10,  # s, how much further ahead a paw lands for each m/s too fast
    "step lag": 0.2,  # how much further back for each metre of the integral of the speed error
    "step y": 0.12,  # s, the same to the side
    "search": 0.15,  # m/s, downwards speed of a paw that should stand and does not
    "filter": 20.0,  # 1/s, of the velocity for which a paw is placed: legs that swing shake the body
    "coupling": 6.0,  # 1/s, of the phases
}
"""Gains of the swinging legs; all are ours."""

FASTEST = 25.0  # rad/s, of a target: above it a swinging leg is not faster, only jerky


def landing(leg: int, pace: Mapping[str, Any], gains: Mapping[str, Any], wanted: Wanted, memory: DogMemory) -> Vector:
    """Return where a paw is to land, as places of paws are given. leg: its number."""
    stance_time = pace["duty"][leg] / pace["frequency"]
    vx, vy = memory.velocity.x, memory.velocity.y
    forward = 0.5 * stance_time * vx + gains["step x"] * (vx - wanted.speed) - gains["step lag"] * memory.lag
    aside = 0.5 * stance_time * vy + gains["step y"] * vy
    name = LEGS[leg]
    return Vector(ahead(name) + clamp(forward, -0.3, 0.3), foot_y(name, pace) + clamp(aside, -0.15, 0.15), PAW_RADIUS)


def place(
    body: Body,
    leg: int,
    pace: Mapping[str, Any],
    gains: Mapping[str, Any],
    wanted: Wanted,
    memory: DogMemory,
    scheduled: Any,
    dt: Scalar,
) -> Vector:
    """Return the target of a paw: on its way while it swings; on the way down if it should stand and does not."""
    duty, phase = pace["duty"][leg], memory.phases[leg]
    s = clamp((phase - duty) / (1.0 - duty), 0.0, 1.0)
    swing_time = (1.0 - duty) / pace["frequency"]
    end, start = landing(leg, pace, gains, wanted, memory), memory.lifted[leg]
    slope = [-swing_time * memory.velocity.x, -swing_time * memory.velocity.y]
    x, y = (_cubic(s, a, b, m) for a, b, m in zip((start.x, start.y), (end.x, end.y), slope, strict=True))
    lift = s * s * (1.0 - s) * (1.0 - s)
    z = start.z + s * (end.z - start.z) + 16.0 * pace["clearance"] * lift
    last = memory.place[leg]
    down = last.z - gains["search"] * dt
    sought = Vector(last.x - body.velocity.x * dt, last.y - body.velocity.y * dt, clamp(down, -0.05, 1.0))
    return Vector(*(where(scheduled, a, b) for a, b in zip(sought, (x, y, z), strict=True)))


def _cubic(s: Scalar, start: Scalar, end: Scalar, slope: Scalar) -> Scalar:
    """Return Hermite's cubic with one slope at both ends, at s in [0, 1]."""
    r = s * s * (3.0 - 2.0 * s)
    return start + r * (end - start) + s * (1.0 - s) * (1.0 - 2.0 * s) * slope


def targets(goal: Sequence[Scalar], last: Sequence[Scalar], gains: Mapping[str, Any], dt: Scalar) -> list[Scalar]:
    """Return the targets of a leg's servos that follow a moving goal without lag [rad].

    goal: angles now; last: those one control step ago.
    """
    return [
        q + servo.damping / servo.stiffness * clamp((q - before) / dt, -FASTEST, FASTEST)
        for q, before, servo in zip(goal, last, SERVOS, strict=True)
    ]

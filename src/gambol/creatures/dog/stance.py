"""The standing legs: forces of the feet, and the targets of the servos that cause them.

planned    a foot's share of the weight in pulses, along the line from the foot to its pivot
desired    force and moment of the planned pulses at the planned positions of feet, and feedback of the motion
feet       the planned forces, with the smallest changes that give the desired force and moment, see feet_forces()
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from gambol.creatures.dog.balance import feet_forces
from gambol.creatures.dog.control_input import ControlInput
from gambol.creatures.dog.figure import LEGS, dog_figure, limb, moments
from gambol.creatures.dog.reference import ahead, foot_y, share
from gambol.creatures.dog.servos import SERVOS
from gambol.dynamics import STANDARD_GRAVITY
from gambol.lanes import Scalar, clamp, maximum, sqrt, where
from gambol.spatial import Vector

STANCE_GAINS = {
    "speed": 6.0,  # 1/s, force along x and y / (mass x speed error)
    "lag": 1.0,  # 1/s2, force along x / (mass x integral of speed error)
    "side lag": 1.0,  # 1/s2, the same along y
    "height": 120.0,  # 1/s2
    "climb": 16.0,  # 1/s
    "attitude": 200.0,  # 1/s2, moment / (inertia x error of roll or pitch)
    "turning": 30.0,  # 1/s, moment / (inertia x error of angular velocity)
    "heading": 60.0,  # 1/s2
    "line": 0.3,  # rad/m, heading back to the line y = 0
    "grip": 0.6,  # largest horizontal force / vertical force of a foot
    "fold": 150.0,  # N m/rad, holds a leg's first and third segment at their angle
    "unfold": 1.5,  # N m s/rad
}
"""Gains of the standing legs. They are not from a source but were found by trials; with half or twice of most of them
the dog still moves."""

MAX_FOOT_FORCE = 2.5
"""Maximum vertical force of a foot, as a multiple of the dog's weight."""

MIN_HEIGHT = 0.1
"""Minimum height of the centre of mass in the direction of a force [m]: below it the dog has fallen."""


def foot_forces(now: ControlInput) -> list[Vector]:
    """Return the forces of the feet on the body, in axes of the heading [N]; 0 for feet that do not push."""
    feet = [now.body.from_centre(paw) for paw in now.body.paws]
    planned, force, moment = _planned(now, feet)
    force_feedback, moment_feedback = _feedback(now)
    force, moment = force + force_feedback, moment + moment_feedback
    for f, r in zip(planned, feet, strict=True):
        force, moment = force - f, moment - r.cross(f)
    extra = feet_forces(feet, _weights(now), force, moment)
    grip, largest = now.gains["grip"], MAX_FOOT_FORCE * STANDARD_GRAVITY * dog_figure().mass
    return [_gripping(f + df, on, grip, largest) for f, df, on in zip(planned, extra, now.pushing, strict=True)]


def _weights(now: ControlInput) -> list[Scalar]:
    """Return the weight of each foot in the feedback: the pulse, at most 1; so forces begin and end at 0."""
    legs = zip(now.pushing, now.pulses, now.gait["duty"], strict=True)
    return [where(on, 2.0 / math.pi * b * p.value, 0.0) for on, p, b in legs]


def _planned(now: ControlInput, feet: Sequence[Vector]) -> tuple[list[Vector], Vector, Vector]:
    """Return the planned forces of the feet that push [N], and force and moment of all feet that should push [N, N m].

    feet: positions from the centre of mass [m].
    """
    weight, gait = STANDARD_GRAVITY * dog_figure().mass, now.gait
    force, moment = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)
    planned: list[Vector] = []
    for leg, r, p, on in zip(LEGS, feet, now.pulses, now.pushing, strict=True):
        up, lever = weight * share(leg) * p.value, gait["pivot"] * ahead(leg)
        pushed = where(on, up, 0.0)
        per_height = pushed / maximum(-r.z, MIN_HEIGHT)
        planned.append(Vector(per_height * (lever - r.x), -per_height * r.y, pushed))
        x, y = lever - ahead(leg) + gait["height"] * gait["slope"], foot_y(leg, gait)
        force = force + Vector(x, -y, gait["height"]) * (up / gait["height"])
        moment = moment + Vector(0.0, -up * lever, 0.0)
    return planned, force, moment


def _feedback(now: ControlInput) -> tuple[Vector, Vector]:
    """Return the force and the moment on the body that correct its motion [N, N m]."""
    body, desired, gains = now.body, now.desired, now.gains
    m, (Ix, Iy, Iz) = dog_figure().mass, moments()
    error = desired.velocity - body.velocity
    force = Vector(
        m * (gains["speed"] * error.x + gains["lag"] * now.memory.lag),
        m * gains["speed"] * error.y + m * now.desired.speed * now.turn,
        m * (gains["height"] * (desired.place.z - body.height) + gains["climb"] * error.z),
    )
    for side_lag in now.memory.side_lag:
        force = force + Vector(-m * now.sideways * now.turn, m * gains["side lag"] * side_lag, 0.0)
    roll, pitch = body.attitude.rows[2][1], -body.attitude.rows[2][0]
    return force, Vector(
        Ix * (-gains["attitude"] * roll - gains["turning"] * body.omega.x),
        Iy * (gains["attitude"] * (desired.pitch - pitch) + gains["turning"] * (desired.pitch_rate - body.omega.y)),
        Iz * (gains["heading"] * now.astray + gains["turning"] * (now.turn - body.omega.z)),
    )


def _gripping(force: Vector, pushes: Scalar, grip: Scalar, largest: Scalar) -> Vector:
    """Return the force of a foot that neither pulls nor slips; 0 if it does not push."""
    up = where(pushes, clamp(force.z, 0.0, largest), 0.0)
    sideways = sqrt(force.x * force.x + force.y * force.y + 1e-12)
    scale = clamp(grip * up / sideways, 0.0, 1.0)
    return Vector(scale * force.x, scale * force.y, up)


def stance_targets(now: ControlInput, leg: int, force: Vector) -> list[Scalar]:
    """Return the servo targets with which a leg exerts a force at its foot [rad].

    leg: index of the leg. force: force on the body, in axes of the heading [N].
    """
    own, (q, v) = limb(LEGS[leg]).leg, now.body.joints(LEGS[leg])
    torques = own.torques(q, now.body.into_trunk(force))
    fold = now.gains["fold"] * (own.delta - q[2] - q[3]) - now.gains["unfold"] * (v[2] + v[3])
    torques = [torques[0], torques[1], torques[2] + fold, torques[3] + fold]
    return [
        angle + now.dt * speed + (tau + servo.damping * speed) / servo.stiffness
        for angle, speed, tau, servo in zip(q, v, torques, SERVOS, strict=True)
    ]

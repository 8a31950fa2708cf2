"""The standing legs: the wanted motion of the body, the forces of the feet, and the servos that give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gambol.creatures.dog.balance import feet_forces
from gambol.creatures.dog.body import Body
from gambol.creatures.dog.figure import LEGS, centre_in_trunk, dog_figure, joint_position, limb, moments
from gambol.creatures.dog.pace import smooth
from gambol.creatures.dog.reference import Pulse
from gambol.creatures.dog.servos import SERVOS
from gambol.dynamics import STANDARD_GRAVITY
from gambol.lanes import Scalar, clamp, maximum, sqrt, total, where
from gambol.spatial import Vector

if TYPE_CHECKING:
    from gambol.creatures.dog.law import DogMemory

GAINS = {
    "acceleration": 1.5,  # m/s2, mean, from rest to its speed
    "speed": 6.0,  # 1/s, force along x and y over mass and speed error
    "lag": 1.0,  # 1/s2, force along x over mass and integral of speed error
    "height": 120.0,  # 1/s2
    "climb": 16.0,  # 1/s
    "attitude": 200.0,  # 1/s2, moment over inertia and error of roll or pitch
    "turning": 30.0,  # 1/s, moment over inertia and error of angular velocity
    "heading": 60.0,  # 1/s2
    "line": 0.3,  # rad/m, heading back to the line y = 0
    "grip": 0.6,  # largest horizontal over vertical force of a foot
    "fold": 150.0,  # N m/rad, holds a leg's first and third segment at their angle
    "unfold": 1.5,  # N m s/rad
}
"""Gains of the standing legs; all are ours."""

SHORTEST_START = 1.0  # s, until it has its speed

LARGEST = 2.5
"""Largest vertical force of a foot over the dog's weight."""

MIN_HEIGHT = 0.1  # m, of the centre of mass in the direction of a force: below it the dog has fallen


@dataclass(frozen=True, slots=True)
class Wanted:
    """The motion that the pulses of the gait give. speed: mean [m/s]; velocity [m/s]; height [m]; pitch, rate."""

    speed: Scalar
    velocity: Vector
    height: Scalar
    pitch: Scalar
    pitch_rate: Scalar


def ahead(leg: str) -> float:
    """Return how far ahead of the centre of mass a leg's upper joint is [m]."""
    return joint_position(leg)[0] - centre_in_trunk().x


def share(leg: str) -> float:
    """Return a leg's share of the weight: those at which a dog that stands on four feet does not turn."""
    front, hind = ahead("front left"), -ahead("hind left")
    return 0.5 * (hind if leg.startswith("front") else front) / (front + hind)


def reference(pace: Mapping[str, Any], pulses: Sequence[Pulse], time: Scalar, gains: Mapping[str, Any]) -> Wanted:
    """Return the motion of the body that the pulses of all legs would give it, with a mean speed that rises at first."""
    g, m, inertia, h = STANDARD_GRAVITY, dog_figure().mass, moments()[1], pace["height"]
    speed = pace["speed"] * smooth(time / maximum(pace["speed"] / gains["acceleration"], SHORTEST_START))
    lever = [pace["pivot"] * ahead(leg) for leg in LEGS]
    lift = [g * share(leg) for leg in LEGS]
    along = total(a * (x - ahead(leg)) / h * p.first for leg, a, x, p in zip(LEGS, lift, lever, pulses, strict=True))
    across = total(-a * foot_y(leg, pace) / h * p.first for leg, a, p in zip(LEGS, lift, pulses, strict=True))
    up = total(a * p.first for a, p in zip(lift, pulses, strict=True))
    pitch = [-m / inertia * a * x for a, x in zip(lift, lever, strict=True)]
    return Wanted(
        speed,
        Vector(speed + along, across, up),
        h + total(a * p.second for a, p in zip(lift, pulses, strict=True)),
        total(k * p.second for k, p in zip(pitch, pulses, strict=True)),
        total(k * p.first for k, p in zip(pitch, pulses, strict=True)),
    )


def foot_y(leg: str, pace: Mapping[str, Any]) -> Scalar:
    """Return how far left of the centre of mass a foot stands [m]."""
    return pace["width"] * joint_position(leg)[1]


def forces(
    body: Body,
    pace: Mapping[str, Any],
    gains: Mapping[str, Any],
    wanted: Wanted,
    memory: DogMemory,
    pulses: Sequence[Pulse],
    pushing: Sequence[Any],
) -> list[Vector]:
    """Return the forces of the feet on the body, in axes of the heading [N]; 0 for feet that do not push."""
    feet = [body.from_centre(paw) for paw in body.paws]
    planned, force, moment = _planned(pace, pulses, feet, pushing)
    weights = [where(on, p.value * (0.64 * b), 0.0) for on, p, b in zip(pushing, pulses, pace["duty"], strict=True)]
    more, turn = _feedback(body, gains, wanted, memory)
    force, moment = force + more, moment + turn
    for f, r in zip(planned, feet, strict=True):
        force, moment = force - f, moment - r.cross(f)
    extra = feet_forces(feet, weights, force, moment)
    largest = LARGEST * STANDARD_GRAVITY * dog_figure().mass
    return [_gripping(f + df, on, gains["grip"], largest) for f, df, on in zip(planned, extra, pushing, strict=True)]


def _planned(
    pace: Mapping[str, Any], pulses: Sequence[Pulse], feet: Sequence[Vector], pushing: Sequence[Any]
) -> tuple[list[Vector], Vector, Vector]:
    """Return the planned forces of the feet that push [N], and force and moment of all that should [N, N m].

    feet: from the centre of mass [m].
    """
    weight, h = STANDARD_GRAVITY * dog_figure().mass, pace["height"]
    force, turning = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)
    planned: list[Vector] = []
    for leg, r, p, on in zip(LEGS, feet, pulses, pushing, strict=True):
        up = weight * share(leg) * p.value
        lever, over = pace["pivot"] * ahead(leg), where(on, up, 0.0) / maximum(-r.z, MIN_HEIGHT)
        planned.append(Vector(over * (lever - r.x), -over * r.y, where(on, up, 0.0)))
        force = force + Vector(up * (lever - ahead(leg)) / h, -up * foot_y(leg, pace) / h, up)
        turning = turning + Vector(0.0, -up * lever, 0.0)
    return planned, force, turning


def _feedback(body: Body, gains: Mapping[str, Any], wanted: Wanted, memory: DogMemory) -> tuple[Vector, Vector]:
    """Return the force and the moment on the body that correct its motion [N, N m]."""
    m, (Ix, Iy, Iz) = dog_figure().mass, moments()
    error = wanted.velocity - body.velocity
    force = Vector(
        m * (gains["speed"] * error.x + gains["lag"] * memory.lag),
        m * gains["speed"] * error.y,
        m * (gains["height"] * (wanted.height - body.height) + gains["climb"] * error.z),
    )
    roll, pitch = body.attitude.rows[2][1], -body.attitude.rows[2][0]
    heading = -clamp(gains["line"] * body.place.y, -0.3, 0.3)
    return force, Vector(
        Ix * (-gains["attitude"] * roll - gains["turning"] * body.omega.x),
        Iy * (gains["attitude"] * (wanted.pitch - pitch) + gains["turning"] * (wanted.pitch_rate - body.omega.y)),
        Iz * (gains["heading"] * (heading - body.sine) - gains["turning"] * body.omega.z),
    )


def _gripping(force: Vector, pushes: Any, grip: Scalar, largest: Scalar) -> Vector:
    """Return the force of a foot that neither pulls nor slips; 0 if it does not push."""
    up = where(pushes, clamp(force.z, 0.0, largest), 0.0)
    sideways = sqrt(force.x * force.x + force.y * force.y + 1e-12)
    scale = clamp(grip * up / sideways, 0.0, 1.0)
    return Vector(scale * force.x, scale * force.y, up)


def targets(
    leg: str, q: Sequence[Scalar], v: Sequence[Scalar], force: Vector, gains: Mapping[str, Any], dt: Scalar
) -> list[Scalar]:
    """Return the targets at which the servos of a leg push with a force at its foot [rad].

    q, v: of its joints. force: on the body, in axes of the trunk [N].
    """
    own = limb(leg).leg
    torques = own.torques(q, force)
    fold = gains["fold"] * (own.delta - q[2] - q[3]) - gains["unfold"] * (v[2] + v[3])
    torques = [torques[0], torques[1], torques[2] + fold, torques[3] + fold]
    return [
        angle + dt * speed + (tau + servo.damping * speed) / servo.stiffness
        for angle, speed, tau, servo in zip(q, v, torques, SERVOS, strict=True)
    ]

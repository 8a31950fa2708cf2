"""The balanced waves of the joints of legs, heads and tails for a stride.

    target   inverse kinematics of the foot's path, minus the deflection of the servo under the load f: f (dz/dq) / k
    wave     offset and first harmonics of (target - middle) / reach
    gains    joint angles that move the foot by catch sqrt(h / g) (v - v_0) and by right h u, see balanced.py

Quantities may be arrays over creatures (W,); the result for a creature does not depend on the others.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from gambol.control.patterns import BalancedWave, Wave
from gambol.dynamics import STANDARD_GRAVITY
from gambol.dynamics.forward.systems import factorised, lower
from gambol.evolve.genotype.body import Body, Limb, spine_of, spines_of
from gambol.evolve.genotype.walking.leg import Leg, inverse_kinematics
from gambol.evolve.genotype.walking.spine import Spine, sine, spine_wave
from gambol.evolve.genotype.walking.stride import Stride, foot_path, foot_roll
from gambol.evolve.genotype.walking.walker import Walker
from gambol.lanes import Scalar, clamp, maximum, minimum, sqrt, total, where
from gambol.spatial import Vector
from gambol.spatial.dense import dot, transposed

SAMPLES = 24
"""Number of samples of a stride: eight for each period of the highest harmonic."""

HARMONICS = 3
"""Number of harmonics of the waves: with more of them, feet hit the ground harder."""

MAX_LOAD_CORRECTION = 0.25
"""Maximum change of a target that compensates for the weight [rad or m]."""

INVERSE_DAMPING = 0.0025
"""Damping of the pseudo-inverse of a foot's Jacobian, divided by h^2: it keeps gains small in directions in which a leg
cannot move its foot."""

TAIL_LAG = 0.08
"""Lag of each joint of a tail behind the joint before it [cycles]."""


def leg_waves(walker: Walker, leg: Leg, number: int, stride: Stride, aside: Scalar = 0.0) -> list[BalancedWave]:
    """Return the waves of a leg's joints.

    number: index of its pair, from the hindmost. aside: displacement to the left of a left foot during a stance [h].
    """
    lag = number * stride.lag
    targets, gains_of_joints = _targets(walker, leg, number, stride, aside), _gains(walker, leg, stride)
    rows = zip(targets, leg.middle, leg.reach, gains_of_joints, strict=True)
    return [
        BalancedWave(wave_of([(x - middle) / reach for x in row], lag), gains) for row, middle, reach, gains in rows
    ]


def _targets(walker: Walker, leg: Leg, number: int, stride: Stride, aside: Scalar) -> list[list[Scalar]]:
    """Return the targets of each joint of a leg at the samples of a stride that begins with its landing [rad or m]."""
    is_single = all(isinstance(x, (int, float)) for x in asdict(stride).values())
    stride, phase = _sampled(stride)
    h, load = walker.height, walker.loads[number]
    aside = np.tile(np.broadcast_to(aside, len(phase) // SAMPLES), SAMPLES)
    rest = leg.foot(leg.middle).position
    front = stride.shift + stride.spread * (number / max(1, len(walker.legs) - 1))
    forward, upward = foot_path(stride.duty, phase)
    time = phase + number * stride.lag
    y = rest.y - h * stride.sway * sine(time + stride.sway_phase) + h * aside * forward
    z = -h * (1.0 - stride.crouch + stride.bob * sine(2.0 * (time + stride.bob_phase)) - stride.lift * upward)
    desired = Vector(rest.x + h * (front + stride.travel * forward), y, z)
    toe_height = -leg.foot_length * stride.roll * foot_roll(stride.duty, phase)
    bend = leg.spine.bend(stride, time)
    q = inverse_kinematics(leg, _in_trunk(walker.spine, stride, time, desired), toe_height, h, bend)
    force = where(phase < stride.duty, load / stride.duty, 0.0)
    targets = list[list[Scalar]]()
    for x, column, stiffness in zip(q, leg.foot(q, bend).jacobian, walker.stiffness(leg), strict=True):
        target = x - clamp(column.z * force / stiffness, -MAX_LOAD_CORRECTION, MAX_LOAD_CORRECTION)
        targets.append(target.tolist() if is_single else list(target.reshape(SAMPLES, -1)))
    return targets


def _in_trunk(spine: Spine, stride: Stride, time: Scalar, desired: Vector) -> Vector:
    """Return a desired position of a foot in the trunk's axes; desired: in the axes of the body's course [m]."""
    if not spine.joints:
        return desired
    s, c = spine.course(spine.bend(stride, time))
    return Vector(c * desired.x - s * desired.y, s * desired.x + c * desired.y, desired.z)


def _sampled(stride: Stride) -> tuple[Stride, Scalar]:
    """Return a stride with an array (SAMPLES W,) for each value, and the phases of the samples [cycles]."""
    values = np.broadcast_arrays(*(np.atleast_1d(np.asarray(x, float)) for x in asdict(stride).values()))
    return Stride(*(np.tile(x, SAMPLES) for x in values)), np.repeat(np.arange(SAMPLES) / SAMPLES, len(values[0]))


def wave_of(signal: Sequence[Scalar], lag: Scalar) -> Wave:
    """Return the wave with the offset and the first harmonics of a signal, delayed by a lag [cycles].

    signal: equidistant samples of one cycle. Amplitudes are limited to the bounds of their genes, and the sum of all to
    1, so that the wave stays within [-1, 1].
    """
    count = len(signal)
    offset = clamp(total(signal) / count, -0.5, 0.5)
    amplitudes, phases = list[Scalar](), list[Scalar]()
    for k in range(1, HARMONICS + 1):
        angles = [2.0 * math.pi * k * j / count for j in range(count)]
        sine = total(x * math.sin(a) for x, a in zip(signal, angles, strict=True)) * (2.0 / count)
        cosine = total(x * math.cos(a) for x, a in zip(signal, angles, strict=True)) * (2.0 / count)
        amplitudes.append(minimum(sqrt(sine * sine + cosine * cosine), 1.0 / k))
        phases.append(_angle(cosine, sine) / (2.0 * math.pi) - k * lag)
    scale = minimum(1.0, (1.0 - abs(offset)) / maximum(total(amplitudes), 1e-9))
    return Wave(offset, tuple(scale * a for a in amplitudes), tuple(phases))


def _angle(y: Scalar, x: Scalar) -> Scalar:
    """Return atan2(y, x), with the same bits for floats and arrays."""
    if isinstance(y, (int, float)):
        return math.atan2(y, x)
    return np.array([math.atan2(a, b) for a, b in zip(y.tolist(), x.tolist(), strict=True)])


def _gains(walker: Walker, leg: Leg, stride: Stride) -> list[tuple[Scalar, ...]]:
    """Return the gains of each joint of a leg, in the order of balanced.GAINS."""
    h, pendulum = walker.height, math.sqrt(walker.height / STANDARD_GRAVITY)
    Jt = [list(column) for column in leg.foot(leg.middle).jacobian]
    J = transposed(Jt)
    A = [[dot(a, b, INVERSE_DAMPING * h * h if a is b else 0.0) for b in J] for a in J]
    factors = factorised(lower(A))
    forward, lateral = (factors.solve(axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    gains = list[tuple[Scalar, ...]]()
    for row, reach in zip(Jt, leg.reach, strict=True):
        x, y = (dot(row, weights) / reach for weights in (forward, lateral))
        sagittal = (-stride.right_ahead * (h * x), stride.catch_ahead * (pendulum * x))
        gains.append((*sagittal, -stride.right_aside * (h * y), stride.catch_aside * (pendulum * y)))
    return gains


def wave_without_foot(body: Body, number: int, stride: Stride, joint: int) -> BalancedWave:
    """Return the wave of a joint of a limb without a foot: heads nod twice in a stride, tails wag once, spines bend.

    number: index of the limb. joint: index of the joint, from the trunk outward.
    """
    zero = 0.0 * stride.nod
    if number in spines_of(body):
        wave = spine_wave(body.limbs[number].freedoms[joint], stride, joint)
    elif is_in_front(body, body.limbs[number]):
        wave = Wave(zero, (zero, 0.5 * stride.nod, zero), (zero, 2.0 * stride.nod_phase, zero))
    else:
        wave = Wave(zero, (stride.wag, zero, zero), (stride.wag_phase - joint * TAIL_LAG, zero, zero))
    return BalancedWave(wave, (zero, zero, zero, zero))


def is_in_front(body: Body, limb: Limb) -> bool:
    """Return True for a limb in front of the trunk's centre, such as a head, or on a spine that is in front of it."""
    found = spine_of(body, limb)
    return (limb if found is None else body.limbs[found[0]]).at[0] > 0.0

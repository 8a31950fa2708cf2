"""The control "stride": the genes of a stride, and the balanced waves of a body that make it.

target   inverse kinematics of the foot's path, minus its load times dz/dq / k   k: stiffness of the servo
wave     offset and first harmonics of (target - middle) / reach
gains    joint angles that move the foot by catch sqrt(h / g) (v - v_0) and by right h u, see balanced.py
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gambol.control.gene import Gene
from gambol.control.patterns import Balanced, BalancedWave, Pattern, PatternShape, Wave
from gambol.dynamics import STANDARD_GRAVITY, centre_of_mass, kinematics
from gambol.errors import EvolveError
from gambol.evolve.genotype.body import Body, Limb
from gambol.evolve.genotype.genotype import Control, Genotype, with_neutral_control
from gambol.evolve.genotype.growth import Phenotype, grow
from gambol.evolve.genotype.walking.leg import Leg, inverse_kinematics, legs_of, solved
from gambol.evolve.genotype.walking.stride import SAMPLES, Stride, foot_path, genes_of_stride
from gambol.lanes import Scalar, clamp, elementwise, maximum, minimum, sqrt, total, where
from gambol.spatial import Vector

HARMONICS = 3
"""Number of harmonics of the waves: more of them make the landing of a foot harder."""

LARGEST_SAG = 0.25
"""Largest correction of a target for the weight [rad or m]."""

LEAST_SHARE = 0.02
"""Least part of the weight that is assumed on a pair of feet."""

STIFF = 0.0025
"""Damping of the inverse of a foot's derivatives, over h^2: a leg without a joint for a direction does not use it."""

ROLLING = 0.35
"""Part of a stance, the last one, in which a foot that lies on the ground turns about its end."""

TAIL_LAG = 0.08
"""Lag of each joint of a tail behind the one before [cycles]: loose parts follow."""


@dataclass(frozen=True)
class Walker:
    """A body with its legs. loads: mean vertical force on each leg of the pairs, over a stride [N]."""

    body: Body
    creature: Phenotype
    legs: tuple[Leg, ...]
    loads: tuple[float, ...]


def pairs_of(body: Body) -> int:
    """Return the number of pairs of legs."""
    return sum(limb.mirrored and limb.foot for limb in body.limbs)


def stride_genes(body: Body, control: Control) -> tuple[Gene, ...]:
    """Return the genes of the control "stride" for a body. Raises EvolveError for a body without a pair of legs."""
    if not (pairs := pairs_of(body)):
        raise EvolveError('the control "stride" needs a pair of legs; take a body with legs, or another control')
    return _genes(pairs, control.slowest, control.fastest)


@lru_cache(maxsize=16)
def _genes(pairs: int, slowest: float, fastest: float) -> tuple[Gene, ...]:
    return genes_of_stride(pairs, slowest, fastest)


@lru_cache(maxsize=16)
def walker_of(body: Body) -> Walker:
    """Return the walker of a body with legs."""
    creature = grow(with_neutral_control(Genotype(body)))
    legs = legs_of(body, creature.figure)
    state = kinematics(creature.figure, list(creature.q), [0.0] * creature.figure.nv)
    shares = _shares([float(leg.place(leg.middle).lowest.x) for leg in legs], float(centre_of_mass(state)[0]))
    weight = float(creature.figure.mass) * STANDARD_GRAVITY
    return Walker(body, creature, legs, tuple(0.5 * weight * share for share in shares))


def _shares(places: Sequence[float], centre: float) -> list[float]:
    """Return the parts of the weight that pairs of feet carry: of all that balance it, the most equal ones.

    places: of the pairs along x; centre: that of the centre of mass [m].
    """
    A = np.array([np.ones(len(places)), places]) if len(places) > 1 else np.ones((1, 1))
    shares = np.linalg.pinv(A) @ np.array([1.0, centre])[: len(A)]
    return [max(float(share), LEAST_SHARE) for share in shares]


def stride_pattern(body: Body, control: Control) -> Pattern:
    """Return the pattern with one signal for each muscle of a body, in the order of links.

    control: with the genes of a stride; its values may be arrays (W,).
    """
    stride, walker = Stride(*control.values), walker_of(body)
    waves: dict[tuple[int, int], BalancedWave] = {}
    for k, (leg, load) in enumerate(zip(walker.legs, walker.loads, strict=True)):
        waves |= {(leg.limb, j): wave for j, wave in enumerate(_leg_waves(walker, leg, stride, k, load))}
    for n, limb in enumerate(body.limbs):
        if not limb.foot:
            waves |= {(n, j): _loose_wave(limb, stride, j) for j in range(len(limb.freedoms))}
    keys = [(n, j) for n, limb in enumerate(body.limbs) for j in range(len(limb.freedoms))]
    speed = stride.travel * walker.creature.height * stride.frequency / stride.duty
    shape = _shape(len(keys), control)
    pattern = Balanced(shape, stride.frequency, speed, tuple(waves[key] for key in keys))
    sources = [
        keys.index((n, j)) for n, limb in enumerate(body.limbs) for _ in limb.sides for j in range(len(limb.freedoms))
    ]
    sides = [side for limb in body.limbs for side in limb.sides for _ in limb.freedoms]
    return pattern.with_twins(
        sources, [0.5 if side == "right" else 0.0 for side in sides], _shape(len(sources), control)
    )


def _shape(actuators: int, control: Control) -> PatternShape:
    return PatternShape(actuators, size=HARMONICS, slowest=control.slowest, fastest=control.fastest)


def _leg_waves(walker: Walker, leg: Leg, stride: Stride, number: int, load: float) -> list[BalancedWave]:
    """Return the waves of a leg's joints. number: of its pair, from the back; load: see Walker."""
    lag = number * stride.lag
    targets = _targets(walker, leg, stride, number, load)
    gains = _gains(walker, leg, stride)
    waves = list[BalancedWave]()
    for signals, middle, reach, own in zip(targets, leg.middle, leg.reach, gains, strict=True):
        waves.append(BalancedWave(_wave([(x - middle) / reach for x in signals], lag), own))
    return waves


def _targets(walker: Walker, leg: Leg, stride: Stride, number: int, load: float) -> list[list[Scalar]]:
    """Return the targets of each joint of a leg at the samples of a stride that begins with its landing [rad or m]."""
    h = walker.creature.height
    rest = leg.place(leg.middle).lowest
    front = stride.shift + stride.spread * (number / max(1, len(walker.legs) - 1))
    lag = number * stride.lag
    stiffness = [walker.creature.actuators[m.link].numbers()["stiffness"] for m in leg.muscles]
    samples: list[list[Scalar]] = []
    for k in range(SAMPLES):
        forward, upward, stands = foot_path(stride.duty, k)
        time = k / SAMPLES + lag
        y = rest.y - h * stride.sway * _sine(time + stride.sway_phase)
        z = -h * (1.0 - stride.crouch + stride.bob * _sine(2.0 * (time + stride.bob_phase)) - stride.lift * upward)
        wanted = Vector(rest.x + h * (front + stride.travel * forward), y, z)
        q = inverse_kinematics(leg, wanted, -leg.end * stride.roll * _rolled(stride.duty, k), h)
        force = where(stands, load / stride.duty, 0.0)
        slopes = leg.place(q).slopes
        samples.append(
            [
                x - clamp(slope.z * force / stiff, -LARGEST_SAG, LARGEST_SAG)
                for x, slope, stiff in zip(q, slopes, stiffness, strict=True)
            ]
        )
    return [list(row) for row in zip(*samples, strict=True)]


def _rolled(duty: Scalar, sample: int) -> Scalar:
    """Return how far a lying foot has turned, from 0 to 1: it turns at the end of the stance, and back in the swing."""
    phase = sample / SAMPLES
    up = clamp((phase / duty - (1.0 - ROLLING)) / ROLLING, 0.0, 1.0)
    back = clamp(1.0 - 2.0 * (phase - duty) / (1.0 - duty), -0.5, 1.0)
    return where(phase < duty, up, back)


def _sine(cycles: Scalar) -> Scalar:
    return elementwise(lambda x: math.sin(2.0 * math.pi * x), cycles)


def _wave(signal: Sequence[Scalar], lag: Scalar) -> Wave:
    """Return the wave nearest to a signal that begins after a lag [cycles]."""
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
    h, slopes = walker.creature.height, leg.place(leg.middle).slopes
    pendulum = math.sqrt(h / STANDARD_GRAVITY)
    J = [[slope.x, slope.y, slope.z] for slope in slopes]
    JJt = [
        [total(row[a] * row[b] for row in J) + (STIFF * h * h if a == b else 0.0) for b in range(3)] for a in range(3)
    ]
    ahead, aside = (solved(JJt, [1.0 if a == axis else 0.0 for a in range(3)]) for axis in (0, 1))
    gains = list[tuple[Scalar, ...]]()
    for row, reach in zip(J, leg.reach, strict=True):
        x, y = (total(a * b for a, b in zip(row, weights, strict=True)) / reach for weights in (ahead, aside))
        gains.append(
            (
                -stride.right_ahead * (h * x),
                stride.catch_ahead * (pendulum * x),
                -stride.right_aside * (h * y),
                stride.catch_aside * (pendulum * y),
            )
        )
    return gains


def _loose_wave(limb: Limb, stride: Stride, joint: int) -> BalancedWave:
    """Return the wave of a joint of a head or a tail: heads nod twice in a stride, tails wag once."""
    none = 0.0 * stride.nod
    if limb.at[0] > 0.0:
        wave = Wave(none, (none, 0.5 * stride.nod, none), (none, 2.0 * stride.nod_phase, none))
    else:
        wave = Wave(none, (stride.wag, none, none), (stride.wag_phase - joint * TAIL_LAG, none, none))
    return BalancedWave(wave, (none, none, none, none))

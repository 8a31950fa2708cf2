"""The control of a stride: targets of all joints from the paths of the feet, as waves of a spectral or balanced pattern.

    target    inverse kinematics of the foot's path + J^T f / k      f: the foot's share of the weight; k: stiffness
    wave      the first harmonics of (target - middle) / reach
    gains     joint angles that move the foot by catch_speed sqrt(h / g) (v - v_0) and catch_tilt h u
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gambol.control.gene import Gene
from gambol.dynamics import STANDARD_GRAVITY, centre_of_mass, kinematics
from gambol.evolve.genotype.body import Body
from gambol.evolve.genotype.genotype import Control, Genotype, control_genes, with_neutral_control
from gambol.evolve.genotype.growth import Phenotype, grow
from gambol.evolve.genotype.walking.leg import Array, Leg, inverse_kinematics, legs_of
from gambol.evolve.genotype.walking.stride import Stride, foot_path, landings

SAMPLES = 24
"""Number of samples of a stride: eight for each period of the highest usual harmonic."""

LARGEST_SAG = 0.25
"""Largest correction of a target for the weight [rad or m]."""

LEAST_SHARE = 0.02
"""Least part of the weight that is assumed on a pair of feet."""


@dataclass(frozen=True)
class Walker:
    """A body with its legs, as far as all its strides share them.

    loads: mean vertical force on each leg of the pairs, over a stride [N].
    """

    body: Body
    creature: Phenotype
    legs: tuple[Leg, ...]
    loads: tuple[float, ...]

    @property
    def height(self) -> float:
        """The height of the trunk at rest [m]."""
        return self.creature.height


def walker_of(body: Body) -> Walker:
    """Return the walker of a body. It must have legs."""
    creature = grow(with_neutral_control(Genotype(body)))
    legs = legs_of(body, creature.figure)
    state = kinematics(creature.figure, list(creature.q), [0.0] * creature.figure.nv)
    centre = float(centre_of_mass(state)[0])
    places = [float(leg.ends(leg.middle[:, None])[0][0, 0]) for leg in legs]
    weight = float(creature.figure.mass) * STANDARD_GRAVITY
    return Walker(body, creature, legs, tuple(0.5 * weight * share for share in _shares(places, centre)))


def walking(walker: Walker, control: Control, stride: Stride) -> Genotype:
    """Return the genotype of a walker with the control of a stride. control: kind and settings; its values are not read.

    Genes of joints that no leg has are 0, such as those of a tail; every gene is within its bounds.
    """
    body, legs = walker.body, walker.legs
    lags = stride.landings or landings(len(legs))
    values: dict[str, float] = {"frequency": stride.frequency, "speed": _speed(walker, stride)}
    first = list(np.cumsum([0, *(len(limb.freedoms) for limb in body.limbs)]))
    for k, (leg, lag, load) in enumerate(zip(legs, lags, walker.loads, strict=True)):
        signals = (_targets(walker, leg, stride, k, load) - leg.middle[:, None]) / leg.reach[:, None]
        gains = _gains(walker, leg, stride)
        for joint in range(len(leg.muscles)):
            name = f"actuator {first[leg.limb] + joint}"
            values |= {f"{name} {word}": x for word, x in _wave(signals[joint], lag, control).items()}
            values |= {f"{name} {word} gain": x[joint] for word, x in gains.items()}
    genes = control_genes(body, control)
    numbers = tuple(_within(gene, values.get(gene.name, 0.0)) for gene in genes)
    return Genotype(body, replace(control, values=numbers, shifts=tuple(0.5 if x.mirrored else 0.0 for x in body.limbs)))


def _within(gene: Gene, value: float) -> float:
    return float(value % 1.0 if gene.cyclic else min(max(value, gene.lower), gene.upper))


def _speed(walker: Walker, stride: Stride) -> float:
    """Return the speed of a stride [m/s]."""
    return stride.travel * walker.height * stride.frequency / stride.duty


def _targets(walker: Walker, leg: Leg, stride: Stride, number: int, load: float) -> Array:
    """Return the targets of a leg's joints over a stride that begins with its landing (n, SAMPLES) [rad or m]."""
    h = walker.height
    ground = -h * (1.0 - stride.crouch)
    rest, _ = leg.ends(leg.middle[:, None])
    forward, upward = foot_path(stride, SAMPLES)
    front = stride.spread * number / max(1, len(walker.legs) - 1)
    x = float(rest[0, 0]) + h * (forward + stride.shift + front)
    q = inverse_kinematics(leg, np.array([x, np.full(SAMPLES, rest[1, 0]), ground + h * upward]), h)
    stands = np.arange(SAMPLES) < stride.duty * SAMPLES
    force = np.where(stands, load / stride.duty, 0.0)
    stiffness = np.array([walker.creature.actuators[m.link].numbers()["stiffness"] for m in leg.muscles])
    sag = -leg.slopes(q)[:, 2] * force / stiffness[:, None]
    return q + np.clip(sag, -LARGEST_SAG, LARGEST_SAG)


def _wave(signal: Array, lag: float, control: Control) -> dict[str, float]:
    """Return the genes of the wave nearest to a signal that begins after a lag [cycles]."""
    spectrum = np.fft.rfft(signal) / len(signal)
    count = control.size or 3
    offset = float(np.clip(spectrum[0].real, -0.5, 0.5))
    amplitudes = [min(2.0 * abs(spectrum[k]), 1.0 / k) for k in range(1, count + 1)]
    scale = min(1.0, (1.0 - abs(offset)) / max(sum(amplitudes), 1e-9))
    genes = {"offset": offset}
    for k, amplitude in enumerate(amplitudes, start=1):
        genes[f"amplitude {k}"] = scale * amplitude
        genes[f"phase {k}"] = (float(np.angle(spectrum[k])) / (2.0 * math.pi) + 0.25 - k * lag) % 1.0
    return genes


def _gains(walker: Walker, leg: Leg, stride: Stride) -> dict[str, Sequence[float]]:
    """Return the gains of a leg's joints, by name."""
    h = walker.height
    J = leg.slopes(leg.middle[:, None])[:, :, 0].T
    joints = J.T @ np.linalg.inv(J @ J.T + (0.05 * h) ** 2 * np.eye(3)) / leg.reach[:, None]
    ahead, aside, pendulum = joints[:, 0], joints[:, 1], math.sqrt(h / STANDARD_GRAVITY)
    return {
        "speed": list(stride.catch_speed[0] * pendulum * ahead),
        "pitch": list(-stride.catch_tilt[0] * h * ahead),
        "side": list(stride.catch_speed[1] * pendulum * aside),
        "roll": list(-stride.catch_tilt[1] * h * aside),
    }


def _shares(places: Sequence[float], centre: float) -> list[float]:
    """Return the parts of the weight that pairs of feet carry: of all that balance it, the most equal ones.

    places: of the pairs along x; centre: that of the centre of mass [m].
    """
    A = np.array([np.ones(len(places)), places]) if len(places) > 1 else np.ones((1, 1))
    shares = np.linalg.pinv(A) @ np.array([1.0, centre])[: len(A)]
    return [max(float(share), LEAST_SHARE) for share in shares]

"""The metabolic power of muscles: heat of activation, maintenance, shortening and lengthening, and work.

    Umberger et al. 2003 [W/kg]                         l in optimal lengths, v in optimal lengths per second
        A = u if u > a else (u + a) / 2                 s = slow part of the fibres, S = 1.5 (aerobic) or 1
        am = 25 + 128 (1 - s)
        sl = min(-cs v, 100) s - cf v (1 - s), v <= 0   cs = 100 / (vmax / 2.5), cf = 153 / vmax
        sl = 4 cs v, v > 0
        h = S A^0.6 am (1 if l <= 1 else 0.4 + 0.6 fl) + S (A^2 if v <= 0 else A) sl (1 if l <= 1 else fl), 1 or more

    Bhargava et al. 2004 [W]                            us = s sin(pi u / 2), uf = (1 - s)(1 - cos(pi u / 2))
        h = m (40 us + 133 uf) + m L(l) (74 us + 111 uf) - alpha v
        alpha = 0.16 a fl F0 + 0.18 F, v <= 0           alpha = 0.157 F, v > 0

The power is F_ce times the speed of the contractile element, positive or negative. [Umberger, Gerritsen and Martin
2003, eq. 8-15; Bhargava, Pandy and Anderson 2004, eq. 2-9, without the decay of activation heat]
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from gambol.actuation.actuator import Numbers
from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar, cos, exp, log, maximum, minimum, sin, where

MIN_ACTIVITY = 1e-9
"""Lower bound of an activation before it is raised to the power of 0.6, which gives 4e-6."""


@dataclass(frozen=True, slots=True)
class Contraction:
    """The quantities on which metabolic power depends.

    excitation, activation: u, a. length: length of the fibre [optimal lengths]. speed: rate of this length [optimal
    lengths per second]. max_velocity: as for Muscle. isometric: A(l). force: force of the contractile element [N].
    max_force: F0 [N]. rate: rate of the fibre [m/s]. mass: mass of the muscle [kg].
    """

    excitation: Scalar
    activation: Scalar
    length: Scalar
    speed: Scalar
    max_velocity: Scalar
    isometric: Scalar
    force: Scalar
    max_force: Scalar
    rate: Scalar
    mass: Scalar


HeatRate: TypeAlias = Callable[[Numbers, Contraction], Scalar]
"""Arguments: numbers of the metabolism; the contraction. Returns the sum of all heat [W]."""


def umberger(p: Numbers, c: Contraction) -> Scalar:
    """Return the heat after Umberger et al. 2003 [W]."""
    slow, stretched = p["slow_twitch"], c.length > 1.0
    A = where(c.excitation > c.activation, c.excitation, 0.5 * (c.excitation + c.activation))
    activation_heat = 25.0 + 128.0 * (1.0 - slow)
    cs, cf = 2.5 * 100.0 / c.max_velocity, 153.0 / c.max_velocity
    shortening = minimum(-cs * c.speed, 100.0) * slow - cf * c.speed * (1.0 - slow)
    shortens = c.speed <= 0.0
    speed_heat = where(shortens, shortening * A * A, 4.0 * cs * c.speed * A)
    steady = exp(0.6 * log(maximum(A, MIN_ACTIVITY))) * activation_heat
    steady = steady * where(stretched, 0.4 + 0.6 * c.isometric, 1.0)
    heat = p["aerobic"] * (steady + speed_heat * where(stretched, c.isometric, 1.0))
    return c.mass * maximum(heat, 1.0)


def bhargava(p: Numbers, c: Contraction) -> Scalar:
    """Return the heat after Bhargava et al. 2004 [W]."""
    slow = p["slow_twitch"] * sin(0.5 * math.pi * c.excitation)
    fast = (1.0 - p["slow_twitch"]) * (1.0 - cos(0.5 * math.pi * c.excitation))
    length_factor = where(c.length < 1.0, maximum(c.length, 0.5), maximum(3.0 - 2.0 * c.length, 0.0))
    steady = c.mass * (40.0 * slow + 133.0 * fast + length_factor * (74.0 * slow + 111.0 * fast))
    shortening = 0.16 * c.activation * c.isometric * c.max_force + 0.18 * c.force
    return steady - c.rate * where(c.rate <= 0.0, shortening, 0.157 * c.force)


METABOLISMS: dict[str, HeatRate] = {"umberger 2003": umberger, "bhargava 2004": bhargava}
"""The models of the heat of muscles by name."""


@dataclass(frozen=True, slots=True)
class Metabolism:
    """The metabolism of a muscle: energy that it draws from its source, in addition to its mechanical work.

    model: a row of METABOLISMS. slow_twitch: fraction of slow fibres, from 0 to 1. aerobic: S, 1.5 for long activity, 1
    for short activity (Umberger). tension: F0 per cross-section [Pa]. density: density of the muscle [kg/m3]. The mass
    of the muscle is F0 / tension times optimal length times density. Raises WorldError for invalid numbers.
    """

    model: str = "umberger 2003"
    slow_twitch: float = 0.5
    aerobic: float = 1.5
    tension: float = 250e3
    density: float = 1059.7

    def __post_init__(self) -> None:
        if self.model not in METABOLISMS:
            raise WorldError(f'there is no metabolism "{self.model}"; {did_you_mean(self.model, METABOLISMS)}')
        if not 0.0 <= self.slow_twitch <= 1.0:
            raise WorldError(f"the slow-twitch fraction of a muscle is {self.slow_twitch}; it must be from 0 to 1")
        for name in ("aerobic", "tension", "density"):
            if not 0.0 < getattr(self, name) < math.inf:
                raise WorldError(f"a metabolism's {name} is {getattr(self, name)}; it must be more than 0, and finite")

    def numbers(self) -> dict[str, Scalar]:
        """Return its numbers by name."""
        return {name: getattr(self, name) for name in ("slow_twitch", "aerobic", "tension", "density")}

    def heat(self, numbers: Numbers, contraction: Contraction) -> Scalar:
        """Return the heat [W]."""
        return METABOLISMS[self.model](numbers, contraction)


def contraction_of(
    numbers: Numbers, levels: tuple[Scalar, Scalar], fibre: tuple[Scalar, Scalar], forces: tuple[Scalar, Scalar]
) -> Contraction:
    """Return the contraction of a muscle with these numbers.

    levels: excitation and activation. fibre: length in optimal lengths, and rate divided by the maximal speed. forces:
    isometric force at this length and full activation, and force of the contractile element, divided by the maximal
    force.
    """
    p, F0, optimal, fastest = (numbers[name] for name in ("metabolism", "max_force", "optimal_length", "max_velocity"))
    length, rate = fibre
    return Contraction(
        excitation=levels[0],
        activation=levels[1],
        length=length,
        speed=fastest * rate,
        max_velocity=fastest,
        isometric=forces[0],
        force=F0 * forces[1],
        max_force=F0,
        rate=fastest * rate * optimal,
        mass=F0 / p["tension"] * optimal * p["density"],
    )

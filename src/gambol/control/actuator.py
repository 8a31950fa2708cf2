"""Actuators: servos that pull a joint towards a target, limited in strength and power.

    tau = k (target - q) - d v, held within +-limit        limit = min(strength, power / |v|)

All the work that an actuator does, or takes out of the motion, is booked as the motors'.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

from gambol.errors import WorldError
from gambol.lanes import Scalar, maximum, sqrt, where

SLOWEST = 1e-6
"""The speed below which power sets no lower limit than at it [rad/s or m/s]: it keeps the quotient finite."""


@dataclass(frozen=True, slots=True)
class Actuator:
    """A servo at a joint with one freedom.

    lower, upper: range of its targets [rad or m]; stiffness [N m/rad or N/m]; damping [N m s/rad or N s/m]; strength:
    the largest torque or force [N m or N]; power: the largest [W]. Strength and power may be infinite.
    Raises WorldError for numbers that cannot be.
    """

    lower: float
    upper: float
    stiffness: float
    damping: float = 0.0
    strength: float = math.inf
    power: float = math.inf

    def __post_init__(self) -> None:
        if not -math.inf < self.lower <= self.upper < math.inf:
            raise WorldError(
                f"an actuator cannot move its target from {self.lower} to {self.upper}; give a lower and an upper end"
            )
        if not 0.0 < self.stiffness < math.inf:
            raise WorldError(f"an actuator's stiffness is {self.stiffness}; it must be more than 0, and finite")
        if not 0.0 <= self.damping < math.inf:
            raise WorldError(f"an actuator's damping is {self.damping}; it must be 0 or more, and finite")
        for name in ("strength", "power"):
            if not getattr(self, name) > 0.0:
                raise WorldError(f"an actuator's {name} is {getattr(self, name)}; it must be more than 0")

    def numbers(self) -> dict[str, float]:
        """The numbers of its formula, which may differ between worlds."""
        return {of.name: getattr(self, of.name) for of in fields(self)}


def target_of(numbers: Mapping[str, Scalar], signal: Scalar) -> Scalar:
    """Where a signal from -1 to 1 puts an actuator's target [rad or m]: from its lower end to its upper one."""
    lower, upper = numbers["lower"], numbers["upper"]
    return 0.5 * (lower + upper) + 0.5 * (upper - lower) * signal


def servo(numbers: Mapping[str, Scalar], lag: Scalar, v: Scalar) -> Scalar:
    """The torque or force of an actuator whose joint lags behind its target [rad or m] and has a velocity.

    numbers: as of Actuator.numbers().
    """
    return _asked(numbers, lag, v).tau


@dataclass(frozen=True, slots=True)
class _Asked:
    """What an actuator gives: tau [N m or N]; wanted: what it would without limits, size: of that; beyond: if more."""

    tau: Scalar
    wanted: Scalar
    size: Scalar
    beyond: Scalar


def _asked(numbers: Mapping[str, Scalar], lag: Scalar, v: Scalar) -> _Asked:
    wanted, speed = numbers["stiffness"] * lag - numbers["damping"] * v, abs(v)
    limit, powered = numbers["strength"], numbers["power"] / where(speed > SLOWEST, speed, SLOWEST)
    limit = where(powered < limit, powered, limit)
    size = abs(wanted)
    beyond = size > limit
    return _Asked(where(beyond, where(wanted < 0.0, -limit, limit), wanted), wanted, size, beyond)


@dataclass(frozen=True, slots=True)
class StepPull:
    """A torque or force at a step's end if velocity stays [N m or N], and how it falls as velocity grows."""

    tau: Scalar
    fall: Scalar


def servo_in_step(numbers: Mapping[str, Scalar], lag: Scalar, v: Scalar, inertia: Scalar, h: Scalar) -> StepPull:
    """How an actuator pulls in a large step of h [s], without leaving its limits when a light joint leaps.

    lag: behind the target at the step's end where v alone leads. inertia: of the joint if all others stood still. Were
    it alone, an unlimited servo would change its speed by d1, and its power by d2 if it were all that limits:

        d1 = |w| / G      G = I / h + h k + d      d2 = sqrt(v^2 + 2 h P / I) - v

    The force falls by pull / min(d1, d2) - I / h, if that is more than 0, so that the joint alone meets the smaller
    one; within all limits this is h k + d, deep beyond the strength it is 0. For a joint that is braked only d1 counts.
    """
    asked = _asked(numbers, lag, v)
    slope, heavy = h * numbers["stiffness"] + numbers["damping"], inertia * (1.0 / h)
    G, along, E = slope + heavy, inertia * abs(v), 2.0 * h * numbers["power"] * inertia
    root = sqrt(along * along + E) + along  # 2 h P / d2
    powered = (asked.size * inertia * root > E * G) & (asked.wanted * v >= 0.0)
    held = asked.beyond | powered
    rate = abs(asked.tau) * where(powered, inertia * root, G) / where(held, where(powered, E, asked.size), 1.0)
    return StepPull(asked.tau, where(held, maximum(rate - heavy, 0.0), slope))

"""Actuators: servos that pull a joint towards a target, limited in strength and power.

    tau = k (target - q) - d v, held within +-limit        limit = min(strength, power / |v|)

All the work that an actuator does, or takes out of the motion, is booked as the motors'.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

from gambol.errors import WorldError
from gambol.lanes import Scalar, where

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


@dataclass(frozen=True, slots=True)
class ServoForce:
    """A torque or force [N m or N], and how it falls as position and velocity grow; both slopes are 0 at its limit."""

    tau: Scalar
    stiffness: Scalar
    damping: Scalar


def target_of(numbers: Mapping[str, Scalar], signal: Scalar) -> Scalar:
    """Where a signal from -1 to 1 puts an actuator's target [rad or m]: from its lower end to its upper one."""
    lower, upper = numbers["lower"], numbers["upper"]
    return 0.5 * (lower + upper) + 0.5 * (upper - lower) * signal


def servo(numbers: Mapping[str, Scalar], q: Scalar, v: Scalar, target: Scalar) -> ServoForce:
    """How an actuator pulls at a joint at q with velocity v. numbers: as of Actuator.numbers()."""
    k, d = numbers["stiffness"], numbers["damping"]
    wanted, speed = k * (target - q) - d * v, abs(v)
    limit, powered = numbers["strength"], numbers["power"] / where(speed > SLOWEST, speed, SLOWEST)
    limit = where(powered < limit, powered, limit)
    beyond = abs(wanted) > limit
    tau = where(beyond, where(wanted < 0.0, -limit, limit), wanted)
    return ServoForce(tau, where(beyond, 0.0, k), where(beyond, 0.0, d))

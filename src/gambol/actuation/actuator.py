"""Actuators: servos that drive a joint towards a target, limited in strength and power.

    tau = k (target - q) - d v, clamped to +-limit      limit = min(strength, power / |v|)

The ledger counts all work of an actuator, positive or negative, as motor work.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

from gambol.errors import WorldError
from gambol.lanes import Scalar, maximum, sqrt, where

MIN_SPEED = 1e-6
"""The least speed in the quotient power / |v|, which it keeps finite [rad/s or m/s]."""


@dataclass(frozen=True, slots=True)
class Actuator:
    """A servo at a joint with one degree of freedom.

    lower, upper: range of its targets [rad or m]; stiffness [N m/rad or N/m]; damping [N m s/rad or N s/m]; strength:
    the largest torque or force [N m or N]; power: the largest [W]. Strength and power may be infinite. Raises
    WorldError for invalid numbers.
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
                f"an actuator cannot move its target from {self.lower} to {self.upper}; give a lower and an upper bound"
            )
        if not 0.0 < self.stiffness < math.inf:
            raise WorldError(f"an actuator's stiffness is {self.stiffness}; it must be more than 0, and finite")
        if not 0.0 <= self.damping < math.inf:
            raise WorldError(f"an actuator's damping is {self.damping}; it must be 0 or more, and finite")
        for name in ("strength", "power"):
            if not getattr(self, name) > 0.0:
                raise WorldError(f"an actuator's {name} is {getattr(self, name)}; it must be more than 0")

    def numbers(self) -> dict[str, float]:
        """Return its parameters by name, as inputs of a program; they may differ between worlds."""
        return {attribute.name: getattr(self, attribute.name) for attribute in fields(self)}


def target_of(numbers: Mapping[str, Scalar], signal: Scalar) -> Scalar:
    """Return the target of an actuator for a signal from -1 (lower bound) to 1 (upper bound) [rad or m].

    numbers: as of Actuator.numbers(). signal: of the pattern.
    """
    lower, upper = numbers["lower"], numbers["upper"]
    return 0.5 * (lower + upper) + 0.5 * (upper - lower) * signal


def servo(numbers: Mapping[str, Scalar], error: Scalar, v: Scalar) -> Scalar:
    """Return the torque or force of an actuator [N m or N].

    numbers: as of Actuator.numbers(). error: target less joint position [rad or m]. v: joint velocity [rad/s or m/s].
    """
    return _servo_force(numbers, error, v).tau


@dataclass(frozen=True, slots=True)
class _ServoForce:
    """A servo's force tau; the force without limits, and its magnitude [N m or N]; saturated: True above the limit."""

    tau: Scalar
    unlimited: Scalar
    magnitude: Scalar
    saturated: Scalar


def _servo_force(numbers: Mapping[str, Scalar], error: Scalar, v: Scalar) -> _ServoForce:
    """Return the force of an actuator with its intermediate results; arguments as of servo()."""
    unlimited, speed = numbers["stiffness"] * error - numbers["damping"] * v, abs(v)
    limit, power_limit = numbers["strength"], numbers["power"] / where(speed > MIN_SPEED, speed, MIN_SPEED)
    limit = where(power_limit < limit, power_limit, limit)
    magnitude = abs(unlimited)
    saturated = magnitude > limit
    return _ServoForce(
        where(saturated, where(unlimited < 0.0, -limit, limit), unlimited), unlimited, magnitude, saturated
    )


@dataclass(frozen=True, slots=True)
class ImplicitForce:
    """The force at the end of a step with constant velocity [N m or N], and its damping [N m s/rad or N s/m]."""

    tau: Scalar
    damping: Scalar

    def at_end(self, v_start: Scalar, v_end: Scalar) -> Scalar:
        """Return the force at the end of a step [N m or N]; v_start, v_end: velocities at its start and end."""
        return self.tau - self.damping * (v_end - v_start)


def implicit_servo(
    numbers: Mapping[str, Scalar], error: Scalar, v: Scalar, inertia: Scalar, h: Scalar
) -> ImplicitForce:
    """Return the force of an actuator in an implicit step; it stays within its limits even at a light joint.

    numbers: as of Actuator.numbers(). error: target at the end of the step less the position after a step at constant
    v. v: joint velocity. inertia: of the joint if all others stood still. h: length of the step [s]. For this joint
    alone, a servo without limits changes the speed by d1; one limited by its power only, by d2:

        d1 = |w| / G      G = I / h + h k + d      d2 = sqrt(v^2 + 2 h P / I) - v

    w is the force without limits. The damping is |tau| / min(d1, d2) - I / h, at least 0, so that the joint alone
    reaches the smaller change; within all limits this is h k + d, and for |w| far above the strength it is 0. For a
    braking joint only d1 counts.
    """
    force = _servo_force(numbers, error, v)
    servo_damping, inertial = h * numbers["stiffness"] + numbers["damping"], inertia * (1.0 / h)
    G, momentum, E = servo_damping + inertial, inertia * abs(v), 2.0 * h * numbers["power"] * inertia
    root = sqrt(momentum * momentum + E) + momentum  # 2 h P / d2
    power_limited = (force.magnitude * inertia * root > E * G) & (force.unlimited * v >= 0.0)
    limited = force.saturated | power_limited
    total_damping = (
        abs(force.tau)
        * where(power_limited, inertia * root, G)
        / where(limited, where(power_limited, E, force.magnitude), 1.0)
    )
    return ImplicitForce(force.tau, where(limited, maximum(total_damping - inertial, 0.0), servo_damping))

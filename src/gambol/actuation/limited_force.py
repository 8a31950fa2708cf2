"""Forces limited in strength and power, at one time and in large steps."""

from dataclasses import dataclass

from gambol.actuation.actuator import Numbers
from gambol.actuation.implicit_force import ImplicitForce
from gambol.lanes import Scalar, maximum, minimum, sqrt, where
from gambol.spatial.rotation import is_constant

MIN_SPEED = 1e-6
"""Minimum speed in the quotient power / |v|, which keeps it finite [rad/s or m/s]."""


@dataclass(frozen=True, slots=True)
class LimitedForce:
    """A force within its limits.

    tau: the force [N m or N]. unlimited: the force without limits; magnitude: its magnitude [N m or N]. saturated: True
    if the magnitude is above the limit.
    """

    tau: Scalar
    unlimited: Scalar
    magnitude: Scalar
    saturated: Scalar


def limited_force(numbers: Numbers, unlimited: Scalar, v: Scalar) -> LimitedForce:
    """Return a force clamped to +-min(strength, power / |v|).

    numbers: must contain "strength" [N m or N] and "power" [W]. unlimited: the force without limits. v: joint velocity.
    """
    speed = abs(v)
    limit, power_limit = numbers["strength"], numbers["power"] / where(speed > MIN_SPEED, speed, MIN_SPEED)
    limit = where(power_limit < limit, power_limit, limit)
    magnitude = abs(unlimited)
    saturated = magnitude > limit
    return LimitedForce(
        where(saturated, where(unlimited < 0.0, -limit, limit), unlimited), unlimited, magnitude, saturated
    )


def limit_in_step(numbers: Numbers, v: Scalar, v_end: Scalar) -> Scalar:
    """Return the largest magnitude of a force in a large step [N m or N]: min(strength, power / |v|).

    numbers: as for limited_force(). v, v_end: velocities of the joint at the start and the end of the step, whose mean
    counts.
    """
    return minimum(numbers["strength"], 2.0 * numbers["power"] / maximum(abs(v + v_end), 2.0 * MIN_SPEED))


def implicit_limited(
    numbers: Numbers,
    force: LimitedForce,
    damping: tuple[Scalar, Scalar],
    v: Scalar,
    inertia: Scalar,
    h: Scalar,
) -> ImplicitForce:
    """Return a limited force in a large step of h [s]; the force stays within its limits even at a light joint.

    force: force at constant joint velocity v, see ImplicitForce. damping: B, by which the force without limits
    decreases per velocity, and the part of it per mean velocity of the step. inertia: I, inertia of the joint while all
    other joints are at rest. If no other joint moved, a force without limits would change the speed by d1, and a force
    that is limited by its power only would change it by d2:

        d1 = |w| / G      G = I / h + B      d2 = sqrt(v^2 + 2 h P / I) - v

    w is the force without limits. The damping is |tau| / min(d1, d2) - I / h, at least 0, so that the joint alone
    reaches the smaller change; within all limits this is B, and for |w| far above the strength it is 0. While the force
    brakes the joint, only d1 counts.
    """
    B, mean_damping = damping
    inertial = inertia * (1.0 / h)
    G, momentum, E = B + inertial, inertia * abs(v), 2.0 * h * numbers["power"] * inertia
    root = sqrt(momentum * momentum + E) + momentum  # 2 h P / d2
    power_limited = (force.magnitude * inertia * root > E * G) & (force.unlimited * v >= 0.0)
    limited = force.saturated | power_limited
    total_damping = (
        abs(force.tau)
        * where(power_limited, inertia * root, G)
        / where(limited, where(power_limited, E, force.magnitude), 1.0)
    )
    means = () if is_constant(mean_damping, 0.0) else (where(limited, 0.0, mean_damping),)
    implicit = where(limited, maximum(total_damping - inertial, 0.0), B)
    return ImplicitForce([force.tau], [implicit], mean_damping=means)

"""Servos: a spring and a damper between a joint and a target position, limited in strength and power.

    tau = k (target - q) - d v, clamped to +-limit      limit = min(strength, power / |v|)

The ledger counts all work of a servo, positive or negative, as motor work.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gambol.actuation.actuator import Actuator, ActuatorInput, Numbers
from gambol.actuation.implicit_force import IMPLICIT, Gains, ImplicitForce, ImplicitShares
from gambol.actuation.limited_force import implicit_limited, limit_in_step, limited_force
from gambol.errors import WorldError
from gambol.lanes import Scalar


@dataclass(frozen=True, slots=True)
class Servo(Actuator):
    """A servo at a joint with one degree of freedom (MuJoCo: position actuator). Its command is the target.

    lower, upper: range of the targets [rad or m]; stiffness [N m/rad or N/m]; damping [N m s/rad or N s/m]; strength:
    largest torque or force [N m or N]; power: largest power [W]. Strength and power may be infinite. joints: the joint,
    by the name of its link; empty: the joint with the name of the servo. Within a control step the target moves at a
    constant rate. Raises WorldError for invalid numbers.
    """

    kind: ClassVar[str] = "position"
    commands: ClassVar[tuple[str, ...]] = ("target",)
    held: ClassVar[bool] = False

    lower: float
    upper: float
    stiffness: float
    damping: float = 0.0
    strength: float = math.inf
    power: float = math.inf
    joints: tuple[str, ...] = ()

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

    def force(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return its torque or force [N m or N]."""
        return [servo(numbers, at.commands[0] - at.q[0], at.v[0])]

    def gains(self, numbers: Numbers) -> Gains:
        """Return its stiffness and damping."""
        return Gains(numbers["stiffness"], numbers["damping"])

    def implicit_force(
        self, numbers: Numbers, at: ActuatorInput, inertias: Sequence[Scalar], h: Scalar
    ) -> ImplicitForce:
        """Return its force in a large step, see implicit_servo()."""
        error = at.commands[0] - at.q[0] - at.implicit.stiffness * h * at.v[0]
        return implicit_servo(numbers, error, at.v[0], inertias[0], h, at.implicit)

    @property
    def has_limit(self) -> bool:
        """True: its strength and its power are limits."""
        return True

    def force_limit(self, numbers: Numbers, at: ActuatorInput, direction: Scalar, v_end: Scalar) -> Scalar:
        """Return its limit at the mean velocity of a large step."""
        return limit_in_step(numbers, at.v[0], v_end)


def servo(numbers: Numbers, error: Scalar, v: Scalar) -> Scalar:
    """Return the torque or force of a servo [N m or N].

    numbers: as for Servo.numbers(). error: target less joint position [rad or m]. v: joint velocity [rad/s or m/s].
    """
    return limited_force(numbers, numbers["stiffness"] * error - numbers["damping"] * v, v).tau


def implicit_servo(
    numbers: Numbers, error: Scalar, v: Scalar, inertia: Scalar, h: Scalar, shares: ImplicitShares = IMPLICIT
) -> ImplicitForce:
    """Return the force of a servo in a large step; the force stays within its limits even at a light joint.

    numbers: as for Servo.numbers(). error: target less the position after a share a of a step at constant v. v: joint
    velocity. inertia: inertia of the joint while all other joints are at rest. h: length of the step [s]. shares: a and
    b, see implicit_force.py.
    """
    force = limited_force(numbers, numbers["stiffness"] * error - numbers["damping"] * v, v)
    damping = shares.damping_of(Gains(numbers["stiffness"], numbers["damping"]), h)
    return implicit_limited(numbers, force, damping, v, inertia, h)

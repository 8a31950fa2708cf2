"""Velocity servos: a damper towards a target velocity, limited in strength and power.

tau = gain (target - v), clamped to +-min(strength, power / |v|)
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gambol.actuation.actuator import Actuator, ActuatorInput, Numbers
from gambol.actuation.implicit_force import Gains, ImplicitForce
from gambol.actuation.limited_force import implicit_limited, limit_in_step, limited_force
from gambol.errors import WorldError
from gambol.lanes import Scalar


@dataclass(frozen=True, slots=True)
class VelocityServo(Actuator):
    """A servo that drives a joint with one degree of freedom at a speed (MuJoCo: velocity actuator).

    Its command is the target velocity, which is constant in a control step. lower, upper: range of the targets [rad/s
    or m/s]; gain [N m s/rad or N s/m]; strength: largest torque or force [N m or N]; power: largest power [W]; both may
    be infinite. joints: as for a Servo. Raises WorldError for invalid numbers.
    """

    kind: ClassVar[str] = "velocity"
    commands: ClassVar[tuple[str, ...]] = ("velocity",)

    lower: float
    upper: float
    gain: float
    strength: float = math.inf
    power: float = math.inf
    joints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not -math.inf < self.lower <= self.upper < math.inf:
            raise WorldError(f"a velocity servo cannot have targets from {self.lower} to {self.upper}; give two bounds")
        if not 0.0 < self.gain < math.inf:
            raise WorldError(f"a velocity servo's gain is {self.gain}; it must be more than 0, and finite")
        for name in ("strength", "power"):
            if not getattr(self, name) > 0.0:
                raise WorldError(f"a velocity servo's {name} is {getattr(self, name)}; it must be more than 0")

    def force(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return its torque or force [N m or N]."""
        return [limited_force(numbers, numbers["gain"] * (at.commands[0] - at.v[0]), at.v[0]).tau]

    def gains(self, numbers: Numbers) -> Gains:
        """Return its gain as the damping."""
        return Gains(0.0, numbers["gain"])

    def implicit_force(
        self, numbers: Numbers, at: ActuatorInput, inertias: Sequence[Scalar], h: Scalar
    ) -> ImplicitForce:
        """Return its force in a large step; the force stays within its limits even at a light joint."""
        force = limited_force(numbers, numbers["gain"] * (at.commands[0] - at.v[0]), at.v[0])
        damping = at.implicit.damping_of(self.gains(numbers), h)
        return implicit_limited(numbers, force, damping, at.v[0], inertias[0], h)

    @property
    def has_limit(self) -> bool:
        """True: its strength and its power are limits."""
        return True

    def force_limit(self, numbers: Numbers, at: ActuatorInput, direction: Scalar, v_end: Scalar) -> Scalar:
        """Return its limit at the mean velocity of a large step."""
        return limit_in_step(numbers, at.v[0], v_end)

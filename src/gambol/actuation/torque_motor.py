"""Torque motors: a commanded torque, constant in each control step, within limits.

    tau = clamp(u, lower, upper)
    with a speed-torque line:        tau <= S max(1 - v / w0, 0),  tau >= -S max(1 + v / w0, 0)

S is the stall torque and w0 the no-load speed of a DC motor at its largest voltage. Above the no-load speed the motor
does not drive. It has no damping.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.actuation.actuator import Actuator, ActuatorInput, Numbers
from gambol.actuation.implicit_force import ImplicitForce
from gambol.errors import WorldError
from gambol.lanes import Scalar, clamp, maximum, minimum, where


@dataclass(frozen=True, slots=True)
class TorqueMotor(Actuator):
    """A motor that turns or pulls at a joint with one degree of freedom (MuJoCo: motor), without damping.

    Its command is the torque or force, which is constant in a control step (zero-order hold). lower, upper: range of
    the command [N m or N]. stall, no_load_speed: the speed-torque line that limits driving torques, by the torque at
    speed 0 [N m or N] and the speed at which the torque is 0 [rad/s or m/s]; both infinite: no line. joints: as for a
    Servo. Raises WorldError for invalid numbers.
    """

    kind: ClassVar[str] = "torque"
    commands: ClassVar[tuple[str, ...]] = ("torque",)

    lower: float
    upper: float
    stall: float = math.inf
    no_load_speed: float = math.inf
    joints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not -math.inf < self.lower <= self.upper < math.inf:
            raise WorldError(f"a torque motor cannot have torques from {self.lower} to {self.upper}; give two bounds")
        if not (self.stall > 0.0 and self.no_load_speed > 0.0):
            raise WorldError(
                f"a torque motor has a stall torque of {self.stall} and a no-load speed of {self.no_load_speed}; "
                "both must be more than 0"
            )
        if math.isfinite(self.stall) != math.isfinite(self.no_load_speed):
            raise WorldError("a speed-torque line needs both a stall torque and a no-load speed; give both or neither")

    @property
    def has_line(self) -> bool:
        """True if it has a speed-torque line."""
        return math.isfinite(self.stall)

    def numbers(self) -> dict[str, Scalar]:
        """Return its range, and its speed-torque line if it has one."""
        line = {"stall": self.stall, "no_load_speed": self.no_load_speed} if self.has_line else {}
        return {"lower": self.lower, "upper": self.upper, **line}

    def structure(self) -> tuple[Any, ...]:
        """Return True if it has a speed-torque line."""
        return (self.has_line,)

    def force(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return its torque or force [N m or N]."""
        tau = clamp(at.commands[0], numbers["lower"], numbers["upper"])
        if "stall" not in numbers:
            return [tau]
        weakest, strongest = (_line(numbers, sign, at.v[0]) for sign in (-1.0, 1.0))
        return [maximum(minimum(tau, strongest), -weakest)]

    def implicit_force(
        self, numbers: Numbers, at: ActuatorInput, inertias: Sequence[Scalar], h: Scalar
    ) -> ImplicitForce:
        """Return its force in a large step; a light joint does not exceed the no-load speed.

        If no other joint moved, the torque u would change the speed of the joint by |u| h / I, and the line by S (1 - v
        / w0) / (I / h + S / w0). The damping is such that the joint reaches the smaller change.
        """
        (tau,) = self.force(numbers, at)
        if "stall" not in numbers:
            return ImplicitForce([tau], [0.0])
        slope, inertial = numbers["stall"] / numbers["no_load_speed"], inertias[0] * (1.0 / h)
        available = _line(numbers, where(tau < 0.0, -1.0, 1.0), at.v[0])
        by_line = abs(tau) * (inertial + slope) > available * inertial
        ratio = abs(tau) / where(available > 0.0, available, 1.0)
        return ImplicitForce([tau], [where(by_line, maximum(ratio * (inertial + slope) - inertial, 0.0), 0.0)])

    @property
    def has_limit(self) -> bool:
        """True if it has a speed-torque line, on which its torque depends on the velocity."""
        return self.has_line

    def force_limit(self, numbers: Numbers, at: ActuatorInput, direction: Scalar, v_end: Scalar) -> Scalar:
        """Return its limit in a large step: the commanded torque, within the line at the smaller driving speed."""
        commanded = clamp(at.commands[0], numbers["lower"], numbers["upper"])
        start, end = (_line(numbers, direction, v) for v in (at.v[0], v_end))
        return maximum(minimum(direction * commanded, maximum(start, end)), 0.0)


def _line(numbers: Numbers, sign: Scalar, v: Scalar) -> Scalar:
    """Return the largest torque in a direction that the speed-torque line allows, 0 or more; sign: +-1."""
    return numbers["stall"] * maximum(1.0 - sign * v / numbers["no_load_speed"], 0.0)

"""Variable dampers: a spring, and a damper with a commanded coefficient, such as a valve or a brake.

    tau = k (q0 - q) - c v        c: command

In a large step the spring force is taken at the mean of the positions at both ends of the step. The linearly implicit
force gives this exactly, so that a spring conserves energy at any step length:

    (q(t) + q(t + h)) / 2 = q_mid + h (v(t + h) - v(t)) / 4        B = k h / 4 + c

The spring stores energy, and the damper turns it into heat; there is no motor.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gambol.actuation.actuator import Actuator, ActuatorInput, Numbers
from gambol.actuation.implicit_force import ImplicitForce
from gambol.errors import WorldError
from gambol.lanes import Scalar


@dataclass(frozen=True, slots=True)
class VariableDamper(Actuator):
    """A damper with a commanded coefficient, and a spring, at a joint with one degree of freedom.

    Its command is the damping [N m s/rad or N s/m], constant in a control step. max_damping: largest command; if it is
    large, the damper acts as a brake. stiffness, rest: stiffness and rest position of the spring [N m/rad or N/m; rad
    or m]. joints: as for a Servo. Raises WorldError for invalid numbers.
    """

    kind: ClassVar[str] = "variable damper"
    commands: ClassVar[tuple[str, ...]] = ("damping",)

    max_damping: float
    stiffness: float = 0.0
    rest: float = 0.0
    joints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("max_damping", "stiffness"):
            value = getattr(self, name)
            if not 0.0 <= value < math.inf:
                raise WorldError(f"a variable damper's {name} is {value}; it must be 0 or more, and finite")
        if not math.isfinite(self.rest):
            raise WorldError(f"a variable damper's rest is {self.rest}; it must be finite")

    def bounds(self, numbers: Numbers) -> Sequence[tuple[Scalar, Scalar]]:
        """Return the bounds of the damping."""
        return [(0.0, numbers["max_damping"])]

    def force(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return its torque or force [N m or N]."""
        return [numbers["stiffness"] * (numbers["rest"] - at.q[0]) - at.commands[0] * at.v[0]]

    def implicit_force(
        self, numbers: Numbers, at: ActuatorInput, inertias: Sequence[Scalar], h: Scalar
    ) -> ImplicitForce:
        """Return its force in a large step.

        The spring force is at the mean position, the damper force at the end of the step.
        """
        return ImplicitForce(self.force(numbers, at), [0.25 * h * numbers["stiffness"] + at.commands[0]])

    def supply(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return 0: it draws no power [W]."""
        return 0.0

    def heat(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the power that the damper dissipates [W]."""
        return at.commands[0] * at.v[0] * at.v[0]

    def energy(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the energy of the spring [J]."""
        stretch = at.q[0] - numbers["rest"]
        return 0.5 * numbers["stiffness"] * stretch * stretch

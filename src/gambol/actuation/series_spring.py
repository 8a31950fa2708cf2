"""Series springs: a spring and a damper between a joint and a length actuator, such as an air spring on a cylinder.

    tau = k (u - q) - c v        u: command of the length actuator, c: of the damper's valve

In a large step the spring's force is that of the mean of the positions at both ends of the step, which the linearly
implicit force gives exactly, so that its work is exact at any step:

    (q0 + q1) / 2 = q_mid + h (v1 - v0) / 4        tau = k (u - q_mid) - (k h / 4) (v1 - v0)

The ledger counts all its work as motor work, as that of a Servo: over a whole cycle it is that of its length actuator
less the loss of its damper.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gambol.actuation.actuator import Actuator, ActuatorInput, ImplicitForce, Numbers
from gambol.errors import WorldError
from gambol.lanes import Scalar


@dataclass(frozen=True, slots=True)
class SeriesSpring(Actuator):
    """A spring in series with a length actuator, at a joint with one degree of freedom.

    Its commands are the position of the joint without force (rest) [rad or m], and the damping [N m s/rad or N s/m];
    both are constant in a control step. lower, upper: range of the rest position; stiffness [N m/rad or N/m], 0 for a
    damper alone; max_damping: largest damping, at which it is a brake. joints: as of a Servo. Raises WorldError for invalid numbers.
    """

    kind: ClassVar[str] = "series spring"
    commands: ClassVar[tuple[str, ...]] = ("rest", "damping")

    lower: float
    upper: float
    stiffness: float
    max_damping: float = 0.0
    joints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not -math.inf < self.lower <= self.upper < math.inf:
            raise WorldError(f"a series spring cannot have rests from {self.lower} to {self.upper}; give two bounds")
        for name in ("stiffness", "max_damping"):
            if not 0.0 <= getattr(self, name) < math.inf:
                raise WorldError(f"a series spring's {name} is {getattr(self, name)}; it must be 0 or more, and finite")

    def bounds(self, numbers: Numbers) -> Sequence[tuple[Scalar, Scalar]]:
        """Return the bounds of the rest position and of the damping."""
        return [(numbers["lower"], numbers["upper"]), (0.0, numbers["max_damping"])]

    def force(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return its torque or force [N m or N]."""
        rest, damping = at.commands
        return [numbers["stiffness"] * (rest - at.q[0]) - damping * at.v[0]]

    def implicit_force(
        self, numbers: Numbers, at: ActuatorInput, inertias: Sequence[Scalar], h: Scalar
    ) -> ImplicitForce:
        """Return its force in a large step: of the mean position, and of the damper at the end of the step."""
        return ImplicitForce(self.force(numbers, at), [0.25 * h * numbers["stiffness"] + at.commands[1]])

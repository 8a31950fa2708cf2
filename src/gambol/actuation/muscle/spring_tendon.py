"""A tendon without a muscle: a spring and a damper along a path, which pull and never push.

F = max(k (L - l0) + d L', 0) where L > l0, else 0        tau_k = -F dL/dq_k
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.actuation.actuator import Actuator, ActuatorInput, ImplicitForce, Numbers
from gambol.actuation.along_arms import moves_freely
from gambol.actuation.muscle.along_path import along_path
from gambol.actuation.muscle.path import Path
from gambol.errors import WorldError
from gambol.figure import PlacedLink
from gambol.lanes import Scalar, maximum, where


@dataclass(frozen=True)
class SpringTendon(Actuator):
    """A tendon that stretches along a path, and is slack below its rest length. It has no command.

    joints: those that it spans, by names of links. path: its way over them; a PulleyPath needs a length of its own.
    rest_length [m]. stiffness [N/m]. damping [N s/m]. Raises WorldError for invalid numbers.
    """

    kind: ClassVar[str] = "spring tendon"

    joints: tuple[str, ...]
    path: Path
    rest_length: float
    stiffness: float
    damping: float = 0.0

    def __post_init__(self) -> None:
        for name in ("rest_length", "stiffness"):
            if not 0.0 < getattr(self, name) < math.inf:
                value = getattr(self, name)
                raise WorldError(f"a spring tendon's {name} is {value}; it must be more than 0, and finite")
        if not 0.0 <= self.damping < math.inf:
            raise WorldError(f"a spring tendon's damping is {self.damping}; it must be 0 or more, and finite")
        if self.path.relative:
            raise WorldError("the path of a spring tendon needs a length of its own: PulleyPath(..., length=...)")

    def numbers(self) -> dict[str, Any]:
        """Return its numbers, and those of its path."""
        own = {name: getattr(self, name) for name in ("rest_length", "stiffness", "damping")}
        return {**own, "path": self.path.numbers()}

    def structure(self) -> tuple[Any, ...]:
        """Return the structure of its path."""
        return self.path.structure()

    def check(self, name: str, links: Sequence[PlacedLink]) -> None:
        """Raise WorldError if its path cannot run over these joints."""
        self.path.check(name, links)

    def tension(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return its force [N]."""
        length, rate = self.path.motion(numbers["path"], at)
        stretch = length - numbers["rest_length"]
        force = maximum(numbers["stiffness"] * stretch + numbers["damping"] * rate, 0.0)
        return where(stretch > 0.0, force, 0.0)

    def force(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return its forces on its joints [N m or N]."""
        tension = self.tension(numbers, at)
        return [arm * tension for arm in self.path.arms(numbers["path"], at)]

    def implicit_force(
        self, numbers: Numbers, at: ActuatorInput, inertias: Sequence[Scalar], h: Scalar
    ) -> ImplicitForce:
        """Return its forces in a large step of h [s]; between free bodies they stay opposite, see along_path()."""
        if not moves_freely(at.links):
            return super().implicit_force(numbers, at, inertias, h)
        return along_path(self, numbers, at, h)

    def outputs(self, numbers: Numbers, at: ActuatorInput) -> dict[str, Scalar]:
        """Return force [N], length [m] and velocity [m/s]."""
        length, rate = self.path.motion(numbers["path"], at)
        return {"force": self.tension(numbers, at), "length": length, "velocity": rate}

    def supply(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return 0: it has no source."""
        return 0.0

    def heat(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the power of its damping [W]: all of its force but the spring's does no work."""
        length, rate = self.path.motion(numbers["path"], at)
        spring = numbers["stiffness"] * maximum(length - numbers["rest_length"], 0.0)
        return (self.tension(numbers, at) - spring) * rate

    def energy(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the energy of its spring [J]."""
        stretch = maximum(self.path.motion(numbers["path"], at)[0] - numbers["rest_length"], 0.0)
        return 0.5 * numbers["stiffness"] * stretch * stretch

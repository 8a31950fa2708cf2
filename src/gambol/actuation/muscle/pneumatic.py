"""A McKibben muscle: a braided tube that shortens as gas inflates it.

    F = p pi r^2 (a (1 - e)^2 - b), 0 or more        e = (l0 - l) / l0        a = 3 / tan(w)^2, b = 1 / sin(w)^2
    p' = (P - p) / T

p: pressure above that of the surroundings [Pa]. w: angle between the axis and the fibres of the braid at rest. It pulls
up to the contraction 1 - sqrt(b / a). Its source supplies the work of its force. [Tondu and Lopez 2000, eq. 5-8]
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.actuation.actuator import Actuator, ActuatorInput, Numbers
from gambol.actuation.muscle.path import Path
from gambol.errors import WorldError
from gambol.figure import PlacedLink
from gambol.lanes import Scalar, cos, maximum, sin

NEUTRAL_ANGLE = math.atan(math.sqrt(2.0))
"""Angle of the braid at which an inflated tube keeps its length: 54.7 degrees [rad]."""


@dataclass(frozen=True)
class PneumaticMuscle(Actuator):
    """A McKibben muscle along a path. Its command is the pressure [Pa], from 0 to max_pressure.

    joints, path: as for a SpringTendon. rest_length: length of the tube without pressure [m]. rope: length of the
    remaining path, a rigid rope [m]. radius: radius of the tube [m]. angle: w [rad]. max_pressure [Pa]. time: T, time
    constant of filling and venting [s]. Its state is the pressure. Raises WorldError for invalid numbers.
    """

    kind: ClassVar[str] = "pneumatic muscle"
    commands: ClassVar[tuple[str, ...]] = ("pressure",)

    joints: tuple[str, ...]
    path: Path
    rest_length: float
    radius: float
    angle: float = math.radians(25.0)
    max_pressure: float = 5e5
    time: float = 0.05
    rope: float = 0.0

    def __post_init__(self) -> None:
        for name in ("rest_length", "radius", "angle", "max_pressure", "time"):
            if not 0.0 < getattr(self, name) < math.inf:
                value = getattr(self, name)
                raise WorldError(f"a pneumatic muscle's {name} is {value}; it must be more than 0, and finite")
        if not self.angle < NEUTRAL_ANGLE:
            raise WorldError(
                f"the braid of a pneumatic muscle has the angle {self.angle} rad; "
                f"it pulls only below {NEUTRAL_ANGLE:.3f} rad"
            )
        if self.path.relative:
            raise WorldError("the path of a pneumatic muscle needs a length of its own: PulleyPath(..., length=...)")

    def numbers(self) -> dict[str, Any]:
        """Return its numbers and the numbers of its path."""
        names = ("rest_length", "radius", "angle", "max_pressure", "time", "rope")
        return {**{name: getattr(self, name) for name in names}, "path": self.path.numbers()}

    def structure(self) -> tuple[Any, ...]:
        """Return the structure of its path."""
        return self.path.structure()

    def bounds(self, numbers: Numbers) -> list[tuple[Scalar, Scalar]]:
        """Return the range of the pressure [Pa]."""
        return [(0.0, numbers["max_pressure"])]

    def check(self, name: str, links: Sequence[PlacedLink]) -> None:
        """Raise WorldError if its path cannot run over these joints."""
        self.path.check(name, links)

    def initial_state(self, numbers: Numbers, at: ActuatorInput) -> dict[str, Scalar]:
        """Return a pressure of 0."""
        return {"pressure": 0.0}

    def state_scales(self) -> dict[str, float]:
        """Return the largest pressure, as the scale of the pressure [Pa]."""
        return {"pressure": self.max_pressure}

    def derivative(self, numbers: Numbers, at: ActuatorInput) -> dict[str, Scalar]:
        """Return the rate of the pressure [Pa/s]."""
        return {"pressure": (at.commands[0] - at.state["pressure"]) / numbers["time"]}

    def tension(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return its force [N]."""
        length, sine = self.path.motion(numbers["path"], at)[0] - numbers["rope"], sin(numbers["angle"])
        cosine, ratio = cos(numbers["angle"]), length / numbers["rest_length"]
        shape = (3.0 * cosine * cosine * ratio * ratio - 1.0) / (sine * sine)
        return maximum(math.pi * numbers["radius"] * numbers["radius"] * at.state["pressure"] * shape, 0.0)

    def force(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return its forces on its joints [N m or N]."""
        tension = self.tension(numbers, at)
        return [arm * tension for arm in self.path.arms(numbers["path"], at)]

    def outputs(self, numbers: Numbers, at: ActuatorInput) -> dict[str, Scalar]:
        """Return pressure [Pa], force [N] and length of the tube [m]."""
        length = self.path.motion(numbers["path"], at)[0] - numbers["rope"]
        return {"pressure": at.state["pressure"], "force": self.tension(numbers, at), "length": length}

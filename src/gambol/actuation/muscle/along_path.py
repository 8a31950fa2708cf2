"""Forces of a muscle or a tendon in a large step, as one tension along its path.

    tau = r T(s)        T(s) = tension at the end of the step if the path's length changes at the rate s until then

So the forces on free bodies are opposite and on one line, and the bodies' momentum is conserved at any step length.
"""

from dataclasses import dataclass, replace
from typing import Any

from gambol.actuation.actuator import ActuatorInput, ImplicitForce, Numbers
from gambol.actuation.along_arms import along_arms
from gambol.actuation.muscle.path import Path
from gambol.lanes import Scalar, jvp


@dataclass(frozen=True)
class KnownPath(Path):
    """A path whose length and rate are given as numbers. is_relative: see Path.relative."""

    is_relative: bool = False

    @property
    def relative(self) -> bool:
        """True if its length is counted from the length of its muscle, see Path.relative."""
        return self.is_relative

    def numbers(self) -> dict[str, Any]:
        """Return length [m] and rate [m/s]: 0 until they are set."""
        return {"length": 0.0, "rate": 0.0}

    def structure(self) -> tuple[Any, ...]:
        """Return True if its length is relative."""
        return ("known", self.is_relative)

    def check(self, name: str, links: Any) -> None:
        """Do nothing, because this path does not belong to a muscle in a world."""

    def motion(self, numbers: Numbers, at: ActuatorInput) -> tuple[Scalar, Scalar]:
        """Return its length [m], and its rate [m/s]."""
        return numbers["length"], numbers["rate"]


def along_path(actuator: Any, numbers: Numbers, at: ActuatorInput, h: Scalar) -> ImplicitForce:
    """Return the forces of an actuator with a path in a large step of h [s], in which its moment arms are constant.

    actuator: a dataclass with the field path, and the methods tension() and advanced(). numbers, at: as for
    Actuator.implicit_force().
    """
    path: Path = actuator.path
    length, rate = path.motion(numbers["path"], at)
    straight = replace(actuator, path=KnownPath(path.relative))

    def tension_at_end(rates: list[Scalar]) -> list[Scalar]:
        given = {**numbers, "path": {"length": length + 0.5 * h * rates[0], "rate": rates[0]}}
        state = straight.advanced(given, at, h)
        return [straight.tension(given, replace(at, state=state))]

    (tension,), (slope,) = jvp(tension_at_end, [rate], [1.0])
    return along_arms(at.links, path.arms(numbers["path"], at), tension, slope)

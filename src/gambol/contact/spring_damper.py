"""Spring-dampers between points of two links, or between a point of a link and a point of the world.

    x = l - l_0        T = k x + c l'        force on the first point: -T e        stored: k x^2 / 2        loss: c l'^2

e: unit vector from the second point to the first; l: their distance. A cord cannot push: its tension is max(T, 0) where
l > l_0, else 0. If a cord becomes slack faster than its damper can shorten it, the remaining stored energy is lost.
"""

import math
from dataclasses import dataclass

from gambol.contact.penalty.law import TINY
from gambol.errors import WorldError
from gambol.lanes import Scalar, maximum, sqrt, where
from gambol.spatial import Vector


@dataclass(frozen=True, slots=True)
class SpringDamper:
    """A linear spring and damper along the line between two points, as in a shock absorber, a cord or a tendon.

    link, other: names of the links, other None for the world. point, other_point: the points, in link or world
    coordinates [m]. stiffness k [N/m]; damping c [N s/m]; rest_length l_0 [m]: the distance at which the spring is
    unloaded. tension_only: True for a cord, which pulls where it is longer than rest_length, and never pushes.
    stiffness, damping and rest_length are inputs of the program, so they may differ between worlds. Raises WorldError
    for invalid numbers.
    """

    link: str
    other: str | None
    point: tuple[float, float, float]
    other_point: tuple[float, float, float]
    stiffness: float = 0.0
    damping: float = 0.0
    rest_length: float = 0.0
    tension_only: bool = False

    def __post_init__(self) -> None:
        label = f'the spring-damper of "{self.link}"'
        for name in ("stiffness", "damping", "rest_length"):
            if not 0.0 <= getattr(self, name) < math.inf:
                raise WorldError(f"{label} has {name} = {getattr(self, name)}; it must be 0 or more, and finite")
        if not all(map(math.isfinite, (*self.point, *self.other_point))):
            raise WorldError(f"{label} joins {self.point} to {self.other_point}; both points must be finite")

    def numbers(self) -> dict[str, float]:
        """Return the parameters of the force law, as inputs of a program."""
        return {name: getattr(self, name) for name in ("stiffness", "damping", "rest_length")}

    def tension(self, numbers: dict[str, Scalar], stretch: Vector, velocity: Vector) -> "Tension":
        """Return the tension at one time.

        numbers: numbers in the structure of numbers(). stretch, velocity: stretch and velocity of the first point
        relative to the second, in world axes [m, m/s].
        """
        length = sqrt(stretch.dot(stretch) + TINY)
        direction = stretch * (1.0 / length)
        rate, k, c = direction.dot(velocity), numbers["stiffness"], numbers["damping"]
        extension = length - numbers["rest_length"]
        if self.tension_only:
            extension = maximum(extension, 0.0)
        spring = k * extension
        total = spring + c * rate
        acts: Scalar = 1.0
        if self.tension_only:
            acts = where((extension > 0.0) & (total > 0.0), 1.0, 0.0)
            total = acts * total
        return Tension(direction, length, total, spring, acts * k, acts * c, rate, 0.5 * k * extension * extension)


@dataclass(frozen=True, slots=True)
class Tension:
    """The tension of a spring-damper.

    direction: e, in world axes. length: l [m]. total: T [N]; spring: its part k x, also while a slackening cord does
    not pull [N]. stiffness, damping: k [N/m] and c [N s/m], 0 where a cord is slack. rate: l' [m/s]. energy: stored
    energy [J].
    """

    direction: Vector
    length: Scalar
    total: Scalar
    spring: Scalar
    stiffness: Scalar
    damping: Scalar
    rate: Scalar
    energy: Scalar

    @property
    def force(self) -> Vector:
        """The force on the first point, in world axes [N]; the force on the second point is opposite."""
        return self.direction * -self.total

    @property
    def loss(self) -> Scalar:
        """The power that is lost in the damper, and by a cord that becomes slack [W]."""
        return (self.total - self.spring) * self.rate

    @property
    def slackening(self) -> Scalar:
        """The spring force of a cord that is longer than its rest length and does not pull, else 0 [N]."""
        return self.spring - (self.total - self.damping * self.rate)

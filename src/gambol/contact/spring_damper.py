"""Spring-dampers between points of two links, or between a point of a link and a point of the world.

    x = l - l_0        T = k x + c l'        force on the first point: -T e        stored: k x^2 / 2        loss: c l'^2

e: unit vector from the second point to the first; l: their distance. A cord cannot push: its tension is max(T, 0) where
l > l_0, else 0. If a cord becomes slack faster than its damper can shorten it, the remaining stored energy is lost.

A large step of h knows x and l' in its middle, with l' of its start: it begins at x_0 = x - h l' / 2, and ends at x_1 =
x + h l'+ / 2. The force is the mean of both ends. A slack cord (x_0 <= 0) that would become taut in free motion, at
x + h l' / 2 > 0, acts in the part a of the step in which it would be taut:

    a = (x + h l' / 2) / (h l')        mean force a k x_1 / 2

Without it the cord would be stretched by up to h l' at once, with more energy than the body that stretched it. Its work
is at least the energy stored at the end, since the body, slowed down, comes less far than a supposes.
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

    def tension(
        self, numbers: dict[str, Scalar], stretch: Vector, velocity: Vector, h: Scalar | None = None
    ) -> "Tension":
        """Return the tension at one time, or for a large step from there.

        numbers: numbers in the structure of numbers(). stretch, velocity: stretch and velocity of the first point
        relative to the second, in world axes [m, m/s]. h: length of the step [s], in whose middle stretch is taken;
        None: at one time.
        """
        length = sqrt(stretch.dot(stretch) + TINY)
        direction = stretch * (1.0 / length)
        rate, k, c = direction.dot(velocity), numbers["stiffness"], numbers["damping"]
        extension = length - numbers["rest_length"]
        if not self.tension_only:
            total = k * extension + c * rate
            return Tension(direction, length, total, k * extension, k, c, rate, 0.5 * k * extension * extension)
        half = 0.0 if h is None else 0.5 * h * rate
        start, free_end, total = extension - half, extension + half, k * extension + c * rate
        acts = where((start > 0.0) & (total > 0.0), 1.0, 0.0)
        spring, total = k * maximum(extension, 0.0), acts * total
        if h is not None:
            catches = (start <= 0.0) & (free_end > 0.0)
            acts = where(catches, free_end / where(catches, h * rate, 1.0), acts)
            total = where(catches, acts * (0.5 * k * free_end + c * rate), total)
            spring = where(catches, 0.0, spring)
        energy = 0.5 * spring * maximum(extension, 0.0)
        return Tension(direction, length, total, spring, acts * k, acts * c, rate, energy, Cord(k, start))


@dataclass(frozen=True, slots=True)
class Cord:
    """What a cord has beyond a spring.

    stiffness: k, also while it is slack [N/m]. extension: x, also below 0 [m]; for a large step that at its start.
    """

    stiffness: Scalar
    extension: Scalar


@dataclass(frozen=True, slots=True)
class Tension:
    """The tension of a spring-damper.

    direction: e, in world axes. length: l [m]. total: T [N]; spring: its part k x, also while a slackening cord does
    not pull [N]. stiffness, damping: k [N/m] and c [N s/m], 0 where a cord is slack, a part of them where it becomes
    taut in a large step. rate: l' [m/s]. energy: stored energy [J]. cord: None for a spring that also pushes.
    """

    direction: Vector
    length: Scalar
    total: Scalar
    spring: Scalar
    stiffness: Scalar
    damping: Scalar
    rate: Scalar
    energy: Scalar
    cord: Cord | None = None

    @property
    def force(self) -> Vector:
        """The force on the first point, in world axes [N]; the force on the second point is opposite."""
        return self.direction * -self.total

    @property
    def loss(self) -> Scalar:
        """The power that is lost in the damper, and by a cord that becomes slack [W]."""
        return (self.total - self.spring) * self.rate

    def cord_losses(self, rate: Scalar, h: Scalar) -> tuple[Scalar, Scalar]:
        """Return the energy that the spring of a cord takes from bodies in a large step and does not store [J].

        First that of a cord that its damper keeps from pulling, then that of cords that become taut or slack within the
        step. rate: mean of l' in the step [m/s]; h: length of the step [s].
        """
        if self.cord is None:
            return 0.0, 0.0
        k, x, x_end = self.cord.stiffness, maximum(self.cord.extension, 0.0), self.cord.extension + h * rate
        taken = 0.5 * h * self.stiffness * (x + x_end) * rate
        stored = 0.5 * k * (maximum(x_end, 0.0) * maximum(x_end, 0.0) - x * x)
        slackens = (self.spring > 0.0) & (self.stiffness <= 0.0)
        return where(slackens, taken - stored, 0.0), where(slackens, 0.0, taken - stored)

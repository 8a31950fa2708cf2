"""When two bodies first touch on a straight way, and which way the moving one is then pushed."""

from dataclasses import dataclass
from functools import reduce

from gambol.collide.gap import FAR, UP, chosen
from gambol.lanes import Scalar, where
from gambol.spatial import Vector


@dataclass(frozen=True, slots=True)
class Hit:
    """The first touch of a moving body and what it runs into.

    time: share of the motion done before it, from 0 to 1, or FAR if there is none. normal: unit, from what is hit to
    what moves; any unit vector if there is none.

    A body that already lies in the other one hits it at time 0, wherever it moves. One that just touches hits only if
    it moves inward: neither at rest, nor along the surface, nor away from it. Numbers that are not finite hit nothing.
    """

    time: Scalar
    normal: Vector

    @property
    def touches(self) -> Scalar:
        """Whether there is a touch at all: 1 is the end of the motion."""
        return self.time <= 1.0

    def only(self, condition: Scalar) -> "Hit":
        """This hit where a condition holds, none elsewhere."""
        return Hit(where(condition, self.time, FAR), self.normal)


NO_HIT = Hit(FAR, UP)


def first_hit(*hits: Hit) -> Hit:
    """The earliest of several hits; of equals the one named first."""
    return reduce(lambda best, new: chosen(new.time < best.time, new, best), hits)

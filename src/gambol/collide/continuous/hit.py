"""The first touch of two bodies on a straight motion, and its normal."""

from dataclasses import dataclass
from functools import reduce

from gambol.collide.gap import FAR, UP, select
from gambol.lanes import Scalar, where
from gambol.spatial import Vector


@dataclass(frozen=True, slots=True)
class Hit:
    """The first touch of a moving body and an obstacle.

    time: fraction of the motion before the contact, from 0 to 1, or FAR if there is no contact. normal: unit, from the
    obstacle to the moving body; any unit vector if there is no touch.

    A body that already overlaps the obstacle hits it at time 0. A body that just touches it hits it only if it moves
    inward. A motion that is not finite hits nothing.
    """

    time: Scalar
    normal: Vector

    @property
    def touches(self) -> Scalar:
        """True where there is a touch before the end of the motion, time 1."""
        return self.time <= 1.0

    def masked(self, condition: Scalar) -> "Hit":
        """Return this hit where a condition holds, no hit elsewhere."""
        return Hit(where(condition, self.time, FAR), self.normal)


NO_HIT = Hit(FAR, UP)
"""The hit of bodies that do not touch within the step."""


def first_hit(*hits: Hit) -> Hit:
    """Return the earliest of several hits; of simultaneous hits, the first."""
    return reduce(lambda best, new: select(new.time < best.time, new, best), hits)

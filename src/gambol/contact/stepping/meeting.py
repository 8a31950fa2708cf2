"""Where two bodies meet: what a contact is to a velocity step, and the three directions of its impulse."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gambol.figure import Figure
from gambol.lanes import Scalar, where
from gambol.spatial import Vector
from gambol.spatial.rotation import exactly

Frame: TypeAlias = tuple[Vector, Vector, Vector]
"""Normal and two tangents of a contact, in world axes; right-handed in the order tangent, tangent, normal."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A place where a link may touch the world or another link.

    carried: by the number of each link whose joint moves one side of the contact and not the other: 1 where that is the
    first side, -1 where it is the second, 0 where it happens to be neither. point: where they press on each other, in
    world axes [m]. normal: unit, the way the first is pushed. gap: between them along the normal, negative inside [m].
    friction: mu; restitution: e, from 0 to 1. held: 1 where the contact sticks whatever pulls at it, as a sticky foot
    does, else 0; None: it never does.
    """

    carried: Mapping[int, Scalar]
    point: Vector
    normal: Vector
    gap: Scalar
    friction: Scalar
    restitution: Scalar = 0.0
    held: Scalar | None = None

    @property
    def frame(self) -> Frame:
        """The normal and two tangents, which turn smoothly with it but at -z. [Duff et al. 2017]"""
        n = self.normal
        if all(exactly(x, value) for x, value in zip(n, (0.0, 0.0, 1.0), strict=True)):
            return n, Vector.axis(0), Vector.axis(1)
        sign = where(n.z >= 0.0, 1.0, -1.0)
        a = -1.0 / (sign + n.z)
        b = n.x * n.y * a
        first = Vector(n.x * n.x * a * sign + 1.0, sign * b, -sign * n.x)
        return n, first, Vector(b, n.y * n.y * a + sign, -n.y)


def carried_by(figure: Figure, link: int, other: int = 0) -> dict[int, float]:
    """Meeting.carried of a contact of two links, by their numbers; 0 is the world."""
    sides = ({placed.index for placed in figure.carriers(end)} if end else set[int]() for end in (link, other))
    first, second = sides
    return {i: 1.0 if i in first else -1.0 for i in sorted(first ^ second)}

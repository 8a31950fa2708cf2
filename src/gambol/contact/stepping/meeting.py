"""Where two bodies meet: what a contact is to a velocity step, and the three directions of its impulse."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gambol.figure import Figure
from gambol.figure.anybody import carries, told
from gambol.lanes import Scalar
from gambol.spatial import Vector
from gambol.spatial.rotation import exactly
from gambol.spatial.vector import across

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
        """The normal and two tangents; level ground has the axes of the world."""
        n = self.normal
        if all(exactly(x, value) for x, value in zip(n, (0.0, 0.0, 1.0), strict=True)):
            return n, Vector.axis(0), Vector.axis(1)
        return n, *across(n)


def carried_by(figure: Figure, link: int, other: int = 0) -> dict[int, Scalar]:
    """Meeting.carried of a contact of two links, by their numbers; 0 is the world."""
    if told(figure):
        ends = [(end, sign) for end, sign in ((link, 1.0), (other, -1.0)) if end]
        signs = {i: sum(sign * carries(figure, i, end) for end, sign in ends) for i in range(1, len(figure.links) + 1)}
        return {i: sign for i, sign in signs.items() if not exactly(sign, 0.0)}
    sides = ({placed.index for placed in figure.carriers(end)} if end else set[int]() for end in (link, other))
    first, second = sides
    return {i: 1.0 if i in first else -1.0 for i in sorted(first ^ second)}

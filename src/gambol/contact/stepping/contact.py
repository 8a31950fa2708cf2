"""Contacts as a velocity step sees them, and the three directions of a contact impulse."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gambol.figure import Figure
from gambol.figure.template import carries, has_variable_topology
from gambol.lanes import Scalar
from gambol.spatial import Vector
from gambol.spatial.rotation import is_constant
from gambol.spatial.vector import tangent_basis

Frame: TypeAlias = tuple[Vector, Vector, Vector]
"""Normal and two tangents of a contact, in world axes; right-handed in the order tangent, tangent, normal."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A possible contact of a link with the world or with another link.

    signs: by link number: 1 where the link's joint moves only the first side, -1 where it moves only the second, 0
    where neither; links that always move both or none are left out. point: contact point, in world axes [m]. normal:
    unit vector, the direction in which the first side is pushed. gap: distance along the normal, negative in
    penetration [m]. friction: mu; restitution: e, from 0 to 1. held: 1 where the contact sticks under any pull, as a
    sticky foot does, else 0; None: it never does.
    """

    signs: Mapping[int, Scalar]
    point: Vector
    normal: Vector
    gap: Scalar
    friction: Scalar
    restitution: Scalar = 0.0
    held: Scalar | None = None

    @property
    def frame(self) -> Frame:
        """The normal and two tangents; on level ground the axes of the world."""
        n = self.normal
        if all(is_constant(x, value) for x, value in zip(n, (0.0, 0.0, 1.0), strict=True)):
            return n, Vector.axis(0), Vector.axis(1)
        return n, *tangent_basis(n)


def contact_signs(figure: Figure, link: int, other: int = 0) -> dict[int, Scalar]:
    """Return Contact.signs of a contact between two links, given by number; 0 is the world."""
    if has_variable_topology(figure):
        ends = [(end, sign) for end, sign in ((link, 1.0), (other, -1.0)) if end]
        signs = {i: sum(sign * carries(figure, i, end) for end, sign in ends) for i in range(1, len(figure.links) + 1)}
        return {i: sign for i, sign in signs.items() if not is_constant(sign, 0.0)}
    sides = ({placed.index for placed in figure.path_to_root(end)} if end else set[int]() for end in (link, other))
    first, second = sides
    return {i: 1.0 if i in first else -1.0 for i in sorted(first ^ second)}

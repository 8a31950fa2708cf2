"""Where shapes naturally touch the ground: points and balls that stand for them."""

import itertools
import math
from typing import NamedTuple

from gambol.figure.joint.given import Triple
from gambol.figure.rotation import rotation_about
from gambol.spatial.rotation import exactly

RIM_POINTS = 8  # the polygon strays from the rim by 1 - cos(pi / 8) = 8 % of the radius; four points lie on the axes

WAYS: tuple[Triple, ...] = tuple(
    (float(x), float(y), float(z)) for x, y, z in itertools.product((-1, 0, 1), repeat=3) if x or y or z
)
"""From the middle of a cube to its sides, edges and corners: none is farther than 28 degrees from one of these."""


class ContactPoint(NamedTuple):
    """A point of a shape that may touch: a ball of this radius [m] (0: a bare point) at this place in the shape [m]."""

    position: Triple
    radius: float


def rim(radius: float, z: float) -> tuple[ContactPoint, ...]:
    """Points on a circle about the z axis, the first on the x axis."""
    if exactly(radius, 0.0):
        return (ContactPoint((0.0, 0.0, z), 0.0),)
    turns = (rotation_about("z", 2 * math.pi * k / RIM_POINTS) for k in range(RIM_POINTS))
    return tuple(ContactPoint((radius * R[0][0], radius * R[1][0], z), 0.0) for R in turns)

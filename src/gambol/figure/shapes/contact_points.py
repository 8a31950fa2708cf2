"""Contact points: points and balls at which shapes touch the ground."""

import itertools
import math
from typing import NamedTuple

from gambol.figure.joint.joint import Triple
from gambol.figure.rotation import rotation_about
from gambol.spatial.rotation import is_constant

RIM_POINTS = 8  # the polygon deviates from the rim by 1 - cos(pi / 8) = 8 % of the radius; four points lie on the axes

DIRECTIONS: tuple[Triple, ...] = tuple(
    (float(x), float(y), float(z)) for x, y, z in itertools.product((-1, 0, 1), repeat=3) if x or y or z
)
"""Directions from the centre of a cube to its faces, edges and corners; at most 28 degrees from any direction."""


class ContactPoint(NamedTuple):
    """A ball that may touch the ground: its centre in the shape's frame [m] and its radius [m], 0 for a point."""

    position: Triple
    radius: float


def rim(radius: float, z: float) -> tuple[ContactPoint, ...]:
    """Return points on a circle about the z axis, the first above the x axis.

    radius, z: radius and height of the circle [m].
    """
    if is_constant(radius, 0.0):
        return (ContactPoint((0.0, 0.0, z), 0.0),)
    rotations = (rotation_about("z", 2 * math.pi * k / RIM_POINTS) for k in range(RIM_POINTS))
    return tuple(ContactPoint((radius * R[0][0], radius * R[1][0], z), 0.0) for R in rotations)

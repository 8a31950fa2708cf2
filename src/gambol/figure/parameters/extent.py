"""The extent of a figure's links, over generic scalars."""

import math
from functools import reduce

from gambol.figure.figure import WORLD, Figure
from gambol.lanes import Scalar, maximum
from gambol.spatial import Vector


def extent(figure: Figure) -> Scalar:
    """Return twice the largest distance of a contact point, centre of mass or joint from its link's origin [m].

    It is 1 where all these distances are 0.
    """
    far = [_length(p.position) + p.radius for link in figure.links for p in link.contact_points()]
    far += [_length(link.mass_properties.com) for link in figure.links]
    far += [_length(link.joint.position) for link in figure.links if link.parent_index != WORLD]
    farthest = reduce(maximum, far)
    return 1.0 if isinstance(farthest, float) and not farthest else 2.0 * farthest


def _length(place: tuple[Scalar, Scalar, Scalar]) -> Scalar:
    """Return the length of a vector; math.hypot for plain numbers, which rounds only once."""
    return math.hypot(*place) if all(isinstance(x, (int, float)) for x in place) else Vector(*place).length()

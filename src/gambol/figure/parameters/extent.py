"""The extent of a figure's links, over generic scalars."""

import math
from functools import reduce

from gambol.figure.figure import WORLD, Figure
from gambol.lanes import Scalar, maximum
from gambol.spatial import Vector


def extent(figure: Figure) -> Scalar:
    """Return twice the largest distance of a contact point, centre of mass or joint from its link's origin [m].

    The extent is 1 if all these distances are 0.
    """
    distances = [_length(p.position) + p.radius for link in figure.links for p in link.contact_points()]
    distances += [_length(link.mass_properties.com) for link in figure.links]
    distances += [_length(link.joint.position) for link in figure.links if link.parent_index != WORLD]
    radius = reduce(maximum, distances)
    return 1.0 if isinstance(radius, float) and not radius else 2.0 * radius


def _length(vector: tuple[Scalar, Scalar, Scalar]) -> Scalar:
    """Return the length of a vector; math.hypot for plain numbers, which rounds only once."""
    return math.hypot(*vector) if all(isinstance(x, (int, float)) for x in vector) else Vector(*vector).length()

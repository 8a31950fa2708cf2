"""How long a creature is: what its speeds and distances are told in."""

from collections.abc import Sequence

from gambol.dynamics import kinematics
from gambol.figure import Figure
from gambol.lanes import Scalar, maximum, minimum
from gambol.spatial import Vector


def length_of(figure: Figure, q: Sequence[Scalar]) -> Scalar:
    """From the foremost to the hindmost point of the balls that a figure touches with, at coordinates q (nq) [m]."""
    poses = kinematics(figure, q, [0.0] * figure.nv).poses
    front: Scalar = -1e9
    back: Scalar = 1e9
    for link in figure.links:
        for point in link.contact_points():
            x = (poses[link.index] @ Vector(*point.position)).x
            front, back = maximum(x + point.radius, front), minimum(x - point.radius, back)
    return front - back

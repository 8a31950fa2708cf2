"""The place of a ball on a triangle: the point of the triangle that is nearest to the ball's centre.

It is the foot of the centre on the plane if that is inside the triangle, and otherwise the nearest one of the nearest
points of the three edges. [Ericson 2005, section 5.1.5]
"""

from gambol.lanes import Scalar, maximum, minimum, where
from gambol.matter.elements.link_point import Corners, barycentric
from gambol.spatial import Vector

MIN_LENGTH_SQUARED = 1e-60  # m2: squared length of an edge without a direction

Weights = tuple[Scalar, Scalar, Scalar]


def nearest_weights(p: Vector, x: Corners) -> Weights:
    """Return the weights of the corners x of a triangle at its point that is nearest to a point p [m]."""
    _, foot = barycentric(p, x)
    nearest, least = (1.0, 0.0, 0.0), None
    for i in range(3):
        j = (i + 1) % 3
        edge, r = x[j] - x[i], p - x[i]
        t = minimum(maximum(r.dot(edge) / maximum(edge.dot(edge), MIN_LENGTH_SQUARED), 0.0), 1.0)
        off = r - edge * t
        weights: list[Scalar] = [0.0, 0.0, 0.0]
        weights[i], weights[j] = 1.0 - t, t
        squared = off.dot(off)
        nearest = _chosen(None if least is None else squared < least, weights, nearest)
        least = squared if least is None else minimum(squared, least)
    return _chosen(minimum(minimum(foot[0], foot[1]), foot[2]) >= 0.0, foot, nearest)


def _chosen(condition: Scalar | None, first: list[Scalar] | Weights, second: Weights) -> Weights:
    """Return the first weights where a condition is true, else the second ones; None: the first."""
    if condition is None:
        return first[0], first[1], first[2]
    a, b, c = (where(condition, one, other) for one, other in zip(first, second, strict=True))
    return a, b, c

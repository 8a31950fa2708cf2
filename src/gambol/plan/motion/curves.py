"""Curves in the world, for points that follow them."""

from collections.abc import Sequence
from itertools import pairwise

from gambol.lanes import Scalar
from gambol.plan.motion.goals import Curve


def point_on_curve(curve: Curve, s: Scalar) -> Sequence[Scalar]:
    """Return the point x, y, z [m] of a curve at parameter s, from 0 to 1: by de Casteljau's algorithm for control
    points, else by the curve's function.
    """
    if callable(curve):
        return curve(s)
    points: list[list[Scalar]] = [list(point) for point in curve]
    while len(points) > 1:
        pairs = pairwise(points)
        points = [[x + s * (y - x) for x, y in zip(a, b, strict=True)] for a, b in pairs]
    return points[0]

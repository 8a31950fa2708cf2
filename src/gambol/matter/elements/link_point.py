"""A point of a part, a ball of some radius, near a triangle of a mesh.

    n = (x1 - x0) x (x2 - x0)/|...|, turned to the part's middle       gap = n . (p - x0) - radius
    foot = p - gap n = sum w_i x_i                                     it touches where all w_i are 0 or more

The middle of the part at the start of the step shows on which side of the triangle the part is. So a point, and even
the part, that passes the triangle within the step is pushed back.
"""

from dataclasses import dataclass
from typing import TypeAlias

from gambol.lanes import Scalar, maximum, minimum, sqrt, where
from gambol.spatial import Vector

FAR = 1e6
"""The gap of a point whose foot is outside the triangle [m]."""

Corners: TypeAlias = tuple[Vector, Vector, Vector]

MIN_SQUARED_AREA = 1e-60  # m4: squared area of a triangle without a normal


@dataclass(frozen=True, slots=True)
class TrianglePlace:
    """The gap [m], the normal from the part to the triangle, and the weights of the corners at the foot.

    lagging: the gap of the contact test, with lagging corners at the same foot; FAR if the foot is outside the
    triangle.
    """

    gap: Scalar
    lagging: Scalar
    normal: Vector
    weights: tuple[Scalar, Scalar, Scalar]


def barycentric(p: Vector, x: Corners) -> tuple[Vector, tuple[Scalar, Scalar, Scalar]]:
    """Return the unit normal of a triangle, and the weights of its corners x at the foot of a point p."""
    a, b, r = x[1] - x[0], x[2] - x[0], p - x[0]
    area = a.cross(b)
    squared = maximum(area.dot(area), MIN_SQUARED_AREA)
    w1, w2 = r.cross(b).dot(area) / squared, a.cross(r).dot(area) / squared
    return area * (1.0 / sqrt(squared)), (1.0 - w1 - w2, w1, w2)


def point_on_triangle(p: Vector, middle: Vector, radius: Scalar, x: Corners, lag: Corners) -> TrianglePlace:
    """Return the place of a point of a part on a triangle.

    p: the point [m]. middle: middle of the part at the start of the step [m]. radius: radius of the ball around p, plus
    half of the mesh's thickness [m]. x, lag: corners, and lagging corners, see PointQuery [m].
    """
    up, weights = barycentric(p, x)
    side = where(up.dot(middle - x[0]) < 0.0, -1.0, 1.0)
    inside = minimum(minimum(weights[0], weights[1]), weights[2]) >= 0.0
    normal = up * -side
    foot = lag[0] * weights[0] + lag[1] * weights[1] + lag[2] * weights[2]
    gap, lagging = normal.dot(x[0] - p) - radius, normal.dot(foot - p) - radius
    return TrianglePlace(gap, where(inside, lagging, FAR), normal, weights)

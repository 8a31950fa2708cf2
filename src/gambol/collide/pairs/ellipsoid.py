"""The point of an ellipsoid's surface nearest to a point outside or inside it. [Eberly 2013, section 2.9]

With half axes r_i and a point y in the first octant, the nearest point is x_i = r_i^2 y_i / (t + r_i^2), with t the
largest root of F(t) = sum (r_i y_i / (t + r_i^2))^2 - 1. F is convex and decreases from t0 = max(r_i y_i - r_i^2),
where it is at most 2, to that root, so Newton's method approaches it from below without overshooting. The distance has
the sign of t. The unknown is u = t + m, with m the least r_i^2: inside, near a plane of symmetry, t is nearly -m and
would lose precision.
"""

from collections.abc import Sequence

from gambol.collide.convex.direction import unit_or
from gambol.collide.gap import UP
from gambol.lanes import Scalar, loop, maximum, minimum, where
from gambol.spatial import Vector

MAX_STEPS = 30.0  # random points took at most 12; points near the focal ellipse of a flat ellipsoid take more
MIN_FRACTION = 1e-15  # distance, in half axes, by which a point in a plane of symmetry is moved out of it


def nearest_on_ellipsoid(radii: Sequence[Scalar], p: Vector) -> tuple[Vector, Vector, Scalar]:
    """Return the nearest point of the surface [m], its outward normal, and the distance, negative inside [m].

    radii: the three half axes [m]. p: a point in the axes of the ellipsoid [m]. If several points are equally near, as
    they are to the centre, the result is one of them.
    """
    y = [maximum(abs(c), MIN_FRACTION * r) for c, r in zip(p, radii, strict=True)]
    squares = [r * r for r in radii]
    least = minimum(minimum(squares[0], squares[1]), squares[2])
    differences = [rr - least for rr in squares]
    starts = [r * c - b for r, c, b in zip(radii, y, differences, strict=True)]
    start = maximum(maximum(starts[0], starts[1]), starts[2])
    u = _root([r * c for r, c in zip(radii, y, strict=True)], differences, start)
    outward = [where(x >= 0.0, c, -c) / (u + b) for x, c, b in zip(p, y, differences, strict=True)]
    normal, length = unit_or(Vector.of(outward), UP)
    return Vector.of([rr * o for rr, o in zip(squares, outward, strict=True)]), normal, (u - least) * length


def _root(weights: Sequence[Scalar], differences: Sequence[Scalar], start: Scalar) -> Scalar:
    """Return the largest root of F in u, by Newton's method from below, until a step no longer increases u."""

    def increases(state: tuple[Scalar, Scalar, Scalar]) -> Scalar:
        u, previous, count = state
        return (u > previous) & (count < MAX_STEPS)

    def newton_step(state: tuple[Scalar, Scalar, Scalar]) -> tuple[Scalar, Scalar, Scalar]:
        u, _, count = state
        value, slope = -1.0, 0.0
        for w, b in zip(weights, differences, strict=True):
            inverse = 1.0 / (u + b)
            term = w * inverse * (w * inverse)
            value, slope = value + term, slope + 2.0 * term * inverse
        return u + value / slope, u, count + 1.0

    return loop(increases, newton_step, newton_step((start, start, 0.0)))[0]

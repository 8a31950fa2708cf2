"""The point of an ellipsoid nearest to a given one, from outside and from inside. [Eberly 2013, section 2.9]

With half axes r_i and a point y in the first octant, the nearest point is x_i = r_i^2 y_i / (t + r_i^2), with t the
largest root of F(t) = sum (r_i y_i / (t + r_i^2))^2 - 1. From t0 = max(r_i y_i - r_i^2) on, F falls from at most 2 to
that root and is convex, so Newton's method climbs to it without passing it. The distance has the sign of t.
"""

from collections.abc import Sequence

from gambol.collide.convex.direction import unit_or
from gambol.collide.gap import UP
from gambol.lanes import Scalar, loop, maximum, where, working_precision
from gambol.spatial import Vector

MOST_STEPS = 30.0  # random points took at most 12; flat ellipsoids and points near their focal ellipse some more
LEAST_SHARE = {"float64": 1e-14, "float32": 1e-7}  # of a half axis: a point in a plane of symmetry leaves it by this


def nearest_on_ellipsoid(radii: Sequence[Scalar], p: Vector) -> tuple[Vector, Vector, Scalar]:
    """The nearest point of the surface [m], its outward normal, and the distance, negative inside [m].

    radii: the three half axes [m]. p: a point in the ellipsoid's own axes [m].
    Where several points are equally near, such as from the centre, it is one of them.
    """
    least = LEAST_SHARE[working_precision()]
    y = [maximum(abs(c), least * r) for c, r in zip(p, radii, strict=True)]
    squares = [r * r for r in radii]
    starts = [r * c - rr for r, c, rr in zip(radii, y, squares, strict=True)]
    start = maximum(maximum(starts[0], starts[1]), starts[2])
    t = _root([r * c for r, c in zip(radii, y, strict=True)], squares, start)
    over = [1.0 / (t + rr) for rr in squares]
    signs = [where(c >= 0.0, 1.0, -1.0) for c in p]
    point = Vector.of([s * rr * c * o for s, rr, c, o in zip(signs, squares, y, over, strict=True)])
    normal, length = unit_or(Vector.of([s * c * o for s, c, o in zip(signs, y, over, strict=True)]), UP)
    return point, normal, t * length


def _root(weights: Sequence[Scalar], squares: Sequence[Scalar], start: Scalar) -> Scalar:
    """The largest root of F, by Newton's method from its left, until a step no longer climbs."""

    def climbs(state: tuple[Scalar, Scalar, Scalar]) -> Scalar:
        t, before, count = state
        return (t > before) & (count < MOST_STEPS)

    def climb(state: tuple[Scalar, Scalar, Scalar]) -> tuple[Scalar, Scalar, Scalar]:
        t, _, count = state
        value, slope = -1.0, 0.0
        for w, rr in zip(weights, squares, strict=True):
            over = 1.0 / (t + rr)
            term = w * over * (w * over)
            value, slope = value + term, slope + 2.0 * term * over
        return t + value / slope, t, count + 1.0

    return loop(climbs, climb, climb((start, start, 0.0)))[0]

"""The nearest point of the cone of an anisotropic friction, with a section of two half ellipses.

    |(x / a, y / b)| <= n      a: half axis of the side, x < 0 or x > 0, of the given point (n_0, x_0, y_0)
    x = x_0 a^2 / (a^2 + s)    y = y_0 b^2 / (b^2 + s)    n = n_0 / (1 - s)    s >= 0      [conditions of Lagrange]

With 1 - s = n_0 / n, one equation for n remains: 1 = S(n), where S is the length of (x, y) / (a n, b n). 1 / S rises
and is concave, so Newton steps from below approach the root from one side. The cone is straight along its generators,
where the derivative of the nearest point is 1. Across them it is 1 / (1 + s t . A t), with A = diag(-1, 1 / a^2, 1 /
b^2) and t the unit tangent normal to the generator.
"""

from collections.abc import Sequence
from typing import TypeAlias

from gambol.contact.stepping.anisotropy import Anisotropy
from gambol.lanes import Scalar, maximum, sqrt, where
from gambol.spatial import Vector

ScaledDirection: TypeAlias = tuple[Sequence[Scalar], Scalar]
"""A direction in the space of a block's rows, and the derivative of a projection along it, from 0 to 1."""

ROOT_STEPS = 6
"""Newton steps for n: each doubles the number of correct digits; on a circular cone the initial value is exact."""

TINY = 1e-30
"""Added to squares under a root or below a fraction, to keep them positive: far below all relevant values."""


def nearest_on_elliptic_cone(
    p: Sequence[Scalar], b: Scalar, anisotropy: Anisotropy, held: Scalar | None
) -> tuple[list[Scalar], list[ScaledDirection]]:
    """Return the impulses of the cone that are nearest to p, and the Jacobian as a sum of dyads times derivatives.

    p: impulses along normal, forward and sideways [N s]. b: coefficient of friction sideways. held: 1 where any impulse
    is admissible, else 0; None: nowhere.
    """
    n0, x0, y0 = p
    a = b * anisotropy.ratio(-x0)
    stretched = anisotropy.stretched(x0)
    inside = (n0 >= 0.0) & (stretched * stretched + y0 * y0 <= (b * n0) * (b * n0))
    if held is not None:
        inside = inside | (held > 0.5)
    polar_distance = n0 + sqrt(a * a * x0 * x0 + b * b * y0 * y0)
    in_polar_cone = polar_distance <= 0.0
    n = _normal(p, (a, b), where(inside | in_polar_cone, 0.0, polar_distance))
    x, y = (_tangential(z0, z, n0, n) for z0, z in ((x0, a), (y0, b)))
    nearest = Vector(n, x, y)
    impulses = [where(inside, old, where(in_polar_cone, 0.0, new)) for old, new in zip(p, nearest, strict=True)]
    along, across, slope = _tangents(nearest, (a * a, b * b), 1.0 - n0 / n)
    free = where(in_polar_cone, 0.0, 1.0)
    return impulses, [
        ([where(inside, u, w) for u, w in zip((1.0, 0.0, 0.0), along, strict=True)], where(inside, 1.0, free)),
        ([where(inside, u, w) for u, w in zip((0.0, 1.0, 0.0), across, strict=True)], where(inside, 1.0, free * slope)),
        ([0.0, 0.0, 1.0], where(inside, 1.0, 0.0)),
    ]


def _normal(p: Sequence[Scalar], half_axes: tuple[Scalar, Scalar], distance: Scalar) -> Scalar:
    """Return n of the nearest point; 1 where the distance from the polar cone is 0, so that n is not needed."""
    (n0, x0, y0), (a, b) = p, half_axes
    outside = distance > 0.0
    n = where(outside, maximum(distance / (1.0 + maximum(a * a, b * b)), n0), 1.0)
    for _ in range(ROOT_STEPS):
        square, fall = TINY, TINY  # S^2 and -(S^2)' / 2
        for z0, z in ((x0, a), (y0, b)):
            u = _denominator(z, n0, n)
            square, fall = square + (z * z0 / u) * (z * z0 / u), fall + (z * z0 / u) * (z * z0 / u) * (1.0 + z * z) / u
        n = where(outside, n + (sqrt(square) - 1.0) * square / fall, 1.0)
    return n


def _denominator(half_axis: Scalar, n0: Scalar, n: Scalar) -> Scalar:
    """Return (1 + a^2) n - n_0, which is positive between the start and the root.

    Where it is not positive, it is not needed, and 1 is returned.
    """
    u = (1.0 + half_axis * half_axis) * n - n0
    return where(u > 0.0, u, 1.0)


def _tangential(x0: Scalar, half_axis: Scalar, n0: Scalar, n: Scalar) -> Scalar:
    """Return the coordinate of the nearest point along one axis of the section."""
    return half_axis * half_axis * n * x0 / _denominator(half_axis, n0, n)


def _tangents(q: Vector, squares: tuple[Scalar, Scalar], s: Scalar) -> tuple[Vector, Vector, Scalar]:
    """Return the unit vectors along and across the generator at a point q of the cone, and the derivative across.

    squares: a^2 and b^2. s: multiplier of the nearest point.
    """
    aa, bb = squares
    normal = Vector(-q.x, q.y / aa, q.z / bb)
    along = q * (1.0 / sqrt(q.dot(q) + TINY))
    across = normal.cross(along)
    across = across * (1.0 / sqrt(across.dot(across) + TINY))
    curvature = across.y * across.y / aa + across.z * across.z / bb - across.x * across.x
    return along, across, 1.0 / (1.0 + maximum(s * curvature, 0.0))

"""How the coordinates of a joint change: their rates, finite moves along the tangent, and the rates of such moves.

    dq/dt = N(q) v             q moved by x:  q + x, and q exp(x / 2) for a quaternion
    q(t) = q moved by x(t):    x' = v + x cross v / 2 + g x cross (x cross v),  g = (1 - a cot a) / |x|^2,  a = |x| / 2

The last is the inverse of the differential of the exponential map, for velocities in the moving body. It keeps
quaternions at length 1 without renormalising. [Hairer, Lubich and Wanner 2006, IV.7 and lemma III.4.2]
"""

from collections.abc import Sequence

from gambol.lanes import Scalar, cos, maximum, sin, sqrt, where
from gambol.spatial.quaternion import Quaternion
from gambol.spatial.rotation import Rotation
from gambol.spatial.vector import Vector

SMALL = 0.05
"""Squared angle [rad2] below which series are used; what they leave out there is below 1e-16."""

WINDING = (1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160, 691 / 1307674368000, 1 / 74724249600)
"""g as a power series of the squared angle: |B_2k| / (2k)!."""

Numbers = Sequence[Scalar]


def same_rates(q: Numbers, v: Numbers) -> list[Scalar]:
    """Rates of coordinates whose velocities are their rates."""
    return list(v)


def planar_rates(q: Numbers, v: Numbers) -> list[Scalar]:
    """Rates of angle and place in the plane from velocities along the moving axes."""
    c, s = cos(q[0]), sin(q[0])
    return [v[0], c * v[1] - s * v[2], s * v[1] + c * v[2]]


def spherical_rates(q: Numbers, v: Numbers) -> list[Scalar]:
    """Rates of a quaternion from the angular velocity in link coordinates."""
    return list(Quaternion(*q).rate(Vector(*v)).components())


def free_rates(q: Numbers, v: Numbers) -> list[Scalar]:
    """Rates of the pose of a free link."""
    return [*spherical_rates(q[:4], v[:3]), *(Quaternion(*q[:4]).rotation() @ Vector(*v[3:]))]


def added(q: Numbers, x: Numbers) -> list[Scalar]:
    """Coordinates that move by adding."""
    return [a + b for a, b in zip(q, x, strict=True)]


def turned_on(q: Numbers, x: Numbers) -> list[Scalar]:
    """A quaternion turned on by a rotation vector in link axes [rad]."""
    return list((Quaternion(*q) @ Quaternion.exponential(Vector(*x))).components())


def moved_on(q: Numbers, x: Numbers) -> list[Scalar]:
    """A pose turned on by a rotation vector in link axes [rad] and moved along the axes of its position [m]."""
    return [*turned_on(q[:4], x[:3]), *added(q[4:], x[3:])]


def unwound(x: Vector, omega: Vector) -> Vector:
    """Rate of the rotation vector x of a body that turns at omega, in body coordinates."""
    t = x.dot(x)
    series: Scalar = 0.0
    for coefficient in reversed(WINDING):
        series = series * t + coefficient
    size = maximum(t, SMALL)
    angle = sqrt(size)
    closed = (1.0 - angle * sin(angle) / (2.0 - 2.0 * cos(angle))) / size
    swirl = x.cross(omega)
    return omega + swirl * 0.5 + x.cross(swirl) * where(t < SMALL, series, closed)


def spherical_unwound(q: Numbers, x: Numbers, v: Numbers) -> list[Scalar]:
    """Rate of the rotation vector that leads from a quaternion to where the link is."""
    return list(unwound(Vector(*x), Vector(*v)))


def free_unwound(q: Numbers, x: Numbers, v: Numbers) -> list[Scalar]:
    """Rates of the rotation vector and of the displacement that lead from a pose to where the link is."""
    here: Rotation = Quaternion(*turned_on(q[:4], x[:3])).rotation()
    return [*spherical_unwound(q[:4], x[:3], v[:3]), *(here @ Vector(*v[3:]))]


def unit(q: Numbers) -> list[Scalar]:
    """Coordinates that begin with a quaternion, with it brought back to length 1."""
    size = 1.0 / sqrt(sum((x * x for x in q[:4]), 0.0))
    return [*(x * size for x in q[:4]), *q[4:]]

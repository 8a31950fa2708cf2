"""Joint coordinates as a manifold: q_dot, integration along the tangent space, and rates of tangent coordinates.

    q_dot = N(q) v             q (+) x:  q + x, and q exp(x / 2) for a quaternion
    q(t) = q_0 (+) x(t):       x' = v + x cross v / 2 + g x cross (x cross v),  g = (1 - a cot a) / |x|^2,  a = |x| / 2

The formula of x' is the inverse differential of the exponential map (dexpinv), for velocities in body axes. It keeps
quaternions at length 1 without normalisation. [Hairer, Lubich and Wanner 2006, IV.7 and lemma III.4.2]

The linear velocities of free and planar joints are along axes that turn with the link. If the velocity of the link is
constant in its parent, its components along these axes still change: v' = v x w. Angular velocities keep their
components, because the link turns about them.
"""

from collections.abc import Sequence

from gambol.lanes import Scalar, cos, maximum, shared, sin, sqrt, where
from gambol.spatial.rotation import Quaternion
from gambol.spatial.vector import Vector

MAX_SERIES_ANGLE_SQUARED = 0.05
"""Squared angle [rad2] below which the series is used; its truncation error is then below 1e-16."""

SERIES = (1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160, 691 / 1307674368000, 1 / 74724249600)
"""Coefficients of g as a power series of the squared angle: |B_2k| / (2k)!."""

Numbers = Sequence[Scalar]


def planar_rates(q: Numbers, v: Numbers) -> list[Scalar]:
    """Return q_dot of an angle and a position in the plane; v: along the moving axes."""
    c, s = cos(q[0]), sin(q[0])
    return [v[0], c * v[1] - s * v[2], s * v[1] + c * v[2]]


@shared
def free_rates(q: Numbers, v: Numbers) -> list[Scalar]:
    """Return the rates of the position of a free link; v: spatial velocity in link coordinates."""
    return list(Quaternion(*q[:4]).rotation() @ Vector(*v[3:]))


def quaternion_rates(q: Numbers, v: Numbers) -> list[Scalar]:
    """Return the rate of a quaternion; v: angular velocity in link coordinates [rad/s]."""
    return list(Quaternion(*q).derivative(Vector(*v)).components())


def add(q: Numbers, x: Numbers) -> list[Scalar]:
    """Return q + x."""
    return [a + b for a, b in zip(q, x, strict=True)]


@shared
def integrate_quaternion(q: Numbers, x: Numbers) -> list[Scalar]:
    """Return quaternion q rotated by a rotation vector x in link axes [rad]."""
    return list((Quaternion(*q) @ Quaternion.exponential(Vector(*x))).components())


def subtract(q: Numbers, other: Numbers) -> list[Scalar]:
    """Return other - q: the tangent coordinates around q of other coordinates."""
    return [b - a for a, b in zip(q, other, strict=True)]


def quaternion_difference(q: Numbers, other: Numbers) -> list[Scalar]:
    """Return the rotation vector, in the link's axes at q, from quaternion q to another, of length up to pi [rad].

    Coordinates after the quaternion are subtracted. It is the inverse of integrate_quaternion and integrate_pose.
    """
    turn = (Quaternion(*q[:4]).conjugate() @ Quaternion(*other[:4])).logarithm()
    return [*turn, *subtract(q[4:], other[4:])]


def integrate_pose(q: Numbers, x: Numbers) -> list[Scalar]:
    """Return pose q rotated by x[:3] in link axes [rad] and translated by x[3:] in the axes of its position [m]."""
    return [*integrate_quaternion(q[:4], x[:3]), *add(q[4:], x[3:])]


def rotation_vector_rates(x: Vector, omega: Vector) -> Vector:
    """Return dexpinv: the rate of the rotation vector x of a body with angular velocity omega, in body coordinates."""
    t = x.dot(x)
    series: Scalar = 0.0
    for coefficient in reversed(SERIES):
        series = series * t + coefficient
    safe_t = maximum(t, MAX_SERIES_ANGLE_SQUARED)
    angle = sqrt(safe_t)
    closed_form = (1.0 - angle * sin(angle) / (2.0 - 2.0 * cos(angle))) / safe_t
    x_cross_omega = x.cross(omega)
    return (
        omega + x_cross_omega * 0.5 + x.cross(x_cross_omega) * where(t < MAX_SERIES_ANGLE_SQUARED, series, closed_form)
    )


def normalised(q: Numbers) -> list[Scalar]:
    """Return q with its first four coordinates, a quaternion, normalised."""
    scale = 1.0 / sqrt(sum((x * x for x in q[:4]), 0.0))
    return [*(x * scale for x in q[:4]), *q[4:]]


def free_acceleration(v: Numbers) -> list[Scalar]:
    """Return the derivatives of v for a free joint whose link has a constant velocity in its parent."""
    return [0.0, 0.0, 0.0, *Vector(*v[3:]).cross(Vector(*v[:3]))]


def planar_acceleration(v: Numbers) -> list[Scalar]:
    """Return the derivatives of v for a planar joint whose link has a constant velocity in its parent."""
    return [0.0, v[0] * v[2], -(v[0] * v[1])]


@shared
def free_re_expressed(old: Numbers, new: Numbers, v: Numbers) -> list[Scalar]:
    """Return the velocities v of a free joint along its axes at coordinates new; v is along the axes at `old`."""
    v_W = Quaternion(*old[:4]).rotation() @ Vector(*v[3:])
    return [*v[:3], *(Quaternion(*new[:4]).rotation().transpose @ v_W)]


def planar_re_expressed(old: Numbers, new: Numbers, v: Numbers) -> list[Scalar]:
    """Return the velocities v of a planar joint along its axes at coordinates new; v is along the axes at `old`."""
    c, s = cos(new[0] - old[0]), sin(new[0] - old[0])
    return [v[0], c * v[1] + s * v[2], c * v[2] - s * v[1]]

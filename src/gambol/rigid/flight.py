"""Torque-free rotation of bodies, which conserves energy and momentum.

    L = I W the momentum in body axes:    L' - L = s (L' + L)/2 x W,  W = I^-1 (L' + L)/2        [implicit midpoint]

A step rotates L by the Cayley map of -s W. With s = 2 tan(h |W| / 2) / |W| this is a rotation by -h W, so with q' = q
exp(h W) the momentum in world axes is conserved. The energy is conserved since the implicit midpoint rule keeps
quadratic invariants. Steady rotations are exact at any speed.
"""

from gambol.lanes import Scalar, cos, repeat, sin, sqrt
from gambol.spatial import Quaternion, Vector
from gambol.spatial.matrix import Symmetric

ITERATIONS = 12
"""Fixed-point iterations for W: each multiplies the error by h |W|; for 0.05 rad in a step, an error of 1e-16 remains.
"""

TINY = 1e-30
"""Added to a squared angle, to keep it positive: far below any angle that matters [rad2]."""


def rotated(q: Quaternion, w: Vector, moments: Vector, extra_rotation: Vector, h: Scalar) -> tuple[Quaternion, Vector]:
    """Return orientation and angular velocity after a time h [s] without torque.

    q: rotation from body axes, which are principal axes, to world axes; w: angular velocity in world axes [rad/s];
    moments: principal moments of inertia [kg m2]; extra_rotation: rotation in addition to the motion, in world axes
    [rad], such as a position correction.
    """
    R = q.rotation()
    W0 = R.transpose @ w
    L = Vector(moments.x * W0.x, moments.y * W0.y, moments.z * W0.z)

    def angular_velocity(momentum: Vector) -> Vector:
        return Vector(momentum.x / moments.x, momentum.y / moments.y, momentum.z / moments.z)

    def updated(W: Vector) -> Vector:
        return angular_velocity((L + _rotated_back(L, W, h)) * 0.5)

    W = repeat(float(ITERATIONS), updated, W0)
    q_end = q @ Quaternion.exponential(W * h + (R.transpose @ extra_rotation))
    length = sqrt(q_end.w * q_end.w + q_end.x * q_end.x + q_end.y * q_end.y + q_end.z * q_end.z)
    normalised = Quaternion(q_end.w / length, q_end.x / length, q_end.y / length, q_end.z / length)
    return normalised, normalised.rotation() @ angular_velocity(_rotated_back(L, W, h))


def _rotated_back(L: Vector, W: Vector, h: Scalar) -> Vector:
    """Return L after the body has rotated by h W, in the body's axes: Rodrigues' formula of -h W."""
    rotation_vector = W * h
    angle = sqrt(rotation_vector.dot(rotation_vector) + TINY)
    axis = rotation_vector * (1.0 / angle)
    s, c = sin(angle), cos(angle)
    return L * c + L.cross(axis) * s + axis * (axis.dot(L) * (1.0 - c))


def inverse_inertia(q: Quaternion, moments: Vector) -> Symmetric:
    """Return I^-1 in world axes [1/(kg m2)]."""
    return Symmetric(1.0 / moments.x, 0.0, 0.0, 1.0 / moments.y, 0.0, 1.0 / moments.z).rotated(q.rotation())

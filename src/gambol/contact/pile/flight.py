"""Bodies that turn without torque, so that energy and momentum stay.

    L = I W the momentum in body axes:    L' - L = s (L' + L)/2 x W,  W = I^-1 (L' + L)/2        [implicit midpoint]

Its step is L turned by Cayley's map of -s W. With s = 2 tan(h |W| / 2) / |W| that is a turn by -h W, so with
q' = q exp(h W) the momentum in world axes stays; the energy stays as the rule keeps what is quadratic. Steady turns are
exact at any speed.
"""

from gambol.lanes import Scalar, cos, repeat, sin, sqrt
from gambol.spatial import Quaternion, Vector
from gambol.spatial.matrix import Symmetric

ROUNDS = 12
"""Of iteration for W: each shrinks the error by h |W|; at 0.05 rad in a step, 1e-16 is left."""

LEAST = 1e-30
"""Added to a squared angle [rad2]: far below any that matters, and not 0."""


def turned(q: Quaternion, w: Vector, moments: Vector, extra: Vector, h: Scalar) -> tuple[Quaternion, Vector]:
    """Orientation and angular velocity after a time h [s] without torque.

    q: body axes, which are principal, to world; w: in world axes [rad/s]; moments: principal [kg m2]; extra: a turn
    besides, in world axes [rad], that does not belong to the motion.
    """
    R = q.rotation()
    W0 = R.transpose @ w
    L = Vector(moments.x * W0.x, moments.y * W0.y, moments.z * W0.z)

    def rate(momentum: Vector) -> Vector:
        return Vector(momentum.x / moments.x, momentum.y / moments.y, momentum.z / moments.z)

    def improved(W: Vector) -> Vector:
        return rate((L + _turned_back(L, W, h)) * 0.5)

    W = repeat(float(ROUNDS), improved, W0)
    after = q @ Quaternion.exponential(W * h + (R.transpose @ extra))
    length = sqrt(after.w * after.w + after.x * after.x + after.y * after.y + after.z * after.z)
    unit = Quaternion(after.w / length, after.x / length, after.y / length, after.z / length)
    return unit, unit.rotation() @ rate(_turned_back(L, W, h))


def _turned_back(L: Vector, W: Vector, h: Scalar) -> Vector:
    """L after the body has turned by h W, in the body's axes: Rodrigues' formula of -h W."""
    turn = W * h
    angle = sqrt(turn.dot(turn) + LEAST)
    axis = turn * (1.0 / angle)
    s, c = sin(angle), cos(angle)
    return L * c + L.cross(axis) * s + axis * (axis.dot(L) * (1.0 - c))


def nimbleness(q: Quaternion, moments: Vector) -> tuple[Symmetric]:
    """I^-1 in world axes [1/(kg m2)], as what a program gives."""
    own = Symmetric(1.0 / moments.x, 0.0, 0.0, 1.0 / moments.y, 0.0, 1.0 / moments.z)
    return (own.rotated(q.rotation()),)

"""A point of a mesh that touches a surface: a one-sided spring with a damper, and friction.

    f = (-k g - c u_n) n - t u_t  where g < 0      t = mu (-k g)/max(|u_t|, slip speed)      u = v - surface's velocity

g is the gap, n the normal towards the point. Friction obeys Coulomb's law above the slip speed, and is viscous below.
"""

from dataclasses import dataclass

from gambol.lanes import Scalar, maximum, minimum, where
from gambol.matter.elements.spring import SLIP_SPEED
from gambol.spatial import Vector
from gambol.spatial.matrix import Symmetric


@dataclass(frozen=True, slots=True)
class Touch:
    """The law of contact: stiffness k [N/m], damping c [N s/m], friction mu; thickness of the mesh [m].

    The gap is measured from a ball of half this thickness around each point.
    """

    stiffness: Scalar
    damping: Scalar
    friction: Scalar
    thickness: Scalar


@dataclass(frozen=True, slots=True)
class FrictionHold:
    """Parameters by which friction depends on the step.

    bound: bound of t, in an explicit step, so that friction does not reverse the motion [kg/s]. slowing: step divided
    by mass [s/kg], by which a force of friction reduces a lagged velocity that does not yet contain friction; else 0.
    """

    bound: Scalar
    slowing: Scalar


@dataclass(frozen=True, slots=True)
class PointForce:
    """The force on a point [N], its matrix in an implicit step [kg], energy [J], and losses [W]."""

    force: Vector
    matrix: Symmetric
    energy: Scalar
    damping: Scalar
    friction: Scalar


def contact_force(
    touch: Touch, gap: Scalar, n: Vector, u: Vector, lag: tuple[Scalar, Vector], h: Scalar, hold: FrictionHold
) -> PointForce:
    """Return the force of a surface on a point.

    gap: distance to the surface [m]. n: normal of the surface, towards the point. u: velocity of the point relative to
    the surface [m/s]. lag: the gap of the contact test, and the relative velocity for the size of friction; equal to
    gap and u in an explicit method. h: length of an implicit step [s]. hold: dependence of friction on the step.
    """
    touches = where(lag[0] < 0.0, 1.0, 0.0)
    k, c = touch.stiffness * touches, touch.damping * touches
    u_n, lag_n = u.dot(n), lag[1].dot(n)
    across, across_lag = u - n * u_n, lag[1] - n * lag_n
    pressed = k * maximum(-where(hold.slowing > 0.0, gap, lag[0]), 0.0)
    limit = touch.friction * pressed
    slip = across_lag.length() - limit * hold.slowing
    t = minimum(limit / maximum(slip, SLIP_SPEED), hold.bound)
    along = h * h * k + h * c - h * t
    matrix = Symmetric(
        h * t + along * n.x * n.x,
        along * n.x * n.y,
        along * n.x * n.z,
        h * t + along * n.y * n.y,
        along * n.y * n.z,
        h * t + along * n.z * n.z,
    )
    energy = 0.5 * k * gap * gap
    force = n * -(k * gap + c * u_n) - across * t
    return PointForce(force, matrix, energy, c * u_n * u_n, t * across.dot(across))

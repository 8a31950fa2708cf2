"""Relative pose and motion of a frame on one link with respect to a frame on another.

    d = R_BW (p_A - p_B)     d' = v     v' = R_BW (a_A - a_B at p_A) - 2 w_B x v
    R_BA                     w          w' = R_BW (alpha_A - alpha_B) - w_B x w

All vectors are in B's axes, and time derivatives are relative to these. a_A, a_B: accelerations of points fixed to the
links of A and B. The motion along or about u is dual to a force or couple between the links in direction u.
"""

from dataclasses import dataclass

from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops.relations.row import Row
from gambol.figure import WORLD
from gambol.lanes import Scalar
from gambol.spatial.motion import IDENTITY_TRANSFORM, Force, Transform
from gambol.spatial.rotation import IDENTITY
from gambol.spatial.vector import ZERO, Vector, centripetal


@dataclass(frozen=True, slots=True)
class RelativeMotion:
    """Frame A on link i relative to frame B on link j, in B's axes.

    link, other: i and j. X_iA, X_jB: the frames in their links; X_BA: A in B. w, v: relative velocity [rad/s, m/s].
    w_bias, v_bias: their rates at zero link accelerations.
    """

    link: int
    other: int
    X_iA: Transform
    X_jB: Transform
    X_BA: Transform
    w: Vector
    v: Vector
    w_bias: Vector
    v_bias: Vector

    def along(self, u: Vector, gap: Scalar, bias: Scalar = 0.0) -> Row:
        """Return the row with speed v.u; gap: phi; bias: acceleration due to the rotation of u."""
        f_A = self.X_iA.rotation @ (self.X_BA.rotation.transpose @ u)
        f_B = -(self.X_jB.rotation @ u)
        p_j = self.X_jB @ self.X_BA.position
        forces = {self.link: Force(self.X_iA.position.cross(f_A), f_A), self.other: Force(p_j.cross(f_B), f_B)}
        return Row(forces, {}, gap, self.v.dot(u), self.v_bias.dot(u, bias))

    def about(self, u: Vector, gap: Scalar, bias: Scalar = 0.0) -> Row:
        """Return the row with speed w.u; gap: phi; bias: acceleration due to the rotation of u."""
        n_A = self.X_iA.rotation @ (self.X_BA.rotation.transpose @ u)
        forces = {self.link: Force(n_A, ZERO), self.other: Force(-(self.X_jB.rotation @ u), ZERO)}
        return Row(forces, {}, gap, self.w.dot(u), self.w_bias.dot(u, bias))


def relative_motion(
    state: Kinematics, link: int, other: int, X_iA: Transform = IDENTITY_TRANSFORM, X_jB: Transform = IDENTITY_TRANSFORM
) -> RelativeMotion:
    """Return the motion of frame A on a link relative to frame B on another.

    state: positions and velocities. link, other: indices of the links; 0 is the world. X_iA, X_jB: the frames in them.
    """
    X_BW = (state.poses[other] @ X_jB).inverse
    X_WA = state.poses[link] @ X_iA
    X_BA = Transform(
        X_BW.rotation @ X_WA.rotation, X_BW.rotation @ (X_WA.position + -(state.poses[other] @ X_jB.position))
    )
    R_Bi = X_BW.rotation @ state.poses[link].rotation
    R_Bj = X_jB.rotation.transpose
    (w_i, v_i), (w_j, v_j) = ((state.velocities[k].w, state.velocities[k].v) for k in (link, other))
    p_j = X_jB @ X_BA.position
    w_B = R_Bj @ w_j
    w = R_Bi @ w_i - w_B
    v = R_Bi @ v_i.plus_cross(w_i, X_iA.position) - R_Bj @ v_j.plus_cross(w_j, p_j)
    centripetal_AB = R_Bi @ centripetal(w_i, X_iA.position) - R_Bj @ centripetal(w_j, p_j)
    return RelativeMotion(link, other, X_iA, X_jB, X_BA, w, v, w.cross(w_B), centripetal_AB - (w_B + w_B).cross(v))


def point_row(state: Kinematics, link: int, point: Vector, direction: Vector, other: int = WORLD) -> Row:
    """Return the row of a point's motion along a direction that is fixed in another link, or in the world.

    link, other: indices of links. point: in the link's coordinates [m]; direction: in the other's, of length 1. The gap
    is the coordinate of the point along the direction, measured from the other's origin.
    """
    motion = relative_motion(state, link, other, Transform(IDENTITY, point))
    return motion.along(direction, motion.X_BA.position.dot(direction))


def turn_row(state: Kinematics, link: int, axis: Vector, other: int = WORLD) -> Row:
    """Return the row of a link's rotation about an axis that is fixed in another link, or in the world; it has no gap.

    link, other: indices of links. axis: in the other's coordinates, of length 1.
    """
    return relative_motion(state, link, other).about(axis, 0.0)

"""A figure in maximal coordinates: every link has its own pose and velocity, and joints are constraints.

    X_WL' = X_WL v_L        v_L' = a_L - (0, omega x v)        a_L: maximal.py, with stabilised joints

The coordinates of a joint are computed from the poses of its two links by Newton's method, which starts at their last
values. A joint force acts along the same line on both links, so momentum is conserved to rounding even where joints
have drifted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward.maximal import JointErrors, link_accelerations, reciprocals
from gambol.dynamics.kinematics import Kinematics
from gambol.figure import JOINTS, Figure, Joint
from gambol.figure.joint import Placement, place
from gambol.lanes import Scalar
from gambol.spatial.motion import IDENTITY_TRANSFORM, ZERO_MOTION, Force, Motion, Transform
from gambol.spatial.rotation import Quaternion
from gambol.spatial.vector import ZERO, Vector, centripetal

NEWTON_STEPS = 3  # a step reduces an error e to e^3 / 6: two steps reduce 0.1 rad to below 1e-12

Numbers = Sequence[Scalar]


@dataclass(frozen=True, slots=True)
class MaximalState:
    """The state of a figure in maximal coordinates: pose and velocity of each link as a free body.

    q: quaternion and position of each link (7 each). v: spatial velocity of each link, in link axes (6 each). q_joints:
    last joint coordinates (nq).
    """

    q: Numbers
    v: Numbers
    q_joints: Numbers


def maximal_state(state: Kinematics) -> MaximalState:
    """Return a state in maximal coordinates; state: a state in joint coordinates, of plain floats."""
    q: list[Scalar] = []
    v: list[Scalar] = []
    for pose, velocity in zip(state.poses[1:], state.velocities[1:], strict=True):
        q += [*Quaternion.of(pose.rotation).components(), *pose.position]
        v += [*velocity.w, *velocity.v]
    return MaximalState(q, v, list(state.q))


def joint_state(figure: Figure, links: MaximalState) -> tuple[Kinematics, tuple[Motion, ...]]:
    """Return the kinematics of a state in maximal coordinates, and the joint errors by link index; see JointErrors.

    figure: the figure. links: its state. Joint coordinates and velocities are the nearest ones to the poses and
    velocities of the links; each joint frame has the origin of its link.
    """
    poses, velocities, errors = [IDENTITY_TRANSFORM], [ZERO_MOTION], [ZERO_MOTION]
    joints, centripetals, products = [place(Joint("fixed"), ())], [ZERO], [ZERO_MOTION]
    q: list[Scalar] = []
    v: list[Scalar] = []
    for n, link in enumerate(figure.links):
        x, u = links.q[7 * n : 7 * n + 7], links.v[6 * n : 6 * n + 6]
        poses.append(Transform(Quaternion(*x[:4]).rotation(), Vector(*x[4:])))
        velocities.append(Motion(Vector(*u[:3]), Vector(*u[3:])))
        parent = velocities[link.parent_index]
        q_joint, joint, error = _nearest_coordinates(
            link.joint, links.q_joints[link.q], poses[link.parent_index].inverse @ poses[-1]
        )
        v_P = joint.X_PJ.apply_inverse(parent)
        relative = Motion(joint.R_JL @ velocities[-1].w, joint.R_JL @ velocities[-1].v) - v_P
        v_joint = [relative.dot(t) for t in reciprocals(joint)]
        q, v = [*q, *q_joint], [*v, *v_joint]
        joints.append(joint)
        errors.append(error)
        centripetals.append(centripetal(parent.w, joint.X_PJ.position))
        product = Motion(v_P.w.cross(relative.w), (v_P.w + v_P.w + relative.w).cross(relative.v))
        products.append(product + joint.velocity_product(v_joint))
    state = Kinematics(
        figure, q, v, tuple(joints), tuple(poses), tuple(velocities), tuple(centripetals), tuple(products)
    )
    return state, tuple(errors)


def maximal_derivative(
    figure: Figure,
    links: MaximalState,
    tau: Numbers,
    rate: Scalar,
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> MaximalState:
    """Return the time derivative of a state in maximal coordinates.

    Its q_joints are not a derivative, but the joint coordinates.

    figure: the figure. links: its state. rate: decay rate of joint errors [1/s]; 1/h or less for a step h. tau, f_ext,
    gravity: as for aba().
    """
    state, errors = joint_state(figure, links)
    a = link_accelerations(state, tau, f_ext=f_ext, gravity=gravity, errors=JointErrors(errors, rate))
    q: list[Scalar] = []
    v: list[Scalar] = []
    for n, (pose, velocity) in enumerate(zip(state.poses[1:], state.velocities[1:], strict=True)):
        q += JOINTS["free"].q_dot(links.q[7 * n : 7 * n + 7], links.v[6 * n : 6 * n + 6])
        a_world_L = pose.rotation.transpose @ a[0].v  # the accelerations are relative to free fall
        v += [*a[n + 1].w, *(a[n + 1].v - a_world_L - velocity.w.cross(velocity.v))]
    return MaximalState(q, v, state.q)


def _nearest_coordinates(joint: Joint, guess: Numbers, X_PL: Transform) -> tuple[list[Scalar], Placement, Motion]:
    """Return the joint coordinates nearest to the pose of a link, the placement there, and the position error.

    guess: coordinates to start from. X_PL: pose of the link in its parent.
    """
    kind, q = JOINTS[joint.kind], list(guess)
    for _ in range(NEWTON_STEPS):
        placement = place(joint, q)
        error = _error(placement, X_PL)
        dq = [error.dot(t) for t in reciprocals(placement)]
        q = kind.integrate(q, kind.tangent_rate(q, [0.0] * kind.nv, dq))
    q = kind.normalised(q)
    placement = place(joint, q)
    X_PJ = Transform(X_PL.rotation @ placement.R_JL.transpose, X_PL.position)
    return q, replace(placement, outer=(X_PJ.rotation,), X_PJ=X_PJ), _error(placement, X_PL)


def _error(placement: Placement, X_PL: Transform) -> Motion:
    """Return the small motion from a joint's placement to the actual pose of its link, in the joint frame."""
    X_JL = placement.X_PJ.inverse @ X_PL
    R = (X_JL.rotation @ placement.R_JL.transpose).rows
    return Motion(Vector(R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]) * 0.5, X_JL.position)

"""A figure in maximal coordinates: every link has a pose and a velocity of its own, and joints hold them together.

    X_WL' = X_WL v_L        v_L' = a_L - (0, omega x v)        a_L: maximal.py, with what closes joints

The coordinates of a joint follow from the poses of its two links by Newton's method, from what they were last. What a
joint does acts along one line of space on both links, so momentum is kept to rounding even where they have drifted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward.maximal import Drift, link_accelerations, reciprocals
from gambol.dynamics.kinematics import Kinematics
from gambol.figure import JOINTS, Figure, Joint
from gambol.figure.joint import Placement, place
from gambol.lanes import Scalar
from gambol.spatial.motion import AT_REST, Force, Motion
from gambol.spatial.quaternion import Quaternion
from gambol.spatial.transform import SAME, Transform
from gambol.spatial.vector import ZERO, Vector, centripetal

NEWTON_STEPS = 3  # each leaves a sixth of the angle's cube: from 0.1 rad, two come below 1e-12

Numbers = Sequence[Scalar]


@dataclass(frozen=True, slots=True)
class Apart:
    """The links of a figure on their own: of each a pose in the world and a velocity, as of a free joint there.

    q: of each link seven numbers, quaternion and position. v: of each six, in link axes. near: the joints' coordinates
    (nq) as they were last.
    """

    q: Numbers
    v: Numbers
    near: Numbers


def taken_apart(state: Kinematics) -> Apart:
    """The links of a figure as they lie and move in a state of plain numbers."""
    q: list[Scalar] = []
    v: list[Scalar] = []
    for pose, velocity in zip(state.poses[1:], state.velocities[1:], strict=True):
        q += [*Quaternion.of(pose.rotation).components(), *pose.position]
        v += [*velocity.w, *velocity.v]
    return Apart(q, v, list(state.q))


def seen_whole(figure: Figure, links: Apart) -> tuple[Kinematics, tuple[Motion, ...]]:
    """The figure that links make up, and how far each has come apart from its joint, by its number (see Drift).

    The coordinates and velocities of joints are what comes nearest; a joint's frame is where the link has it.
    """
    poses, velocities, apart = [SAME], [AT_REST], [AT_REST]
    joints, swings, drifts = [place(Joint("fixed"), ())], [ZERO], [AT_REST]
    q: list[Scalar] = []
    v: list[Scalar] = []
    for n, link in enumerate(figure.links):
        x, u = links.q[7 * n : 7 * n + 7], links.v[6 * n : 6 * n + 6]
        poses.append(Transform(Quaternion(*x[:4]).rotation(), Vector(*x[4:])))
        velocities.append(Motion(Vector(*u[:3]), Vector(*u[3:])))
        parent = velocities[link.parent_index]
        there, joint, left = _joined(link.joint, links.near[link.q], poses[link.parent_index].inverse @ poses[-1])
        seen = joint.X_PJ.pull(parent)
        own = Motion(joint.R_JL @ velocities[-1].w, joint.R_JL @ velocities[-1].v) - seen
        rates = [own.dot(t) for t in reciprocals(joint)]
        q, v = [*q, *there], [*v, *rates]
        joints.append(joint)
        apart.append(left)
        swings.append(centripetal(parent.w, joint.X_PJ.position))
        drift = Motion(seen.w.cross(own.w), (seen.w + seen.w + own.w).cross(own.v))
        drifts.append(drift + joint.bending(rates))
    whole = Kinematics(figure, q, v, tuple(joints), tuple(poses), tuple(velocities), tuple(swings), tuple(drifts))
    return whole, tuple(apart)


def link_rates(
    figure: Figure,
    links: Apart,
    tau: Numbers,
    settling: Scalar,
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> Apart:
    """How fast the links' q and v change; its `near` is not a rate, but the joints' coordinates as they are now.

    settling: the rate at which joints that have come apart close [1/s]; 1/h or less for a step h. tau, f_ext, gravity:
    as for aba().
    """
    whole, apart = seen_whole(figure, links)
    a = link_accelerations(whole, tau, f_ext=f_ext, gravity=gravity, drift=Drift(apart, settling))
    q: list[Scalar] = []
    v: list[Scalar] = []
    for n, (pose, velocity) in enumerate(zip(whole.poses[1:], whole.velocities[1:], strict=True)):
        q += JOINTS["free"].rates(links.q[7 * n : 7 * n + 7], links.v[6 * n : 6 * n + 6])
        fall = pose.rotation.transpose @ a[0].v  # the accelerations are seen from free fall
        v += [*a[n + 1].w, *(a[n + 1].v - fall - velocity.w.cross(velocity.v))]
    return Apart(q, v, whole.q)


def _joined(joint: Joint, near: Numbers, X_PL: Transform) -> tuple[list[Scalar], Placement, Motion]:
    """Coordinates of a joint at the pose of its link in the parent, its placement there, and what they miss."""
    kind, q = JOINTS[joint.kind], list(near)
    for _ in range(NEWTON_STEPS):
        at = place(joint, q)
        missing = _missing(at, X_PL)
        along = [missing.dot(t) for t in reciprocals(at)]
        q = kind.displaced(q, kind.unwound(q, [0.0] * kind.nv, along))
    q = kind.normalised(q)
    at = place(joint, q)
    X_PJ = Transform(X_PL.rotation @ at.R_JL.transpose, X_PL.position)
    return q, replace(at, outer=(X_PJ.rotation,), X_PJ=X_PJ), _missing(at, X_PL)


def _missing(at: Placement, X_PL: Transform) -> Motion:
    """The small motion that takes a joint's link to where it is, in the joint frame."""
    X_JL = at.X_PJ.inverse @ X_PL
    R = (X_JL.rotation @ at.R_JL.transpose).rows
    return Motion(Vector(R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]) * 0.5, X_JL.position)

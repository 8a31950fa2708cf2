"""Forward dynamics by the articulated-body algorithm: inward for inertia and force, outward for acceleration.

    inward    I_P += X (I - U U^T / D) X^T      p_P += X (p + I' c + U x)      (through the joint: direction.py)
    outward   a = X^-1 a_P + c                  v' = x - U.a / D               a += S v'

[McKenna 1990, appendix B, eq. 35-46; Featherstone 2008, table 7.1]. Initially p is the bias force of the rigid
link minus the external force. For a joint with prescribed acceleration I' = I, p' = p + I S v', and its joint force is
S.(I a + p) [McKenna 1990, eq. 45; Featherstone 2008, section 9.2].
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.bodies import (
    NOTHING,
    STANDARD_GRAVITY,
    Gravity,
    inertia_in_joint,
    rigid_inertias,
    world_acceleration,
)
from gambol.dynamics.canonical_frames import canonical_figure
from gambol.dynamics.forward.direction import FreeDirection, PrescribedDirection, free_direction, prescribed_direction
from gambol.dynamics.kinematics import Kinematics
from gambol.figure.joint import Placement
from gambol.lanes import Scalar, split_point
from gambol.spatial.inertia import Inertia, gyroscopic
from gambol.spatial.motion import Force
from gambol.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class _ArticulatedBody:
    """The articulated body of a link, in its joint frame, and the directions of its joint.

    directions: each with the inertia and bias force on its parent side.
    """

    inertia: Inertia
    bias: Force
    directions: list[FreeDirection | PrescribedDirection]


def aba(
    state: Kinematics,
    tau: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
    prescribed: Mapping[int, Sequence[Scalar]] = NOTHING,
) -> tuple[list[Scalar], dict[int, list[Scalar]]]:
    """Return joint accelerations by the articulated-body algorithm.

    state: positions and velocities. tau: joint forces (nv) [N m or N]. f_ext: external forces on links, by link number,
    in link coordinates. gravity: its strength along -z, or a vector in world axes [m/s2]. prescribed: joint
    accelerations of prescribed joints, by link number.
    Returns the joint accelerations (nv), and for each prescribed link its joint force beyond tau.
    """
    canonical = canonical_figure(state.figure)
    reduced = canonical.state(state)
    prescribed_a = {canonical.carriers[i]: values for i, values in prescribed.items() if len(values)}
    bodies = _inward(reduced, tau, canonical.forces(f_ext), prescribed_a)
    a, forces = _outward(reduced, tau, bodies, gravity)
    return a, {i: forces[canonical.carriers[i]] if len(values) else [] for i, values in prescribed.items()}


def _inward(
    state: Kinematics, tau: Sequence[Scalar], f_ext: Mapping[int, Force], prescribed: Mapping[int, Sequence[Scalar]]
) -> dict[int, _ArticulatedBody]:
    """Return the articulated body of each link, by number."""
    bodies: dict[int, _ArticulatedBody] = {}
    rigid = rigid_inertias(state.figure)
    I, p = list(rigid), dict[int, Force]()

    def rigid_bias(i: int) -> Force:
        bias = gyroscopic(rigid[i], state.velocities[i].w)
        return bias - f_ext[i] if i in f_ext else bias

    for link in state.figure.inward():
        split_point()
        i, parent, joint = link.index, link.parent_index, state.joints[link.index]
        body = inertia_in_joint(I[i], joint), joint.to_joint(p[i] if i in p else rigid_bias(i))
        directions = _joint_directions(link.joint.armature, body, joint, tau[link.v], prescribed.get(i))
        bodies[i] = _ArticulatedBody(*body, directions)
        parent_side = directions[-1] if directions else bodies[i]
        bias = parent_side.inertia.times(state.velocity_products[i], addend=parent_side.bias)
        inertia = _rotated_to_parent(parent_side.inertia, joint)
        I[parent] += inertia.shifted(joint.X_PJ.position)
        parent_bias = p[parent] if parent in p else rigid_bias(parent)
        p[parent] = _bias_in_parent(bias, inertia, joint, state.centripetals[i], parent_bias)
    return bodies


def _outward(
    state: Kinematics, tau: Sequence[Scalar], bodies: Mapping[int, _ArticulatedBody], gravity: Gravity
) -> tuple[list[Scalar], dict[int, list[Scalar]]]:
    """Return joint accelerations (nv), and by link number the forces of prescribed joints beyond tau."""
    figure = state.figure
    a_links = [world_acceleration(gravity)] * len(state.joints)
    a: list[Scalar] = [0.0] * figure.nv
    forces: dict[int, list[Scalar]] = {}
    for link in figure.outward():
        split_point()
        i, joint = link.index, state.joints[link.index]
        motion = state.inherited_acceleration(i, a_links[link.parent_index])
        for k, direction in reversed(list(enumerate(bodies[i].directions))):
            a[link.v.start + k], motion = direction.accelerations(motion)
        a_links[i] = joint.to_link(motion)
        if any(isinstance(direction, PrescribedDirection) for direction in bodies[i].directions):
            force = bodies[i].inertia.times(motion, addend=bodies[i].bias)
            rotor = link.joint.armature
            total = [S.dot(force, rotor * x) for S, x in zip(joint.columns, a[link.v], strict=True)]
            forces[i] = [f - t for f, t in zip(total, tau[link.v], strict=True)]
    return a, forces


def _joint_directions(
    armature: Scalar,
    body: tuple[Inertia, Force],
    joint: Placement,
    tau: Sequence[Scalar],
    prescribed: Sequence[Scalar] | None,
) -> list[FreeDirection | PrescribedDirection]:
    """Return the directions of a joint, from the link to its parent.

    body: articulated inertia and bias force in the joint frame. tau, prescribed: joint forces, and joint accelerations
    or None for a free joint; one for each direction.
    """
    directions: list[FreeDirection | PrescribedDirection] = []
    inertia, bias = body
    for k, S in enumerate(joint.columns):
        if prescribed is None:
            direction = free_direction(inertia, bias, S, tau[k], armature)
        else:
            direction = prescribed_direction(inertia, bias, S, prescribed[k])
        inertia, bias = direction.inertia, direction.bias
        directions.append(direction)
    return directions


def _rotated_to_parent(inertia: Inertia, joint: Placement) -> Inertia:
    """Return an inertia in the parent's axes; inertia: in the joint frame."""
    for rotation in reversed(joint.outer):
        inertia = inertia.rotated(rotation)
    return inertia


def _bias_in_parent(bias: Force, inertia: Inertia, joint: Placement, centripetal: Vector, parent_bias: Force) -> Force:
    """Return the bias force of the parent with that of a link added.

    bias: of the link, in the joint frame. inertia: of the link, in the parent's axes. centripetal: acceleration of the
    joint. parent_bias: without this link.
    """
    R, r = joint.X_PJ.rotation, joint.X_PJ.position
    f = inertia.M.times(centripetal, R @ bias.f)
    n = inertia.H.times(centripetal, R.times(bias.n, parent_bias.n))
    return Force(n.plus_cross(r, f), parent_bias.f + f)

"""Forward dynamics by the articulated-body algorithm: inward for inertia and force, outward for acceleration.

    inward    I_P += X (I - U U^T / D) X^T      p_P += X (p + I' c + U x)      (through the joint: direction.py)
    outward   a = X^-1 a_P + c                  v' = x - U.a / D               a += S v'

[McKenna 1990, appendix B, eq. 35-46; Featherstone 2008, table 7.1]. p starts as the bias force of the
rigid link less the external force. For a joint with prescribed acceleration I' = I, p' = p + I S v', and its joint
force is S.(I a + p) [McKenna 1990, eq. 45; Featherstone 2008, section 9.2].
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity, in_joint_axes, rigid_inertias, world_acceleration
from gambol.dynamics.canonical_frames import in_canonical_frames
from gambol.dynamics.forward.direction import FreeDirection, PrescribedDirection, free_direction, prescribed_direction
from gambol.dynamics.kinematics import Kinematics
from gambol.figure.joint import Placement
from gambol.lanes import Scalar, split_point
from gambol.spatial.inertia import Inertia, gyroscopic
from gambol.spatial.motion import Force
from gambol.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class _ArticulatedBody:
    """The articulated body of a link in its joint frame, and inertia and bias through each direction of its joint."""

    inertia: Inertia
    bias: Force
    steps: list[FreeDirection | PrescribedDirection]


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
    in link coordinates. gravity: its strength along -z, or a vector in world axes [m/s2]. prescribed: given joint
    accelerations, by link number.
    Returns the joint accelerations (nv), and for each prescribed link its joint force beyond tau.
    """
    canonical = in_canonical_frames(state.figure)
    reduced = canonical.state(state)
    given = {canonical.carriers[i]: values for i, values in prescribed.items() if len(values)}
    bodies = _inward(reduced, tau, canonical.forces(f_ext), given)
    a, forces = _outward(reduced, tau, bodies, gravity)
    return a, {i: forces[canonical.carriers[i]] if len(values) else [] for i, values in prescribed.items()}


def _inward(
    state: Kinematics, tau: Sequence[Scalar], f_ext: Mapping[int, Force], prescribed: Mapping[int, Sequence[Scalar]]
) -> dict[int, _ArticulatedBody]:
    """Return the articulated body of each link, from the leaves to the root."""
    bodies: dict[int, _ArticulatedBody] = {}
    rigid = rigid_inertias(state.figure)
    I, p = list(rigid), dict[int, Force]()

    def rigid_bias(i: int) -> Force:
        bias = gyroscopic(rigid[i], state.velocities[i].w)
        return bias - f_ext[i] if i in f_ext else bias

    for link in state.figure.inward():
        split_point()
        i, parent, joint = link.index, link.parent_index, state.joints[link.index]
        whole = in_joint_axes(I[i], joint), joint.to_joint(p[i] if i in p else rigid_bias(i))
        steps = _through(link.joint.armature, whole, joint, tau[link.v], prescribed.get(i))
        bodies[i] = _ArticulatedBody(*whole, steps)
        last = steps[-1] if steps else bodies[i]
        bias = last.inertia.times(state.velocity_products[i], onto=last.bias)
        inertia = _in_parent_axes(last.inertia, joint)
        I[parent] += inertia.shifted(joint.X_PJ.position)
        onto = p[parent] if parent in p else rigid_bias(parent)
        p[parent] = _bias_in_parent(bias, inertia, joint, state.centripetals[i], onto)
    return bodies


def _outward(
    state: Kinematics, tau: Sequence[Scalar], bodies: Mapping[int, _ArticulatedBody], gravity: Gravity
) -> tuple[list[Scalar], dict[int, list[Scalar]]]:
    """Return accelerations, from the root to the leaves, and the forces of prescribed joints."""
    figure = state.figure
    a_links = [world_acceleration(gravity)] * len(state.joints)
    a: list[Scalar] = [0.0] * figure.nv
    forces: dict[int, list[Scalar]] = {}
    for link in figure.outward():
        split_point()
        i, joint = link.index, state.joints[link.index]
        motion = state.inherited_acceleration(i, a_links[link.parent_index])
        for k, step in reversed(list(enumerate(bodies[i].steps))):
            a[link.v.start + k], motion = step.accelerations(motion)
        a_links[i] = joint.to_link(motion)
        if any(isinstance(step, PrescribedDirection) for step in bodies[i].steps):
            force = bodies[i].inertia.times(motion, onto=bodies[i].bias)
            rotor = link.joint.armature
            total = [S.dot(force, rotor * x) for S, x in zip(joint.columns, a[link.v], strict=True)]
            forces[i] = [f - t for f, t in zip(total, tau[link.v], strict=True)]
    return a, forces


def _through(
    armature: Scalar,
    body: tuple[Inertia, Force],
    joint: Placement,
    tau: Sequence[Scalar],
    prescribed: Sequence[Scalar] | None,
) -> list[FreeDirection | PrescribedDirection]:
    """Return the directions of a joint, free or prescribed, one after the other, with inertia and bias through each."""
    steps: list[FreeDirection | PrescribedDirection] = []
    inertia, bias = body
    for k, S in enumerate(joint.columns):
        if prescribed is None:
            step = free_direction(inertia, bias, S, tau[k], armature)
        else:
            step = prescribed_direction(inertia, bias, S, prescribed[k])
        inertia, bias = step.inertia, step.bias
        steps.append(step)
    return steps


def _in_parent_axes(inertia: Inertia, joint: Placement) -> Inertia:
    for turn in reversed(joint.outer):
        inertia = inertia.rotated(turn)
    return inertia


def _bias_in_parent(bias: Force, inertia: Inertia, joint: Placement, centripetal: Vector, onto: Force) -> Force:
    """Return onto + the bias force in the parent's frame, with that of the centripetal term; inertia: in its axes."""
    R, r = joint.X_PJ.rotation, joint.X_PJ.position
    f = inertia.M.times(centripetal, R @ bias.f)
    n = inertia.H.times(centripetal, R.times(bias.n, onto.n))
    return Force(n.plus_cross(r, f), onto.f + f)

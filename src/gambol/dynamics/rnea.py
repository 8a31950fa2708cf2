"""Inverse dynamics by recursive Newton-Euler: outward for acceleration, inward for force.

    a = X^-1 a_P + S v' + c        f = I a + p - f_ext + sum over children X f        tau = S.f + a_r v'

[Featherstone 2008, table 5.1], with classical accelerations in place of spatial ones (kinematics.py).
a_r is the armature: the rotor's inertia reflected to the joint.
"""

from collections.abc import Mapping, Sequence

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity, rigid_biases, rigid_inertias, world_acceleration
from gambol.dynamics.kinematics import Kinematics
from gambol.figure.template import add_to_parent
from gambol.lanes import Scalar, split_point
from gambol.spatial.motion import Force


def rnea(
    state: Kinematics,
    a: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> tuple[list[Scalar], Force]:
    """Return the joint forces that give a figure the joint accelerations a.

    state: positions and velocities. a: joint accelerations (nv). f_ext, gravity: as for aba(). Returns tau (nv) [N m or
    N], and the spatial force that the world exerts on the figure's root joint, in world coordinates.
    """
    figure = state.figure
    f = _forces_without_children(state, a, f_ext, gravity)
    tau: list[Scalar] = [0.0] * figure.nv
    for link in figure.inward():
        split_point()
        joint = state.joints[link.index]
        force = joint.to_joint(f[link.index])
        rotor = link.joint.armature
        tau[link.v] = [S.dot(force, rotor * x) for S, x in zip(joint.columns, a[link.v], strict=True)]
        add_to_parent(figure, link, f, joint.X_PJ @ force)
    return tau, f[0]


def joint_wrenches(
    state: Kinematics,
    a: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> list[Force]:
    """Return the wrench of the parent on each link through its joint, about the link's origin in link coordinates.

    Arguments: as for rnea(). Returns a list by link index; entry 0 is the wrench of the world on the figure, in world
    coordinates.
    """
    f = _forces_without_children(state, a, f_ext, gravity)
    for link in state.figure.inward():
        joint = state.joints[link.index]
        add_to_parent(state.figure, link, f, joint.X_PJ @ joint.to_joint(f[link.index]))
    return f


def _forces_without_children(
    state: Kinematics, a: Sequence[Scalar], f_ext: Mapping[int, Force], gravity: Gravity
) -> list[Force]:
    """Return I a + p - f_ext of each link, in link coordinates; entry 0 is the world, with force 0."""
    I = rigid_inertias(state.figure)
    f, a_links = rigid_biases(state, I), state.accelerations(a, world_acceleration(gravity))
    for i in range(1, len(I)):
        split_point()
        f[i] += I[i] @ a_links[i]
        if i in f_ext:
            f[i] -= f_ext[i]
    return f

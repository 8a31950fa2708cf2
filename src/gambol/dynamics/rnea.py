"""Inverse dynamics by recursive Newton-Euler: outward for acceleration, inward for force.

    a = X^-1 a_P + S v' + c        f = I a + p - f_ext + sum over children X f        tau = S.f + a_r v'

[Featherstone 2008, table 5.1], with accelerations of points in place of spatial ones (kinematics.py).
a_r is the armature: the inertia of the rotor, which turns with the joint.
"""

from collections.abc import Mapping, Sequence

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity, resting_frame, rigid_biases, rigid_inertias
from gambol.dynamics.kinematics import Kinematics
from gambol.figure.anybody import give_parent
from gambol.lanes import Scalar
from gambol.spatial.motion import Force


def rnea(
    state: Kinematics,
    rates: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> tuple[list[Scalar], Force]:
    """Joint forces that give a figure the joint accelerations `rates` (nv) in a state.

    f_ext, gravity: as for aba(). Returns tau (nv) [N m or N], and the force that the world exerts on the figure through
    its joints, in world axes about the world's origin; the ground feels the opposite.
    """
    figure, I = state.figure, rigid_inertias(state.figure)
    f, a = rigid_biases(state, I), state.accelerations(rates, resting_frame(gravity))
    for i in range(1, len(I)):
        f[i] += I[i] @ a[i]
        if i in f_ext:
            f[i] -= f_ext[i]
    tau: list[Scalar] = [0.0] * figure.nv
    for link in figure.inward():
        joint = state.joints[link.index]
        force = joint.to_joint(f[link.index])
        rotor = link.joint.armature
        tau[link.v] = [S.dot(force, rotor * x) for S, x in zip(joint.columns, rates[link.v], strict=True)]
        give_parent(figure, link, f, joint.X_PJ @ force)
    return tau, f[0]

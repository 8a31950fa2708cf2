"""The mass matrix by composite rigid bodies, and forward dynamics by factoring it.

    inward    Ic_P += X Ic X^T      F = Ic S      M_jj = S.F + a_r      up the tree: F := X F,  M_ji = S_i.F
    forward   M v' = tau - C        C = inverse dynamics at v' = 0

[Featherstone 2008, tables 6.2 and 6.5]. Ic is the inertia of a link with all that hangs on it, as one rigid body; a_r
the armature. An entry of M whose joints lie on different branches is exactly 0, and its factors have no others.
"""

from collections.abc import Mapping, Sequence

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity, in_joint_axes, in_parent_axes, rigid_inertias
from gambol.dynamics.forward.systems import factorised, symmetric
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.rnea import rnea
from gambol.figure import PlacedLink
from gambol.lanes import Scalar
from gambol.spatial.dense import Rows
from gambol.spatial.motion import Force


def crba(
    state: Kinematics,
    tau: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> list[Scalar]:
    """Joint accelerations (nv) by the mass matrix and its sparse factors; the cost grows with n times depth squared.

    tau, f_ext, gravity: as for aba().
    """
    bias, _ = rnea(state, [0.0] * state.figure.nv, f_ext=f_ext, gravity=gravity)
    return factorised(mass_rows(state)).solve([t - c for t, c in zip(tau, bias, strict=True)])


def mass_matrix(state: Kinematics) -> Rows:
    """The joint-space mass matrix M (nv x nv) [kg m2, kg m or kg], rotors included; T = v.M v / 2."""
    return symmetric(mass_rows(state))


def mass_rows(state: Kinematics) -> list[dict[int, Scalar]]:
    """Lower triangle of the mass matrix by sparse rows: of each joint with itself and with those that carry it."""
    figure = state.figure
    I = rigid_inertias(figure)
    rows: list[dict[int, Scalar]] = [{} for _ in range(figure.nv)]
    for link in figure.inward():
        joint = state.joints[link.index]
        felt = in_joint_axes(I[link.index], joint)
        for k, S in enumerate(joint.columns):
            force, row = felt @ S, link.v.start + k
            for m, other in enumerate(joint.columns[: k + 1]):
                rows[row][link.v.start + m] = other.dot(force, link.joint.armature if m == k else 0.0)
            rows[row] |= _carried_up(state, link, force)
        I[link.parent_index] += in_parent_axes(felt, joint)
    return rows


def _carried_up(state: Kinematics, link: PlacedLink, force: Force) -> dict[int, Scalar]:
    """What a force in the joint frame of a link does at the joints between it and the world."""
    entries: dict[int, Scalar] = {}
    while link.parent_index:
        force = state.joints[link.index].X_PJ @ force
        link = state.figure.links[link.parent_index - 1]
        joint = state.joints[link.index]
        force = joint.to_joint(force)
        entries |= {link.v.start + m: S.dot(force) for m, S in enumerate(joint.columns)}
    return entries

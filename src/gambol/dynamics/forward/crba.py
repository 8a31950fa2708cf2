"""The mass matrix by composite rigid bodies, and forward dynamics by factoring it.

    inward    Ic_P += X Ic X^T      F = Ic S      M_jj = S.F + a_r      up the tree: F := X F,  M_ji = S_i.F
    data      Ic_j = sum of I_k over all k that j carries      F = Ic_j S_j      M_ji = S_i.F where i carries j
    forward   M v' = tau - C        C = inverse dynamics at v' = 0

Where the tree is data no path leads up it, and everything is told in the world's axes about the root's origin.
[Featherstone 2008, tables 6.2 and 6.5]. Ic is the inertia of a link with all that hangs on it, as one rigid body; a_r
the armature. An entry of M whose joints lie on different branches is exactly 0, and its factors have no others.
"""

from collections.abc import Mapping, Sequence

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward.systems import factorised, symmetric
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.rnea import rnea
from gambol.figure import Figure, PlacedLink
from gambol.figure.anybody import carries, told
from gambol.lanes import Scalar, leaves, rebuilt
from gambol.spatial.dense import Rows
from gambol.spatial.factor import Turns
from gambol.spatial.inertia import NO_RIGID_INERTIA, RigidInertia
from gambol.spatial.motion import Force
from gambol.spatial.transform import Transform
from gambol.spatial.vector import Vector


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
    return _rows_of_data(state) if told(state.figure) else _rows_up_the_tree(state)


def _rows_up_the_tree(state: Kinematics) -> list[dict[int, Scalar]]:
    """By composite inertias in the frames of their joints."""
    figure = state.figure
    I = [NO_RIGID_INERTIA, *map(rigid_inertia, figure.links)]
    rows: list[dict[int, Scalar]] = [{} for _ in range(figure.nv)]
    for link in figure.inward():
        joint = state.joints[link.index]
        felt = turned(I[link.index], joint.inner)
        for k, S in enumerate(joint.columns):
            force, row = felt @ S, link.v.start + k
            for m, other in enumerate(joint.columns[: k + 1]):
                rows[row][link.v.start + m] = other.dot(force, link.joint.armature if m == k else 0.0)
            rows[row] |= _carried_up(state, link, force)
        I[link.parent_index] += turned(felt, joint.outer).shifted(joint.X_PJ.position)
    return rows


def rigid_inertia(link: PlacedLink) -> RigidInertia:
    """The inertia of one link about its origin, in link coordinates."""
    body = link.mass_properties
    return RigidInertia.of(body.mass, Vector(*body.com), body.inertia)


def turned(inertia: RigidInertia, turns: Turns) -> RigidInertia:
    """A rigid inertia after some turns, of which the last is made first."""
    for turn in reversed(turns):
        inertia = inertia.rotated(turn)
    return inertia


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


def _rows_of_data(state: Kinematics) -> list[dict[int, Scalar]]:
    """By composite inertias in one frame, for links whose parents the program is told when it runs."""
    figure = state.figure
    origin = state.poses[figure.root.index].position
    frames = [Transform(pose.rotation, pose.position - origin) for pose in state.poses[1:]]
    motions = [[X @ state.joints[i].to_link(S) for S in state.joints[i].columns] for i, X in enumerate(frames, 1)]
    bodies = [
        rigid_inertia(link).rotated(X.rotation).shifted(X.position)
        for link, X in zip(figure.links, frames, strict=True)
    ]
    rows: list[dict[int, Scalar]] = []
    for link, own in zip(figure.links, motions, strict=True):
        felt = _carried(figure, link, bodies)
        for k, S in enumerate(own):
            force, row = felt @ S, dict[int, Scalar]()
            for other in figure.links[: link.index]:
                along = motions[other.index - 1] if other is not link else own[: k + 1]
                there = carries(figure, other.index, link.index)
                row |= {other.v.start + m: T.dot(force) * there for m, T in enumerate(along)}
            row[link.v.start + k] = row[link.v.start + k] + link.joint.armature
            rows.append(row)
    return rows


def _carried(figure: Figure, link: PlacedLink, each: Sequence[RigidInertia]) -> RigidInertia:
    """The inertia of all that a link carries, as one body."""
    sums = leaves(each[link.index - 1])
    for other in figure.links[link.index :]:
        there = carries(figure, link.index, other.index)
        sums = [total + there * x for total, x in zip(sums, leaves(each[other.index - 1]), strict=True)]
    return rebuilt(each[link.index - 1], iter(sums))

"""The mass matrix by the composite-rigid-body algorithm, and forward dynamics by factorising it.

    fixed topology      Ic_P += X Ic X^T    F = Ic S    M_jj = S.F + a_r    to the root: F := X F,  M_ji = S_i.F
    variable topology   Ic_j = sum of I_k over the subtree of j    F = Ic_j S_j    M_ji = S_i.F for ancestors i of j
    forward dynamics    M v' = tau - C    C = inverse dynamics at v' = 0

A variable topology has no fixed path to the root, so all quantities are in world axes about the root's origin.
[Featherstone 2008, tables 6.2 and 6.5]. Ic is the inertia of a link and its subtree as one rigid body; a_r is the
armature. An entry of M whose joints lie on different branches is exactly 0, also in the factors.
"""

from collections.abc import Iterator, Mapping, Sequence

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward.systems import factorised, symmetric
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.rnea import rnea
from gambol.figure import Figure, PlacedLink
from gambol.figure.template import carries, has_variable_topology
from gambol.lanes import Scalar, leaves, unflatten
from gambol.spatial.dense import Rows
from gambol.spatial.factor import Rotations
from gambol.spatial.inertia import NO_RIGID_INERTIA, RigidInertia
from gambol.spatial.motion import Force, Transform
from gambol.spatial.vector import Vector

MAX_DENSE_PATH = 30
"""Number of degrees of freedom between a link and the world above which articulated bodies take fewer operations than
the mass matrix and its factors, whose rows are as long as these paths."""


def has_long_paths(figure: Figure) -> bool:
    """Return True if a link has more than MAX_DENSE_PATH degrees of freedom between it and the world.

    A variable topology has no fixed paths, and counts as one of short paths.
    """
    lengths = [0] * (len(figure.links) + 1)
    for link in figure.outward():
        lengths[link.index] = lengths[link.parent_index] + link.v.stop - link.v.start
    return max(lengths) > MAX_DENSE_PATH and not has_variable_topology(figure)


def crba(
    state: Kinematics,
    tau: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
) -> list[Scalar]:
    """Return joint accelerations (nv) by the mass matrix and its sparse factors, at a cost of O(n depth^2).

    state, tau, f_ext, gravity: as for aba().
    """
    bias, _ = rnea(state, [0.0] * state.figure.nv, f_ext=f_ext, gravity=gravity)
    return factorised(mass_rows(state)).solve([t - c for t, c in zip(tau, bias, strict=True)])


def mass_matrix(state: Kinematics) -> Rows:
    """Return the joint-space mass matrix M (nv x nv) [kg m2, kg m or kg], rotors included; T = v.M v / 2."""
    return symmetric(mass_rows(state))


def mass_diagonal(state: Kinematics) -> list[Scalar]:
    """Return the diagonal of the mass matrix (nv), at a cost of O(n) for a fixed topology."""
    if has_variable_topology(state.figure):
        return [row[k] for k, row in enumerate(_rows_of_variable_topology(state))]
    diagonal: list[Scalar] = [0.0] * state.figure.nv
    for link, composite in _composites(state):
        for k, S in enumerate(state.joints[link.index].columns, start=link.v.start):
            diagonal[k] = S.dot(composite @ S, link.joint.armature)
    return diagonal


def mass_rows(state: Kinematics) -> list[dict[int, Scalar]]:
    """Return the lower triangle of the mass matrix as sparse rows: the entries of each joint and its ancestors."""
    return _rows_of_variable_topology(state) if has_variable_topology(state.figure) else _rows_of_fixed_topology(state)


def _rows_of_fixed_topology(state: Kinematics) -> list[dict[int, Scalar]]:
    """Return the rows by composite inertias in the frames of their joints."""
    rows: list[dict[int, Scalar]] = [{} for _ in range(state.figure.nv)]
    for link, composite in _composites(state):
        joint = state.joints[link.index]
        for k, S in enumerate(joint.columns):
            force, row = composite @ S, link.v.start + k
            for m, other in enumerate(joint.columns[: k + 1]):
                rows[row][link.v.start + m] = other.dot(force, link.joint.armature if m == k else 0.0)
            rows[row] |= _ancestor_entries(state, link, force)
    return rows


def _composites(state: Kinematics) -> Iterator[tuple[PlacedLink, RigidInertia]]:
    """Yield each link and its composite inertia in its joint frame, children before their parents."""
    I = [NO_RIGID_INERTIA, *map(rigid_inertia, state.figure.links)]
    for link in state.figure.inward():
        joint = state.joints[link.index]
        composite = rotated(I[link.index], joint.inner)
        yield link, composite
        I[link.parent_index] += rotated(composite, joint.outer).shifted(joint.X_PJ.position)


def rigid_inertia(link: PlacedLink) -> RigidInertia:
    """Return the inertia of one link about its origin, in link coordinates."""
    body = link.mass_properties
    return RigidInertia.of(body.mass, Vector(*body.com), body.inertia)


def rotated(inertia: RigidInertia, rotations: Rotations) -> RigidInertia:
    """Return a rotated inertia; the last of the rotations is applied first."""
    for rotation in reversed(rotations):
        inertia = inertia.rotated(rotation)
    return inertia


def _ancestor_entries(state: Kinematics, link: PlacedLink, force: Force) -> dict[int, Scalar]:
    """Return the components of a force along the joints of a link's ancestors; force: in the link's joint frame."""
    entries: dict[int, Scalar] = {}
    while link.parent_index:
        force = state.joints[link.index].X_PJ @ force
        link = state.figure.links[link.parent_index - 1]
        joint = state.joints[link.index]
        force = joint.to_joint(force)
        entries |= {link.v.start + m: S.dot(force) for m, S in enumerate(joint.columns)}
    return entries


def _rows_of_variable_topology(state: Kinematics) -> list[dict[int, Scalar]]:
    """Return the rows by composite inertias in one frame, for a variable topology."""
    figure = state.figure
    origin = state.poses[figure.root.index].position
    frames = [Transform(pose.rotation, pose.position - origin) for pose in state.poses[1:]]
    motions = [[X @ state.joints[i].to_link(S) for S in state.joints[i].columns] for i, X in enumerate(frames, 1)]
    bodies = [
        rigid_inertia(link).rotated(X.rotation).shifted(X.position)
        for link, X in zip(figure.links, frames, strict=True)
    ]
    rows: list[dict[int, Scalar]] = []
    for link, columns in zip(figure.links, motions, strict=True):
        composite = _subtree_inertia(figure, link, bodies)
        for k, S in enumerate(columns):
            force, row = composite @ S, dict[int, Scalar]()
            for other in figure.links[: link.index]:
                other_columns = motions[other.index - 1] if other is not link else columns[: k + 1]
                is_carried = carries(figure, other.index, link.index)
                row |= {other.v.start + m: T.dot(force) * is_carried for m, T in enumerate(other_columns)}
            row[link.v.start + k] = row[link.v.start + k] + link.joint.armature
            rows.append(row)
    return rows


def _subtree_inertia(figure: Figure, link: PlacedLink, inertias: Sequence[RigidInertia]) -> RigidInertia:
    """Return the composite inertia of a link and its subtree; inertias: inertias of all links, in one frame."""
    sums = leaves(inertias[link.index - 1])
    for other in figure.links[link.index :]:
        is_carried = carries(figure, link.index, other.index)
        sums = [total + is_carried * x for total, x in zip(sums, leaves(inertias[other.index - 1]), strict=True)]
    return unflatten(inertias[link.index - 1], iter(sums))

"""A row: one scalar relation between links or joints, and the forces that act along it.

    phi        phi' = J v        phi'' = J v' + J' v = sum F_i.a_i + sum c_k v_k' + bias

F_i are the forces of a unit multiplier on the links (and on the world); by virtual work they also give the
acceleration, and J^T contains their components at the joints. a_i are accelerations of the links' origins
(kinematics.py), so the bias is the velocity-product term between the two frames only. The forces of one row balance, so
links nearer to the root than the common ancestor are not affected.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.kinematics import Kinematics
from gambol.figure import JOINTS, WORLD, Figure, PlacedLink
from gambol.lanes import Scalar
from gambol.spatial.motion import NO_FORCE, Force, Motion

LEAST = 1e-3
"""Fraction of the figure's mobility below which a row's own mobility is rounding: such rows are redundant with joints.
Gears and levers make a row at most a thousand times less mobile than the whole figure."""


@dataclass(frozen=True, slots=True)
class Row:
    """One scalar constraint row at one state.

    forces: of a unit multiplier, by link number, in link coordinates. joints: the same at joints, by the number of the
    degree of freedom. gap: phi [m, rad or 1]; speed: phi'; bias: see the module. group: equal for rows that are
    components of one motion; None for a single row. mobility: see rigid_mobility().
    """

    forces: Mapping[int, Force]
    joints: Mapping[int, Scalar]
    gap: Scalar
    speed: Scalar
    bias: Scalar
    group: Hashable = None
    mobility: float = 0.0

    def acceleration(self, a_links: Sequence[Motion], a: Sequence[Scalar]) -> Scalar:
        """Return phi''; a_links: accelerations of all links (Kinematics.accelerations), a: of all joints (nv)."""
        of_links = sum((a_links[i].dot(force) for i, force in self.forces.items()), self.bias)
        return sum((c * a[k] for k, c in self.joints.items()), of_links)


def row_scales(rows: Sequence[Row], diagonal: Sequence[Scalar]) -> list[Scalar]:
    """Return the scale of each row: the mobility of its group, and at least a fraction of the figure's.

    rows: the rows. diagonal: phi'' of each row per unit of its own multiplier.
    """
    groups = [
        [j for j, other in enumerate(rows) if j == i or (other.group and other.group == row.group)]
        for i, row in enumerate(rows)
    ]
    return [
        sum((diagonal[j] for j in members), LEAST * row.mobility) for row, members in zip(rows, groups, strict=True)
    ]


def link_of_freedom(figure: Figure, freedom: int) -> PlacedLink:
    """Return the link whose joint has the degree of freedom of this number."""
    return next(link for link in figure.links if link.v.start <= freedom < link.v.stop)


def common_ancestor(figure: Figure, row: Row) -> int:
    """Return the nearest common ancestor of the links of a row, its joints included."""
    ends = [*row.forces, *(link_of_freedom(figure, k).parent_index for k in row.joints)]
    paths = [[*(link.index for link in figure.path_to_root(end)), WORLD] for end in ends]
    return next(i for i in paths[0] if all(i in other for other in paths))


def jacobian_row(state: Kinematics, row: Row) -> list[Scalar]:
    """Return J (nv): the row's speed by joint velocities, and the joint forces of a unit multiplier."""
    J: list[Scalar] = [0.0] * state.figure.nv
    for k, c in row.joints.items():
        J[k] = c
    forces, end = dict(row.forces), common_ancestor(state.figure, row)
    for link in state.figure.inward():
        if link.index == end or link.index not in forces:
            continue
        joint = state.joints[link.index]
        force = joint.to_joint(forces[link.index])
        J[link.v] = [S.dot(force, effort) for S, effort in zip(joint.columns, J[link.v], strict=True)]
        forces[link.parent_index] = forces.get(link.parent_index, NO_FORCE) + joint.X_PJ @ force
    return J


def joint_row(state: Kinematics, freedom: int) -> Row:
    """Return the row of one degree of freedom, by number; its gap is the coordinate of a joint that has only one."""
    link = link_of_freedom(state.figure, freedom)
    gap = state.q[link.q.start] if JOINTS[link.joint.kind].nq == 1 else 0.0
    return Row({}, {freedom: 1.0}, gap, state.v[freedom], 0.0)

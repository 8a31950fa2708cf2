"""A row: one scalar relation between links or joints, and the forces that act along it.

    phi        phi' = J v        phi'' = J v' + J' v = sum F_i.a_i + sum c_k v_k' + bias

F_i are the forces of a unit multiplier on the links (and on the world); by virtual work they also give the
acceleration, and J^T contains their components at the joints. a_i are accelerations of the links' origins
(kinematics.py), so the bias is only the velocity-product term between the two frames. The forces of one row balance, so
links nearer to the root than the common ancestor are not affected.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.kinematics import Kinematics
from gambol.figure import JOINTS, WORLD, Figure, PlacedLink
from gambol.lanes import Scalar
from gambol.spatial.motion import NO_FORCE, Force, Motion

MIN_MOBILITY_FRACTION = 1e-3
"""Fraction of the figure's mobility below which the mobility of a row is a rounding error: joints make it redundant.
Gears and levers reduce the mobility of a row to no less than a thousandth of the figure's."""


@dataclass(frozen=True, slots=True)
class Row:
    """One scalar constraint row at one state.

    forces: forces of a unit multiplier on links, by link index, in link coordinates. joints: forces of a unit
    multiplier at joints, by index of the degree of freedom. gap: phi [m, rad or 1]. speed: phi'. bias: see the module.
    group: equal for rows that are components of one motion; None for a single row. mobility: see rigid_mobility().
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
        link_terms = sum((a_links[i].dot(force) for i, force in self.forces.items()), self.bias)
        return sum((c * a[k] for k, c in self.joints.items()), link_terms)


def row_scales(rows: Sequence[Row], diagonal: Sequence[Scalar]) -> list[Scalar]:
    """Return the scale of each row: the mobility of its group plus a fraction of the figure's mobility.

    rows: the rows. diagonal: phi'' of each row per unit of its own multiplier.
    """
    groups = [
        [j for j, other in enumerate(rows) if j == i or (other.group and other.group == row.group)]
        for i, row in enumerate(rows)
    ]
    return [
        sum((diagonal[j] for j in members), MIN_MOBILITY_FRACTION * row.mobility)
        for row, members in zip(rows, groups, strict=True)
    ]


def link_of_dof(figure: Figure, dof: int) -> PlacedLink:
    """Return the link with the joint of a degree of freedom; dof: its index."""
    return next(link for link in figure.links if link.v.start <= dof < link.v.stop)


def common_ancestor(figure: Figure, row: Row) -> int:
    """Return the index of the nearest common ancestor of the links and joints of a row."""
    link_indices = [*row.forces, *(link_of_dof(figure, k).parent_index for k in row.joints)]
    paths = [[*(link.index for link in figure.path_to_root(link_index)), WORLD] for link_index in link_indices]
    return next(i for i in paths[0] if all(i in path for path in paths))


def jacobian_row(state: Kinematics, row: Row) -> list[Scalar]:
    """Return J (nv): the row's speed by joint velocities, and the joint forces of a unit multiplier."""
    J: list[Scalar] = [0.0] * state.figure.nv
    for k, c in row.joints.items():
        J[k] = c
    forces, ancestor = dict(row.forces), common_ancestor(state.figure, row)
    for link in state.figure.inward():
        if link.index == ancestor or link.index not in forces:
            continue
        joint = state.joints[link.index]
        force = joint.to_joint(forces[link.index])
        J[link.v] = [S.dot(force, joint_force) for S, joint_force in zip(joint.columns, J[link.v], strict=True)]
        forces[link.parent_index] = forces.get(link.parent_index, NO_FORCE) + joint.X_PJ @ force
    return J


def joint_row(state: Kinematics, dof: int) -> Row:
    """Return the row of one degree of freedom; dof: its index.

    Its gap is the coordinate of a joint with one coordinate, and 0 for other joints.
    """
    link = link_of_dof(state.figure, dof)
    gap = state.q[link.q.start] if JOINTS[link.joint.kind].nq == 1 else 0.0
    return Row({}, {dof: 1.0}, gap, state.v[dof], 0.0)

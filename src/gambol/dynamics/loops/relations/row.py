"""A row: one scalar relation between links or joints, and the forces that act along it.

    phi        phi' = J v        phi'' = J v' + J' v = sum F_i.a_i + sum c_k v_k' + drift

The forces F_i that a unit multiplier puts on links (and on the world) are what measures the acceleration, by virtual
work; J^T is what they amount to at the joints. a_i are accelerations of the links' origins (kinematics.py), so that the
drift is what velocities add between the tied frames alone. The forces of one row balance, so nothing nearer to the
root than the link where their paths meet feels them.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.kinematics import Kinematics
from gambol.figure import JOINTS, WORLD, Figure, PlacedLink
from gambol.lanes import Scalar
from gambol.spatial.motion import NO_FORCE, Force, Motion

LEAST = 1e-3
"""Part of the figure's mobility below which a row's own is no measure of what is small: rows that joints hold already
have none but rounding. Gears and levers make a row a thousand times less mobile than the whole figure, not more."""


@dataclass(frozen=True, slots=True)
class Row:
    """One scalar relation at one state.

    forces: of a unit multiplier, by the number of the link, in link coordinates. joints: the same at joints, by the
    number of the degree of freedom. gap: phi [m, rad or 1]; speed: phi'; drift: see the module. family: the same for
    rows that are components of one motion; None for a row by itself. mobility: see whole_mobility().
    """

    forces: Mapping[int, Force]
    joints: Mapping[int, Scalar]
    gap: Scalar
    speed: Scalar
    drift: Scalar
    family: Hashable = None
    mobility: float = 0.0

    def acceleration(self, a: Sequence[Motion], rates: Sequence[Scalar]) -> Scalar:
        """phi'' from accelerations of all links (Kinematics.accelerations) and of all joints (nv)."""
        of_links = sum((a[i].dot(force) for i, force in self.forces.items()), self.drift)
        return sum((c * rates[k] for k, c in self.joints.items()), of_links)


def sizes(rows: Sequence[Row], diagonal: Sequence[Scalar]) -> list[Scalar]:
    """For each row what counts as much there: what its family gives way, and no less than a part of the figure's own.

    diagonal: phi'' of each row per unit of its own multiplier.
    """
    families = [
        [j for j, o in enumerate(rows) if j == i or (o.family and o.family == row.family)] for i, row in enumerate(rows)
    ]
    return [
        sum((diagonal[j] for j in members), LEAST * row.mobility) for row, members in zip(rows, families, strict=True)
    ]


def owner(figure: Figure, freedom: int) -> PlacedLink:
    """The link whose joint has a degree of freedom of this number."""
    return next(link for link in figure.links if link.v.start <= freedom < link.v.stop)


def meeting(figure: Figure, row: Row) -> int:
    """The link nearest to what a row ties that carries all of it, its joints included."""
    ends = [*row.forces, *(owner(figure, k).parent_index for k in row.joints)]
    paths = [[*(link.index for link in figure.carriers(end)), WORLD] for end in ends]
    return next(i for i in paths[0] if all(i in other for other in paths))


def jacobian_row(state: Kinematics, row: Row) -> list[Scalar]:
    """J (nv): how a relation's speed depends on joint velocities, and what a unit multiplier does at the joints."""
    J: list[Scalar] = [0.0] * state.figure.nv
    for k, c in row.joints.items():
        J[k] = c
    carried, end = dict(row.forces), meeting(state.figure, row)
    for link in state.figure.inward():
        if link.index == end or link.index not in carried:
            continue
        joint = state.joints[link.index]
        force = joint.to_joint(carried[link.index])
        J[link.v] = [S.dot(force, effort) for S, effort in zip(joint.columns, J[link.v], strict=True)]
        carried[link.parent_index] = carried.get(link.parent_index, NO_FORCE) + joint.X_PJ @ force
    return J


def joint_row(state: Kinematics, freedom: int) -> Row:
    """The motion of one degree of freedom, by its number; its gap is the coordinate of a joint that has only one."""
    link = owner(state.figure, freedom)
    gap = state.q[link.q.start] if JOINTS[link.joint.kind].nq == 1 else 0.0
    return Row({}, {freedom: 1.0}, gap, state.v[freedom], 0.0)

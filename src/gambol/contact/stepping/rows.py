"""Rows: the directions along which impulses act on a figure, as sparse as its tree, and how it answers them.

    w = J v        speed along a row          A dv = J^T p,  Y = A^-1 J^T        dv = Y p

A is the mass matrix with what springs and dampers add to it over a step (step.py). J has entries only at the freedoms
that carry a link, Y only in the trees that a row touches.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.contact.stepping.meeting import Meeting
from gambol.dynamics import Kinematics
from gambol.dynamics.forward import Factors
from gambol.lanes import Scalar
from gambol.spatial import Vector
from gambol.spatial.rotation import exactly


@dataclass(frozen=True, slots=True)
class Row:
    """One direction of an impulse: J and Y by number of freedom, without their exact zeros; D = J Y, what it gives way.

    A unit impulse along the row changes its own speed by D.
    """

    J: Mapping[int, Scalar]
    Y: Mapping[int, Scalar]
    D: Scalar

    def speed(self, v: Sequence[Scalar]) -> Scalar:
        """w = J v at joint velocities v (nv)."""
        return product(self.J, v)

    def pushed(self, v: Sequence[Scalar], p: Scalar) -> list[Scalar]:
        """Joint velocities after an impulse p along the row."""
        return [x + self.Y[k] * p if k in self.Y else x for k, x in enumerate(v)]

    def coupling(self, other: "Row") -> Scalar:
        """What a unit impulse along another row does to the speed along this one."""
        return sum((c * other.Y[k] for k, c in self.J.items() if k in other.Y), 0.0)


def product(J: Mapping[int, Scalar], v: Sequence[Scalar]) -> Scalar:
    """J v of a sparse row."""
    return sum((c * v[k] for k, c in J.items()), 0.0)


def row(J: Mapping[int, Scalar], factors: Factors) -> Row:
    """A row from its J, in a figure with the factors of its A."""
    n = len(factors.D_inverse)
    Y = {k: y for k, y in enumerate(factors.solve([J.get(k, 0.0) for k in range(n)])) if not exactly(y, 0.0)}
    return Row(J, Y, sum((c * Y[k] for k, c in J.items()), 0.0))


@dataclass(frozen=True, slots=True)
class Axis:
    """A freedom in world axes: its angular velocity and that of the link's origin per unit, and where the origin is."""

    w: Vector
    v: Vector
    origin: Vector

    def at(self, point: Vector) -> Vector:
        """Velocity of a point that the freedom carries [m/s per unit]."""
        return self.v.plus_cross(self.w, point - self.origin)


def axes(state: Kinematics) -> list[Axis]:
    """All freedoms of a figure in world axes."""
    found: list[Axis] = []
    for link in state.figure.links:
        joint, pose = state.joints[link.index], state.poses[link.index]
        for S in joint.columns:
            along = joint.to_link(S)
            found.append(Axis(pose.rotation @ along.w, pose.rotation @ along.v, pose.position))
    return found


def point_rows(state: Kinematics, freedoms: Sequence[Axis], meeting: Meeting) -> list[dict[int, Scalar]]:
    """J of a contact along its normal and its two tangents: how fast the first side leaves the second."""
    moves: dict[int, Vector] = {}
    for index, sign in meeting.carried.items():
        place = state.figure.links[index - 1].v
        moves |= {k: freedoms[k].at(meeting.point) * sign for k in range(place.start, place.stop)}
    return [
        {k: c for k, move in moves.items() if not exactly(c := move.dot(direction), 0.0)} for direction in meeting.frame
    ]

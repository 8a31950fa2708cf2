"""Rows: the directions along which impulses act on a figure, as sparse as its tree.

    A = L^T D L         u = L v         z = L^-T J^T         w = J v = z . u         du = D^-1 z p

A is the mass matrix with what springs and dampers add to it over a step (step.py), L and D its sparse factors, or its
root and ones. In the coordinates u a row touches nothing but the freedoms that carry its links, neither where
it reads a speed nor where it pushes; joint velocities v = L^-1 u are found once, at the end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gambol.contact.stepping.meeting import Meeting
from gambol.dynamics import Kinematics
from gambol.dynamics.forward import Root, Split
from gambol.lanes import Precision, Scalar, maximum, where, working_precision
from gambol.spatial import Vector
from gambol.spatial.rotation import exactly

SUMS = 4
"""Sums side by side: a fused step takes four cycles until the next may use it, and two begin in each cycle."""


@dataclass(frozen=True, slots=True)
class Row:
    """One direction of an impulse.

    z, apart: z and D^-1 z by number of freedom, without their exact zeros; None: D is 1, and both are the same. gives:
    z . D^-1 z, by which a unit impulse along the row changes its own speed.
    """

    z: Mapping[int, Scalar]
    apart: Mapping[int, Scalar] | None
    gives: Scalar

    @property
    def push(self) -> Mapping[int, Scalar]:
        """D^-1 z: what a unit impulse does to u."""
        return self.z if self.apart is None else self.apart

    def speed(self, u: Sequence[Scalar]) -> Scalar:
        """w at velocities u (nv): in a few sums side by side, for each step of a sum waits for the one before."""
        terms = [*self.z.items()]
        chains = [terms[n::SUMS] for n in range(SUMS)] if len(terms) > 2 * SUMS else [terms]
        sums = [sum((c * u[k] for k, c in chain), 0.0) for chain in chains]
        return (sums[0] + sums[1]) + (sums[2] + sums[3]) if len(sums) == SUMS else sums[0]

    def pushed(self, u: Sequence[Scalar], p: Scalar) -> list[Scalar]:
        """Velocities u after an impulse p along the row."""
        moved = list(u)
        for k, c in self.push.items():
            moved[k] = moved[k] + c * p
        return moved

    def coupling(self, other: "Row") -> Scalar:
        """What a unit impulse along another row does to the speed along this one."""
        return sum((c * other.push[k] for k, c in self.z.items() if k in other.push), 0.0)


def row(J: Mapping[int, Scalar], factors: Split) -> Row:
    """A row from its J by number of freedom, in a figure with the factors of its A."""
    n = len(factors.D_inverse)
    z = {k: y for k, y in enumerate(factors.inward([J.get(k, 0.0) for k in range(n)])) if not exactly(y, 0.0)}
    apart = None if isinstance(factors, Root) else {k: y * factors.D_inverse[k] for k, y in z.items()}
    one = Row(z, apart, 0.0)
    return replace(one, gives=one.coupling(one))


NOISE: dict[Precision, float] = {"float64": 1e-10, "float32": 1e-5}
"""Of the largest entry of all relations: far above rounding, and below any lever."""


def without_noise(ties: Sequence[Mapping[int, Scalar]]) -> list[dict[int, Scalar]]:
    """J of relations that hold loops closed, by number of freedom: 0 where it is nothing but rounding.

    A planar loop in space has more relations than it needs. What joints keep by themselves has J = 0 but for rounding,
    and its row would give so little that impulses along it are noise, as large as numbers get.
    """
    sizes: list[Scalar] = []
    for J in ties:
        size: Scalar = 0.0
        for c in J.values():
            size = maximum(abs(c), size)
        sizes.append(size)
    least: Scalar = 0.0
    for size in sizes:
        least = maximum(NOISE[working_precision()] * size, least)
    return [{k: where(size > least, c, 0.0) for k, c in J.items()} for J, size in zip(ties, sizes, strict=True)]


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

"""The joints of a figure as tables of numbers, with one program for each kind of joint.

    placed      X_PL, S v, (dS/dt) v and S in link axes                            from q and v
    advanced    v <- v + h v', then q <- q moved by h v, along fixed axes          (semi-implicit Euler)

Free and planar joints have velocities along axes that turn with the link; see tangent.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.passes import POSE_ROWS
from gambol.dynamics.adaptive.springs import numbers_of, spring_numbers, springing
from gambol.figure import JOINTS, Figure, Joint, JointSpring
from gambol.figure.joint import place
from gambol.lanes import Program, ProgramSpec, Scalar, gather, leaves

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

NO_DIRECTION = (0.0, 0.0, 0.0)
NUMBERS = ("pitch", "slides", "radius", "parent_radius")


def _constants_of(joint: Joint) -> tuple[Any, ...]:
    """Return the inputs of a joint's placement besides q, as a pytree of numbers."""
    return (
        joint.rotation,
        joint.position,
        joint.axis,
        joint.across or NO_DIRECTION,
        tuple(getattr(joint, name) for name in NUMBERS),
    )


CONSTANTS = _constants_of(Joint("revolute"))
NO_OFFSET = np.array(leaves(CONSTANTS), float)


def joint_constants(figure: Figure) -> Array:
    """Return the constants of the joints of all links (rows, L)."""
    return np.array([leaves(_constants_of(link.joint)) for link in figure.links], float).T


@cache
def placing(kind: str) -> Program:
    """Return the program that places joints of a kind. It takes q, v and constants, and returns rows for passes.py."""

    def placed(q: Sequence[Scalar], v: Sequence[Scalar], constants: Any) -> Any:
        rotation, position, axis, across, numbers = constants
        joint = Joint(kind, axis, rotation, position, across, **dict(zip(NUMBERS, numbers, strict=True)))
        placement = place(joint, q)
        X = placement.X_PL
        in_link = [placement.to_link(m) for m in (placement.motion(v), placement.velocity_product(v))]
        columns = [[*leaves(placement.to_link(S)), u] for S, u in zip(placement.columns, v, strict=True)]
        return (leaves((X.rotation.rows, X.position, in_link)), *columns)

    row = JOINTS[kind]
    return Program(ProgramSpec(f"{kind} placed", placed, ([0.0] * row.nq, [0.0] * row.nv, CONSTANTS), key="placed"))


@cache
def advancing(kind: str) -> Program:
    """Return the program that moves the state of joints of a kind by one step.

    It takes q, v, for each velocity the index of its acceleration in a table, and the step; and returns q and v.
    """
    row = JOINTS[kind]

    def advanced(q: list[Scalar], v: list[Scalar], index: list[Scalar], h: Scalar, accelerations: Any) -> Any:
        turn = row.turning.acceleration(v) if row.turning else [0.0] * row.nv
        a = [gather(accelerations, i) - t for i, t in zip(index, turn, strict=True)]
        fixed = [x + h * y for x, y in zip(v, a, strict=True)]
        dq = row.tangent_rate(q, [0.0] * row.nv, [h * x for x in fixed])
        new = row.normalised(row.integrate(q, dq))
        return new, row.turning.re_expressed(q, new, fixed) if row.turning else fixed

    structure = ([0.0] * row.nq, [0.0] * row.nv, [0.0] * row.nv, 0.0)
    return Program(ProgramSpec(f"{kind} advanced", advanced, structure, 1, key="advanced"))


@cache
def rating(kind: str) -> Program:
    """Return the program of the rates of change of velocities along fixed axes, from v and accelerations.

    It takes v, for each velocity the index of its acceleration in a table, and this table.
    """
    row = JOINTS[kind]

    def rates(v: list[Scalar], index: list[Scalar], accelerations: Any) -> Any:
        turn = row.turning.acceleration(v) if row.turning else [0.0] * row.nv
        return ([gather(accelerations, i) - t for i, t in zip(index, turn, strict=True)],)

    return Program(ProgramSpec(f"{kind} rates", rates, ([0.0] * row.nv, [0.0] * row.nv), 1, key="rates"))


def moved_poses(constants: Array, rotation: Array, position: Array) -> Array:
    """Return constants (rows, n) of joints, with their poses in rigid bodies instead of in links of these bodies.

    rotation (n, 3, 3), position (n, 3): pose of each joint's parent link in its body.
    """
    R = constants[:9].T.reshape(-1, 3, 3)
    moved = constants.copy()
    moved[:9] = (rotation @ R).reshape(-1, 9).T
    moved[9:POSE_ROWS] = (position + np.einsum("nij,nj->ni", rotation, constants[9:POSE_ROWS].T)).T
    return moved


@dataclass(frozen=True, slots=True)
class PlacedJoints:
    """n joints at one state: poses of the links in their parents, and in link axes S v, (dS/dt) v and S.

    rotation (n, 3, 3), position (n, 3), velocity, product (n, 6), subspace (n, 6, d), with columns of 0 up to d.
    """

    rotation: Array
    position: Array
    velocity: Array
    product: Array
    subspace: Array


class JointTable:
    """The joints of a figure as numbers.

    springs: springs of joints, as resolve_springs() returns them. sprung (L): True for joints with springs. directions:
    largest number of degrees of freedom of a joint, at least 1.
    """

    def __init__(self, figure: Figure, springs: Mapping[str, tuple[JointSpring, ...]]) -> None:
        links = figure.links
        self.springs = spring_numbers(figure, springs)
        self.sprung = np.array([link.name in springs for link in links])
        self.constants = joint_constants(figure)
        self.kinds = np.array([link.joint.kind for link in links])
        self.rotors = np.array([float(link.joint.armature) for link in links])
        self.q, self.v = (
            np.array([s.start for s in slices]) for slices in zip(*((k.q, k.v) for k in links), strict=True)
        )
        self.nq = np.array([link.q.stop - link.q.start for link in links])
        self.nv = np.array([link.v.stop - link.v.start for link in links])
        self.directions = max(1, int(self.nv.max()))

    def placed(self, links: Indices, q: Array, v: Array) -> PlacedJoints:
        """Return the joints of links by index; -1: a rigid joint without offset.

        q (nq), v (nv): coordinates and velocities of the figure.
        """
        n = len(links)
        rows = np.zeros((n, 24))
        rows[:, :9] = np.eye(3).ravel()
        S = np.zeros((n, 6, self.directions))
        for kind in np.unique(self.kinds[links[links >= 0]]):
            at = np.flatnonzero((links >= 0) & (self.kinds[links] == kind))
            which = links[at]
            if kind == "fixed":
                rows[at, :POSE_ROWS] = self.constants[:POSE_ROWS, which].T
                continue
            arrays = (q[self.q_indices(which)].T, v[self.v_indices(which)].T, self.constants[:, which])
            placed, *columns = placing(str(kind))(*arrays)
            rows[at] = placed.T
            for k, column in enumerate(columns):
                S[at, :, k] = column[:6].T
        return PlacedJoints(rows[:, :9].reshape(-1, 3, 3), rows[:, 9:12], rows[:, 12:18], rows[:, 18:], S)

    def spring_forces(self, links: Indices, q: Array, v: Array) -> Array:
        """Return the forces (n, d) of the springs at joints of links by index; -1: a rigid joint."""
        forces = np.zeros((len(links), self.directions))
        sprung = (links >= 0) & self.sprung[links]
        for kind in np.unique(self.kinds[links[sprung]]):
            at = np.flatnonzero(sprung & (self.kinds[links] == kind))
            which = links[at]
            arrays = (q[self.q_indices(which)].T, v[self.v_indices(which)].T)
            (tau,) = springing(str(kind))(*arrays, numbers_of(str(kind), self.springs[:, which]))
            forces[at, : len(tau)] = tau.T
        return forces

    def q_indices(self, links: Indices) -> Indices:
        """Return the indices (n, nq) of the coordinates of joints of one kind."""
        return self.q[links][:, None] + np.arange(int(self.nq[links[0]]))

    def v_indices(self, links: Indices) -> Indices:
        """Return the indices (n, nv) of the velocities of joints of one kind."""
        return self.v[links][:, None] + np.arange(int(self.nv[links[0]]))

    def all_v(self, links: Indices) -> Indices:
        """Return the indices of the velocities of joints of any kinds; NONE has none."""
        k = np.arange(self.directions)
        moving = links[links >= 0]
        return (self.v[moving][:, None] + k)[k < self.nv[moving][:, None]]

    def by_direction(self, links: Indices, values: Array, empty: float) -> Array:
        """Return values (n, d) of the directions of joints.

        values: values of the figure (nv); empty: the value where there is no direction.
        """
        k = np.arange(self.directions)
        nv = np.where(links < 0, 0, self.nv[links])
        exists = k < nv[:, None]
        index = np.where(exists, self.v[links][:, None] + k, 0)
        return np.where(exists, values[index] if len(values) else 0.0, empty)

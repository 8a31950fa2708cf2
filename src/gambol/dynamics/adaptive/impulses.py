"""Contacts and joint limits of a hybrid body as constraints on its velocities at the end of each step.

    J v+ + C p >= target        p >= 0        |p_t| <= mu p_n          v+ = v + M^-1 (h f + J^T p)

v: velocities of the hybrid body, p: impulses, C: compliances. A contact that is open closes its gap at most, one that
hits rebounds by Newton's law, one that is closed corrects a part of its depth. The impulses are found by projected
Gauss-Seidel in sweeps over all contacts (impulse_passes.py), from those of the last step. They are forces p / h on the
groups in this step. [Gayle, Lin and Manocha 2006; Stewart and Trinkle 1996]
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.contacts import PlacedPoints
from gambol.dynamics.adaptive.impulse_passes import RESPONSE_ROWS, response_pass
from gambol.dynamics.adaptive.impulse_problem import ImpulseProblem
from gambol.dynamics.adaptive.joint_limits import NO_LIMITS, GroupLimits
from gambol.dynamics.adaptive.passes import POSE_ROWS, entries, motion_of, transform_of
from gambol.figure import Triple
from gambol.lanes import Program, ProgramSpec, Scalar, leaves
from gambol.spatial.motion import Motion, Transform
from gambol.spatial.vector import Vector

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Numbers = Sequence[Scalar]

MARGIN = 1e-3
"""Gap from which on a contact is part of the problem [m]; it acts only when it closes."""

STEPS_AHEAD = 2.0
"""A contact that would close in this many steps at its present speed is part of the problem, too."""

ITERATIONS, TOLERANCE = 100, 1e-9
"""Largest number of sweeps of limits without contacts, and change of speeds at which they end [rad/s or m/s]."""


@runtime_checkable
class RigidContacts(Protocol):
    """A law of rigid contact at points of links."""

    @property
    def points(self) -> Sequence[tuple[int, Triple, float]]:
        """Link index (0 is the root), position in the link [m] and radius [m] of each point, which is a ball."""
        ...

    @property
    def table(self) -> Array | None:
        """Numbers that the law reads, or None."""
        ...

    @property
    def friction(self) -> Array:
        """Coefficient of friction (m) of each point."""
        ...

    @property
    def restitution(self) -> Array:
        """Coefficient of restitution (m) of each point."""
        ...

    @property
    def compliance(self) -> Array:
        """Speed for an impulse (m) [1/kg]: impulses are unique where there are more contacts than directions."""
        ...

    @property
    def restitution_speed(self) -> float:
        """Speed below which nothing rebounds [m/s]."""
        ...

    @property
    def iterations(self) -> int:
        """Largest number of sweeps in a step."""
        ...

    @property
    def tolerance(self) -> float:
        """Change of the speed at contacts at which sweeps end [m/s]."""
        ...

    def touch(
        self, pose: Transform, velocity: Motion, position: Vector, radius: Scalar, table: Any
    ) -> tuple[Scalar, Scalar, Vector, Vector]:
        """Return gap, its rate, normal and contact point of a ball, the last two in body coordinates.

        Arguments: as of PointForces.force().
        """
        ...


def touch_program(law: RigidContacts) -> Program:
    """Return the program of gap, its rate, normal and contact point (8) at points; inputs as of point_program()."""

    def touched(column: Scalar, widths: Numbers, position: Numbers, radius: Scalar, *tables: Any) -> Any:
        pose = transform_of(entries(tables[0], widths[0], column, POSE_ROWS))
        velocity = motion_of(entries(tables[1], widths[1], column, 6))
        return (leaves(law.touch(pose, velocity, Vector.of(position), radius, tables[2])),)

    return Program(ProgramSpec("touching points", touched, (0.0, [0.0] * 2, [0.0] * 3, 0.0), 3))


@dataclass
class ImpulseMemory:
    """Forces of the last step: at points in world axes (m, 3) [N], at joint limits (nv) [N m, N]; and sweeps so far."""

    contacts: Array
    limits: Array
    sweeps: int = 0

    def copy(self) -> "ImpulseMemory":
        """Return a copy with arrays of its own."""
        return ImpulseMemory(self.contacts.copy(), self.limits.copy(), self.sweeps)

    def restore(self, saved: "ImpulseMemory") -> None:
        """Set the forces to saved ones."""
        self.contacts[:], self.limits[:] = saved.contacts, saved.limits


class GroupImpulses:
    """The contacts and limits of a hybrid body.

    law, program: see touch_program(). points: the points of the law in the groups. limits: joint limits; None: all are
    soft. memory: forces of the last step, which are changed. velocity_index (steps): index of each step in the
    velocities of the figure.
    """

    def __init__(
        self,
        law: RigidContacts | None,
        program: Program | None,
        points: PlacedPoints,
        limits: GroupLimits | None,
        memory: ImpulseMemory,
        velocity_index: Indices,
    ) -> None:
        self.law, self.points, self.memory, self._limits = law, points, memory, limits
        self.body, self._velocity_index = points.body, velocity_index
        self._touched = np.zeros((8, 0))
        if law and program:
            self._touch, self._touched = points.bind(program, law.table)
            numbers = np.array([law.friction, law.restitution, law.compliance])[:, points.order]
            self._friction, self._restitution, self._compliance = numbers
        self._near, self._at_limit = np.zeros(0, int), np.zeros(0, int)
        self._sign = np.zeros(0)
        self._distance = np.zeros(0)
        self._problem: ImpulseProblem | None = None
        self._bind_responses()

    def _bind_responses(self) -> None:
        body, n = self.body, self.body.steps
        self.responses = np.zeros((RESPONSE_ROWS, n + 1))
        t = np.arange(n)
        is_first = self.body.first[body.step_joint] == t
        self._tables = [
            table.reshape(-1) for table in (body.table, body.subspace, body.rates, body.answers, self.responses)
        ]
        widths = [body.table.shape[1], body.subspace.shape[1], body.answers.shape[1], n + 1]
        self._widths = np.array(widths, float)[:, None]
        self._respond = response_pass().bind(
            np.array([body.column, body.direction, n - 1 - t, body.parent, is_first], float),
            self._widths,
            out=[self.responses[:, :n]],
            tables=self._tables,
        )

    def apply(self) -> None:
        """Find the contacts and limits of the present state, and add the forces of the last step."""
        body, points = self.body, self.points
        points.place_groups()
        near = np.zeros(0, int)
        if self.law:
            self._touch()
            gap, rate = self._touched[:2, : points.count]
            ahead = STEPS_AHEAD * body.step_length * np.maximum(-rate, 0.0)
            near = np.flatnonzero(gap < MARGIN + ahead)
        limits = self._limits.near(body.step_length) if self._limits else NO_LIMITS
        same = np.array_equal(near, self._near) and np.array_equal(limits.joint, self._at_limit)
        self._distance = limits.distance
        if not (same and np.array_equal(limits.sign, self._sign)):
            self._near, self._at_limit, self._sign, self._problem = near, limits.joint, limits.sign, None
        order = points.order[near]
        forgotten = np.ones(len(self.memory.contacts), bool)
        forgotten[order] = False
        self.memory.contacts[forgotten] = 0.0
        self._bias = body.motions[12:].copy()
        index = self._velocity_index[body.first]
        at_limit = index[self._at_limit]
        self._limit_force = np.maximum(self._sign * self.memory.limits[at_limit], 0.0)
        self.memory.limits[index[index >= 0]] = 0.0
        self.memory.limits[at_limit] = self._sign * self._limit_force
        self._apply(self._in_groups(self.memory.contacts[order]), self._limit_force)

    def _rotations(self) -> Array:
        """Return the rotations (k, 3, 3) of the groups of near contacts."""
        return self.points.poses[:9, self.points.column[self._near]].T.reshape(-1, 3, 3)

    def _in_groups(self, forces: Array) -> Array:
        """Return forces (k, 3) in world axes at the near contacts, in the axes of their groups."""
        return np.einsum("nji,nj->ni", self._rotations(), forces)

    def _apply(self, forces: Array, limit_forces: Array) -> None:
        """Set the forces at near contacts, in the axes of their groups, and at near limits, as those on the body."""
        body, near = self.body, self._near
        at = self._touched[5:8, near].T
        self.points.forces[:] = 0.0
        self.points.forces[:3, near], self.points.forces[3:, near] = np.cross(at, forces).T, forces.T
        body.motions[12:] = self._bias
        columns = self.points.column[near]
        for row in range(6):
            body.motions[12 + row] -= np.bincount(columns, self.points.forces[row, near], body.steps + 1)
        body.add_joint_forces(body.first[self._at_limit], self._sign * limit_forces)

    def _solved(self, problem: ImpulseProblem, h: float, impulses: Array) -> tuple[Array, Array]:
        """Return the impulses at contacts (k, 3), in the axes of their groups, and at limits.

        impulses: those of the last step.
        """
        near, law = self._near, self.law
        V = self.body.motions[:6] + h * self.responses[:6]
        problem.set_start(V, self._limit_force * h, -self._distance / h)
        if law and len(near):
            touched = self._touched[:, near]
            order = self._friction[near], self._restitution[near], self._compliance[near]
            problem.set_contacts(touched[2:], order[0], order[2])
            problem.set_targets(touched[:2], order[1], law.restitution_speed, h, impulses)
        sweeps, tolerance = (law.iterations, law.tolerance) if law else (ITERATIONS, TOLERANCE)
        self.memory.sweeps += problem.sweep(sweeps, tolerance)
        return problem.impulses()

    def solve(self, h: float, a_world: Array) -> None:
        """Compute the accelerations of a step of length h [s], with the forces of contacts and limits in it."""
        body = self.body
        body.accelerate(a_world)
        if not len(self._near) and not len(self._at_limit):
            return
        for block in body.blocks:
            block.rate()
        self._respond()
        if self._problem is None:
            groups = self.points.group[self._near]
            self._problem = ImpulseProblem(body, self.responses, groups, (self._at_limit, self._sign))
        problem = self._problem
        forces = self._in_groups(self.memory.contacts[self.points.order[self._near]])
        contacts, limits = self._solved(problem, h, forces * h)
        before = self._limit_force
        body.add_joint_forces(body.first[self._at_limit], -self._sign * before)
        self._limit_force = limits / h
        self._apply(contacts / h, self._limit_force)
        world = np.einsum("nij,nj->ni", self._rotations(), contacts / h)
        self.memory.contacts[self.points.order[self._near]] = world
        index = self._velocity_index[body.first[self._at_limit]]
        self.memory.limits[index] = self._sign * self._limit_force
        body.accelerate(a_world)

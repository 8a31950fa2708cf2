"""The contacts of a pile with joints: sweeps over contacts and rows of joints with the response of whole trees.

Joints' locked motions and linear forces are eliminated exactly, see articulated.py; all contacts, hard limits, friction
and servos are rows of the sweeps, see tree_sweeps.py. Everything is one call of machine code.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import BoundProgram, Procedure
from gambol.lanes.procedure import Step
from gambol.rigid.anderson import WIDTH
from gambol.rigid.articulated import MOTIONS
from gambol.rigid.body_table import BodyTable
from gambol.rigid.contact_memory import ContactMemory, Solution
from gambol.rigid.joint_laws import ROWS
from gambol.rigid.joint_rows import JointRows
from gambol.rigid.order import SweepOrder
from gambol.rigid.pile_joints import PileJoints
from gambol.rigid.solve import ContactProblem, Solver
from gambol.rigid.tree_memory import TreeRows
from gambol.rigid.trees import Trees

Array = NDArray[Any]


class TreeProblem(ContactMemory):
    """Memory for the contacts of a pile with joints and their solution.

    solver, lanes, capacity, and numbers of contacts: see ContactMemory. joints, trees, table: of the pile, the trees
    for these lanes; h: step [s]. store, free: see TreeBodies; last: index of each body's final motion in the store (1,
    bodies).
    """

    def __init__(
        self,
        solver: Solver,
        joints: PileJoints,
        trees: Trees,
        table: BodyTable,
        capacity: int,
        h: float,
    ) -> None:
        super().__init__(solver, trees.lanes, capacity)
        self.trees, self.max_sweeps = trees, solver.max_sweeps
        self.joints = JointRows(solver, joints, trees, h)
        self.rows = rows = TreeRows(solver, trees, joints, table, self.joints.points, self)
        bodies = rows.bodies
        self.store, self.free = bodies.store, bodies.free
        self.last = np.zeros((1, table.columns), self.store.dtype)
        self.last[0, : table.bodies] = bodies.of_bodies(np.arange(table.bodies))
        self.correction_law = np.zeros((3, capacity), self.store.dtype)
        self._goals = np.full((2, 2, 1), float(self.max_sweeps))
        joint_rows, law = self.joints, self.arrays["law"]
        begin, end = (bodies.bind_motions(zeros=zeros) for zeros in (True, False))
        self._contacts = list[BoundProgram]()
        self._levels = list[tuple[BoundProgram, list[tuple[int, int]]]]()
        for outward in (begin[-1], end[-1]):
            self._levels.append((outward, bodies.levels[::-1]))

        def steps(linear: Array, laws: Array, law: Array, first: tuple[BoundProgram, ...], goal: Array) -> list[Step]:
            inward, contact = bodies.bind_inward(linear), rows.bind_contacts(law)
            self._contacts.append(contact)
            self._levels.append((inward[0], bodies.levels))
            prepared = [*inward, *begin, *first, contact, *rows.bind_joints(laws), rows.begun]
            return [*prepared, *rows.accelerated.steps(rows.sweep, goal), *end]

        self.solve_steps = steps(joint_rows.linear, joint_rows.laws, law, (rows.entries,), self._goals[0])
        correction = joint_rows.correction[: 3 * ROWS], joint_rows.correction[ROWS:], self.correction_law
        self.correct_steps = steps(*correction, (), self._goals[1])
        self._single: tuple[Procedure, Procedure] | None = None
        self._is_arranged = False

    def divide(self, procedure: Procedure) -> None:
        """Let a procedure with any of these steps compute trees level by level."""
        for stage, levels in self._levels:
            if stage in procedure:
                procedure.divide(stage, levels)

    def set_tolerances(self, tolerance: float, of_correction: float) -> None:
        """Set residuals at which sweeps of a solution and of a correction end [m/s]."""
        self._goals[:, 0, 0] = tolerance, of_correction

    @property
    def start_stages(self) -> list[BoundProgram]:
        """The programs that begin a solution, after velocities without impulses: none, see solve()."""
        return []

    def arrange(self, order: SweepOrder) -> None:
        """Take another order of contacts, of which all arrays must then be set."""
        super().arrange(order)
        self.rows.arrange(order)
        self._is_arranged = False

    def stages_of_contacts(self) -> dict[str, list[BoundProgram]]:
        """Return the stages of steps whose blocks depend on the contacts, see block_counts()."""
        rows = self.rows
        return {
            "rows": [rows.entries, rows.begun, rows.sweep],
            "unknowns": [rows.accelerated.extrapolated],
            "contacts": self._contacts,
        }

    def block_counts(self) -> dict[str, int]:
        """Return the numbers of blocks of stages: over rows, unknowns, and contacts in blocks of lanes or of WIDTH."""
        columns, rows = self.order.columns, self.rows
        unknowns = -(-rows.active_unknowns(columns) // WIDTH)
        return {
            "rows": rows.begin + columns,
            "unknowns": unknowns,
            "contacts": columns // self.lanes,
            "wide contacts": -(-columns // WIDTH),
            "single contacts": columns,
        }

    def _procedures(self) -> tuple[Procedure, Procedure]:
        """Return the procedures of a single solution and of a single correction, for the present contacts."""
        if self._single is None:
            self._single = Procedure(self.solve_steps, self.precision), Procedure(self.correct_steps, self.precision)
            for procedure in self._single:
                self.divide(procedure)
        if not self._is_arranged:
            self._is_arranged, counts = True, self.block_counts()
            for name, stages in self.stages_of_contacts().items():
                for stage in stages:
                    for procedure in self._single:
                        procedure.resize(stage, counts[name])
        return self._single

    def ranges(self) -> list[tuple[int, int]]:
        """Return ranges of blocks of contacts."""
        return [(0, self.order.columns // self.lanes)]

    def velocities(self) -> Array:
        """Return the velocities of all bodies (6, bodies) after a solution."""
        return self.store.take(self.last.astype(np.int64) + self.lanes * np.arange(MOTIONS)[:, None])

    def solution(self, velocity: Array, p: Array, tolerance: float) -> Solution:
        """Return impulses that satisfy the laws of all rows, and the velocities under them.

        velocity: velocities without impulses (6, bodies). p: initial impulses (3, columns). tolerance: residual at
        which sweeps end [m/s].
        """
        self._set_free(velocity)
        self.impulses[:] = p
        residual, sweeps = self.solve(tolerance)
        return Solution(self.velocities(), self.impulses.copy(), residual, sweeps)

    def correction(self, velocity: Array, least: Array, tolerance: float) -> Solution:
        """Return the solution of a position correction after the step was solved: without friction.

        velocity: displacements by the length of the step (6, bodies); least: normal speeds of contacts (columns) [m/s].
        """
        self._set_free(velocity)
        columns, rows = self.order.columns, self.rows
        self.correction_law[1, :columns], rows.p[:] = least, 0.0
        self._goals[1, 0] = tolerance
        self._procedures()[1]()
        impulses = rows.p[rows.begin : rows.begin + columns, :3].T
        return Solution(self.velocities(), impulses, *rows.accelerated.found)

    def _set_free(self, velocity: Array) -> None:
        self.free[:] = velocity.reshape(MOTIONS, -1, self.lanes).transpose(1, 0, 2)

    def solve(self, tolerance: float) -> tuple[float, int]:
        """Solve from the present free velocities and impulses; return the residual [m/s] and the number of sweeps."""
        columns, rows = self.order.columns, self.rows
        of_contacts, of_joints = rows.p[rows.begin : rows.begin + columns, :3], rows.p[: rows.count, 2]
        of_contacts[:] = self.impulses.T
        of_joints[:] = self.joints.impulses[rows.kinds, rows.columns]
        self._goals[0, 0] = tolerance
        self._procedures()[0]()
        self.impulses[:] = of_contacts.T
        self.joints.impulses[rows.kinds, rows.columns] = of_joints
        return rows.accelerated.found


def problems(
    solver: Solver, joints: PileJoints, trees: Trees | None, table: BodyTable, h: float
) -> Callable[[int, int], ContactProblem | TreeProblem]:
    """Return a function of lanes and capacity that returns memory for contacts; trees: None without joints."""
    if trees is None:
        return partial(ContactProblem, solver)
    return lambda lanes, capacity: TreeProblem(solver, joints, trees, table, capacity, h)

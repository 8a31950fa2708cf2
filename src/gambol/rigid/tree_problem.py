"""The contacts of a pile with joints: sweeps over contacts and rows of joints with the response of whole trees.

Joints' locked motions and linear forces are eliminated exactly, see articulated.py; all contacts, hard limits, friction
and servos are rows of the sweeps, see tree_sweeps.py. Everything is one call of machine code.
"""

import ctypes
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import BoundProgram, Schedule, leaves
from gambol.lanes.machine_code import machine_code
from gambol.rigid.articulated import MOTIONS
from gambol.rigid.body_table import BLOCK, BodyTable
from gambol.rigid.contact_memory import ContactMemory, Solution
from gambol.rigid.joint_laws import ROWS, RowLaw
from gambol.rigid.joint_rows import JointRows, nonlinear_rows
from gambol.rigid.order import SweepOrder
from gambol.rigid.pile_joints import PileJoints
from gambol.rigid.solve import STALL_RATIO, STALL_RESIDUAL, STALL_WINDOW, ContactProblem, Solver
from gambol.rigid.tree_bodies import TreeBodies
from gambol.rigid.tree_entries import UNROLLED, row_code
from gambol.rigid.tree_rows import CONTACT_NUMBERS
from gambol.rigid.tree_sweeps import CONTROL, SWEEP_NUMBERS, sweep_code
from gambol.rigid.trees import Trees

Array = NDArray[Any]
Indices = NDArray[np.int64]

FIRST_CONJUGATE = 5
"""First sweep with conjugate directions: a heap of four ragdolls needs 37 sweeps on average, and 42 with these from the
40th on and over-relaxation before, as in piles without joints."""


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
        lanes = trees.lanes
        super().__init__(solver, lanes, capacity)
        self.trees, self.max_sweeps, self._solver, dtype = trees, solver.max_sweeps, solver, np.dtype(solver.precision)
        self.joints = JointRows(solver, joints, trees, h)
        self._rows = nonlinear_rows(joints)
        self._joint_rows = -(-len(self._rows) // BLOCK) * BLOCK
        self._row_columns = trees.order.column[[joint for joint, _ in self._rows]] if self._rows else np.zeros(0, int)
        self._row_kinds = np.array([row for _, row in self._rows], np.int64)
        rows = self._joint_rows + capacity
        self._bodies = bodies = TreeBodies(solver, trees, table, self.joints.points, rows)
        self.store, self.free, self.last = bodies.store, bodies.free, np.zeros((1, table.columns), dtype)
        self.last[0, : table.bodies] = bodies.of_bodies(np.arange(table.bodies))
        self._p = bodies.unknowns[bodies.size :].reshape(rows, UNROLLED)
        self._allocate(rows)
        self._bind_rows()
        joints_of, contact, laws = self.joints, self._bind_contacts(), self._bind_laws()
        entries, sweeps = self._bind_loops(laws)
        self._loops, self._contact = (entries, sweeps), contact
        begin, end = (bodies.bind_motions(zeros=zeros) for zeros in (True, False))
        self._solve, self._correct = (
            Schedule(
                [
                    *bodies.bind_inward(linear),
                    *(*begin, *first, contact, *self._bind_joint_rows(step_laws)),
                    *(sweeps, *end),
                ]
            )
            for linear, step_laws, first in (
                (joints_of.linear, joints_of.laws, [entries]),
                (joints_of.correction[: 3 * ROWS], joints_of.correction[ROWS:], []),
            )
        )
        for schedule in (self._solve, self._correct):
            schedule.divide(schedule.stages[0], bodies.levels)
            for outward in (begin[-1], end[-1]):
                schedule.divide(outward, bodies.levels[::-1])

    def _allocate(self, rows: int) -> None:
        """Set the arrays of rows."""
        dtype = self.store.dtype
        self._previous, self._direction = np.zeros((2, len(self._bodies.unknowns)), dtype)
        self._speeds_of_rows, self._changes, self._base = np.zeros((3, rows, UNROLLED), dtype)
        self._initial, self._responses = np.zeros((3, rows), dtype), np.zeros((9, rows), dtype)
        self._bounds = np.zeros((2, rows), dtype)
        self._bounds[0, : self._joint_rows], self._bounds[1] = -np.inf, np.inf
        self._sides, self._slots = np.full((rows, 2), -1), np.zeros(rows, np.int64)
        self._starts = np.zeros(rows + 1, np.int64)
        self._scratch = np.zeros((self._bodies.size, UNROLLED), dtype)
        self._contact_law = np.zeros((3, self.capacity), dtype)
        self._contact_places = np.zeros((2, self.capacity), dtype)
        self._lengths = self.trees.path_lengths()

    def _bind_rows(self) -> None:
        """Set the nodes and motions of joint rows."""
        for k, (column, row) in enumerate(zip(self._row_columns, self._row_kinds, strict=True)):
            self._sides[k, 0], self._slots[k] = column, int(np.flatnonzero(self.trees.slots[:, column] == row)[0])

    def _bind_contacts(self) -> BoundProgram:
        """Return the program that prepares contacts."""
        begin, program = self._joint_rows, self._solver.program("tree contact", self.lanes)
        self._contact_numbers = np.zeros((len(leaves(CONTACT_NUMBERS)), self.capacity), self.store.dtype)
        return program.bind(
            *(self.points, self._responses[:, begin:], self._contact_law, self._contact_places),
            np.full((1, 1), float(self.lanes)),
            out=[self._initial[:, begin:], self._contact_numbers],
            tables=[self.store],
        )

    def _bind_joint_rows(self, laws: Array) -> list[BoundProgram]:
        """Return the program that prepares the rows of joints, if there are any; laws: of joints."""
        rows, columns = self._joint_rows, self.trees.columns
        if not rows:
            return []
        places = np.zeros((2, rows))
        places[:, : len(self._rows)] = (
            self._row_kinds * columns + self._row_columns,
            self._slots[: len(self._rows)] * columns + self._row_columns,
        )
        program = self._solver.program("tree joint", self.lanes)
        return [
            program.bind(
                *(places, np.full((1, 1), float(ROWS * columns)), self._responses[8:, :rows]),
                out=[self._initial[:, :rows], self._joint_numbers, self._bounds[:, :rows]],
                tables=[laws.reshape(-1), self._bodies.speeds.reshape(-1)],
            )
        ]

    def _bind_laws(self) -> list[BoundProgram]:
        """Return the programs of one lane for the laws of joint rows and of contacts."""
        begin, rows = self._joint_rows, len(self._p)
        self._joint_numbers = np.zeros((len(RowLaw._fields), max(begin, 1)), self.store.dtype)
        result = list[BoundProgram]()
        numbers = {"tree joint law": self._joint_numbers, "tree contact law": self._contact_numbers}
        for name, (first, last) in (("tree joint law", (0, max(begin, 1))), ("tree contact law", (begin, rows))):
            u, p, change = (a[first:last, :, None] for a in (self._speeds_of_rows, self._p, self._changes))
            result.append(self._solver.program(name, 1).bind(u, numbers[name], p, out=[p, change]))
        return result

    def _bind_loops(self, laws: list[BoundProgram]) -> tuple[BoundProgram, BoundProgram]:
        """Return the loops over rows as programs: their entries, and the sweeps."""
        self._entry_places, self._entries = np.zeros(0, np.int64), np.zeros((0, UNROLLED), self.store.dtype)
        n, rows, dtype = self.lanes, len(self._p), self.store.dtype
        self._control = np.zeros(len(CONTROL), dtype)
        self._control[2:4] = STALL_RESIDUAL[self.precision], STALL_RATIO
        parents, freedoms = np.ascontiguousarray(self.trees.parents), np.ascontiguousarray(self.trees.freedoms)
        one = (
            *(self._sides, parents, freedoms, self._bodies.factors, self._bodies.root_factors, self.points),
            *(self._starts, self._entry_places, self._entries, self._scratch, self._responses, self._slots),
        )
        two = (
            *(self._starts, self._entry_places, self._entries, self._initial, self._p, self._bodies.unknowns),
            *(self._speeds_of_rows, self._changes, self._bounds, self._base, self._previous, self._direction),
            self._control,
        )
        calls = [
            x for law in laws
            for x in (
                _address(law.entry),
                ctypes.addressof(law.addresses),
                ctypes.addressof(law.tables),
            )
        ]  # fmt: skip
        numbers = [n, self.trees.columns, self._joint_rows, self._bodies.root_start, rows]
        loop_numbers = [self._joint_rows, rows, self._bodies.size, self.max_sweeps, FIRST_CONJUGATE]
        loop_numbers += [STALL_WINDOW, 0]
        assert len(loop_numbers) == len(SWEEP_NUMBERS)
        return (
            _loop(row_code(self.precision), one, [], numbers),
            _loop(sweep_code(self.precision), two, calls, loop_numbers, laws),
        )

    @property
    def start_stages(self) -> list[BoundProgram]:
        """The programs that begin a solution, after velocities without impulses: none, see solve()."""
        return []

    def arrange(self, order: SweepOrder) -> None:
        """Take another order of contacts, of which all arrays must then be set."""
        super().arrange(order)
        begin, columns = self._joint_rows, order.columns
        nodes = self.trees.node[order.owners]
        self._sides[begin : begin + columns] = nodes.T
        self._contact_places[:, :columns] = self._bodies.of_bodies(order.owners)
        self._bounds[0, begin:] = 0.0
        lengths = self._lengths[nodes].sum(axis=0) + 2 * UNROLLED + MOTIONS
        of_joints = self._lengths[self._sides[:begin, 0]] + 2 * UNROLLED + MOTIONS
        self._make_room(int(lengths.sum() + of_joints.sum()))
        self._solve.resize(self._loops[0], begin + columns)
        for schedule in (self._solve, self._correct):
            schedule.resize(self._loops[1], begin + columns)
            schedule.resize(self._contact, columns // self.lanes)

    def _make_room(self, entries: int) -> None:
        """Provide memory for this many entries."""
        if entries <= len(self._entries):
            return
        self._entry_places = np.zeros(2 * entries, np.int64)
        self._entries = np.zeros((2 * entries, UNROLLED), self.store.dtype)
        addresses = [a.__array_interface__["data"][0] for a in (self._entry_places, self._entries)]
        for loop, first in zip(self._loops, (7, 1), strict=True):
            loop.addresses[first], loop.addresses[first + 1] = addresses

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
        columns = self.order.columns
        self._contact_law[0, :columns], self._contact_law[1, :columns], self._p[:] = 0.0, least, 0.0
        self._control[0] = tolerance
        self._correct()
        impulses = self._p[self._joint_rows : self._joint_rows + columns, :3].T
        return Solution(self.velocities(), impulses, *self._found())

    def _set_free(self, velocity: Array) -> None:
        self.free[:] = velocity.reshape(MOTIONS, -1, self.lanes).transpose(1, 0, 2)

    def _found(self) -> tuple[float, int]:
        """Return the residual [m/s] and the number of sweeps."""
        return float(self._control[1]), int(self._loops[1].tables[len(SWEEP_NUMBERS) - 1])

    def solve(self, tolerance: float) -> tuple[float, int]:
        """Solve from the present free velocities and impulses; return the residual [m/s] and the number of sweeps."""
        columns, begin = self.order.columns, self._joint_rows
        self._contact_law[:, :columns] = self.law
        if not self.has_friction:
            self._contact_law[0, :columns] = 0.0
        of_contacts, of_joints = self._p[begin : begin + columns, :3], self._p[: len(self._rows), 2]
        of_contacts[:] = self.impulses.T
        of_joints[:] = self.joints.impulses[self._row_kinds, self._row_columns]
        self._control[0] = tolerance
        self._solve()
        self.impulses[:] = of_contacts.T
        self.joints.impulses[self._row_kinds, self._row_columns] = of_joints
        return self._found()


def _loop(text: str, arrays: tuple[Array, ...], more: list[int], values: list[int], memory: Any = None) -> BoundProgram:
    """Return a loop with its arrays and numbers as a program; more: further addresses; memory: what must stay alive."""
    entry, engine = machine_code(text)
    addresses = [a.__array_interface__["data"][0] for a in arrays] + more
    bound = (ctypes.c_int64 * len(addresses))(*addresses), (ctypes.c_int64 * len(values))(*values)
    return BoundProgram(entry, *bound, 0, (engine, arrays, memory))


def _address(entry: Any) -> int:
    return ctypes.cast(entry, ctypes.c_void_p).value or 0


def problems(
    solver: Solver, joints: PileJoints, trees: Trees | None, table: BodyTable, h: float
) -> Callable[[int, int], ContactProblem | TreeProblem]:
    """Return a function of lanes and capacity that returns memory for contacts; trees: None without joints."""
    if trees is None:
        return partial(ContactProblem, solver)
    return lambda lanes, capacity: TreeProblem(solver, joints, trees, table, capacity, h)

"""The contacts of a pile with joints: sweeps over contacts and rows of joints with the response of whole trees.

Joints' locked motions and linear forces are eliminated exactly, see articulated.py; all contacts, hard limits, friction
and servos are rows of the sweeps, see tree_code.py. Everything is one call of machine code.
"""

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import BoundProgram, Schedule, leaves
from gambol.lanes.machine_code import machine_code
from gambol.rigid.articulated import FACTOR_ROWS, MOTIONS, ROOT_FACTOR_ROWS, SLOT_COUNT, SUM_ROWS
from gambol.rigid.body_table import BLOCK, BodyTable
from gambol.rigid.contact_memory import ContactMemory, Solution
from gambol.rigid.joint_laws import ROWS, RowLaw
from gambol.rigid.joint_rows import JointRows, nonlinear_rows
from gambol.rigid.order import SweepOrder
from gambol.rigid.pile_joints import PileJoints
from gambol.rigid.solve import STALL_RATIO, STALL_RESIDUAL, STALL_WINDOW, Solver
from gambol.rigid.tree_code import CONTROL, SWEEP_NUMBERS, UNROLLED, row_code, sweep_code
from gambol.rigid.tree_rows import CONTACT_NUMBERS
from gambol.rigid.trees import SLOTS, Trees

Array = NDArray[Any]
Indices = NDArray[np.int64]

FIRST_CONJUGATE = 5
"""First sweep with conjugate directions: a heap of four ragdolls needs 37 sweeps on average, and 42 with these from the
40th on and over-relaxation before, as in piles without joints."""


class TreeProblem(ContactMemory):
    """Memory for the contacts of a pile with joints and their solution.

    solver, lanes, capacity, and numbers of contacts: see ContactMemory. joints, trees, table: of the pile, the trees
    for these lanes; h: step [s]. store: motions of the world, of nodes and of bodies without impulses, in blocks (6,
    lanes); free: the last of these; last: index of each body's final motion in the store (1, bodies).
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
        nodes, columns = len(trees.parents), trees.columns
        self.store = np.zeros(MOTIONS * (lanes + nodes + table.columns), dtype)
        blocks = self.store.reshape(-1, MOTIONS, lanes)
        joint_end, root_end = 1 + columns // lanes, 1 + nodes // lanes
        self.free, self._moved = blocks[root_end:], (blocks[1:joint_end], blocks[joint_end:root_end])
        self._places = self._at(np.arange(nodes), MOTIONS)
        self.last = np.zeros((1, table.columns), dtype)
        self.last[0, : table.bodies] = self._of_bodies(np.arange(table.bodies))
        self._rows = nonlinear_rows(joints)
        self._joint_rows = -(-len(self._rows) // BLOCK) * BLOCK
        self._row_columns = trees.order.column[[joint for joint, _ in self._rows]] if self._rows else np.zeros(0, int)
        self._row_kinds = np.array([row for _, row in self._rows], np.int64)
        self._allocate(nodes, columns)
        self._bind_rows()
        joints_of, contact, laws = self.joints, self._bind_contacts(), self._bind_laws()
        entries, sweeps = self._bind_loops(laws)
        self._loops, self._contact = (entries, sweeps), contact
        begin, end = (self._bind_motions(zeros=zeros) for zeros in (True, False))
        self._solve, self._correct = (
            Schedule(
                [
                    *self._bind_inward(table, target, step_laws),
                    *(*begin, *first, contact, *self._bind_joint_rows(step_laws)),
                    *(sweeps, *end),
                ]
            )
            for target, step_laws, first in (
                (joints_of.target, joints_of.laws, [entries]),
                (joints_of.correction_target, joints_of.correction_laws, []),
            )
        )
        levels = [(a // lanes, b // lanes) for a, b in trees.levels]
        for schedule in (self._solve, self._correct):
            schedule.divide(schedule.stages[0], levels)
            for outward in (begin[-1], end[-1]):
                schedule.divide(outward, levels[::-1])

    def _at(self, node: Indices, rows: int) -> Indices:
        """Return the index of the first row of nodes in blocks (1 + blocks, rows, lanes); that of -1 is 0."""
        n = self.lanes
        return np.where(node >= 0, (1 + node // n) * rows * n + node % n, 0)

    def _of_bodies(self, bodies: Indices) -> Indices:
        """Return the index of the motions of bodies in the store."""
        return self._at(self.trees.node[bodies], MOTIONS)

    def _allocate(self, nodes: int, columns: int) -> None:
        """Set the arrays of nodes and rows."""
        lanes, dtype = self.lanes, self.store.dtype
        rows, roots = self._joint_rows + self.capacity, nodes - columns
        self._sums = np.zeros((1 + columns // lanes, SUM_ROWS, lanes), dtype)
        self._factors = np.zeros((columns // lanes, FACTOR_ROWS, lanes), dtype)
        self._root_factors = np.zeros((roots // lanes, ROOT_FACTOR_ROWS, lanes), dtype)
        self._root_start = SLOT_COUNT * columns
        size = -(-(self._root_start + MOTIONS * roots) // UNROLLED) * UNROLLED
        self._z_size = size
        self._unknowns, self._previous, self._direction = np.zeros((3, size + UNROLLED * rows), dtype)
        self._p = self._unknowns[size:].reshape(rows, UNROLLED)
        self._speeds_of_rows, self._changes, self._base = np.zeros((3, rows, UNROLLED), dtype)
        self._initial, self._responses = np.zeros((3, rows), dtype), np.zeros((9, rows), dtype)
        self._bounds = np.zeros((2, rows), dtype)
        self._bounds[0, : self._joint_rows], self._bounds[1] = -np.inf, np.inf
        self._sides, self._slots, self._starts = (
            np.full((rows, 2), -1),
            np.zeros(rows, np.int64),
            np.zeros(rows + 1, int),
        )
        self._scratch = np.zeros((size, UNROLLED), dtype)
        self._joint_speeds = np.zeros((SLOT_COUNT, columns), dtype)
        self._contact_law = np.zeros((3, self.capacity), dtype)
        self._contact_places = np.zeros((2, self.capacity), dtype)
        self._lengths = self.trees.path_lengths()

    def _bind_inward(self, table: BodyTable, target: Array, laws: Array) -> list[BoundProgram]:
        """Return the programs of articulated bodies from the leaves to the roots; target, laws: of joints."""
        trees, lanes, program = self.trees, self.lanes, self._solver.program
        columns, stride = trees.columns, np.full((1, 1), float(lanes))
        free_start = self.store.size - self.free.size

        def freely(bodies: Indices) -> Indices:
            return free_start + bodies // lanes * MOTIONS * lanes + bodies % lanes

        choices = np.array([trees.slots[k] == row for k, own in enumerate(SLOTS) for row in own], float)
        below = [self._at(x[:columns], SUM_ROWS) for x in (trees.child, trees.sibling)]
        places = np.array([freely(trees.order.owners[0]), *below], float)
        stages = [
            program("tree inward", lanes).bind(
                *(self.joints.points, target, laws[: 2 * ROWS], choices, places, stride),
                out=[self._sums[1:], self._factors],
                tables=[self.store, self._sums.reshape(-1)],
            )
        ]
        roots = np.zeros(len(trees.parents) - columns, np.int64)
        roots[: len(trees.roots)] = trees.roots
        if len(roots):
            places = np.array([freely(roots), self._at(trees.child[columns:], SUM_ROWS)], float)
            strides = np.array([[float(lanes)], [float(table.columns)]])
            tables = [self.store, self._sums.reshape(-1), table.flat]
            root = program("tree root", lanes)
            stages.append(
                root.bind(roots.astype(float)[None], places, strides, out=[self._root_factors], tables=tables)
            )
        return stages

    def _bind_motions(self, *, zeros: bool) -> list[BoundProgram]:
        """Return the programs for motions from the roots to the leaves; zeros: whether there are no impulses."""
        above = self._of_bodies(self.trees.order.owners[1]).astype(float)[None]
        z = np.zeros_like(self._unknowns) if zeros else self._unknowns
        end = self._root_start + MOTIONS * len(self._root_factors) * self.lanes
        of_joints = z[: self._root_start].reshape(-1, SLOT_COUNT, self.lanes)
        of_roots = z[self._root_start : end].reshape(-1, MOTIONS, self.lanes)
        outward = self._solver.program("tree outward", self.lanes).bind(
            *(self._factors, of_joints, above, np.full((1, 1), float(self.lanes))),
            out=[self._moved[0], self._joint_speeds],
            tables=[self.store],
        )
        root = self._solver.program("tree root motion", self.lanes)
        return [*([root.bind(self._root_factors, of_roots, out=[self._moved[1]])] if len(of_roots) else []), outward]

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
                tables=[laws.reshape(-1), self._joint_speeds.reshape(-1)],
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
            *(self._sides, parents, freedoms, self._factors, self._root_factors, self.points),
            *(self._starts, self._entry_places, self._entries, self._scratch, self._responses, self._slots),
        )
        two = (
            *(self._starts, self._entry_places, self._entries, self._initial, self._p, self._unknowns),
            *(self._speeds_of_rows, self._changes, self._bounds, self._base, self._previous, self._direction),
            self._control,
        )
        calls = [
            x for law in laws
            for x in (
                ctypes.cast(law.entry, ctypes.c_void_p).value or 0,
                ctypes.addressof(law.addresses),
                ctypes.addressof(law.tables),
            )
        ]  # fmt: skip
        numbers = [n, self.trees.columns, self._joint_rows, self._root_start, rows]
        loop_numbers = [self._joint_rows, rows, self._z_size, self.max_sweeps, FIRST_CONJUGATE]
        loop_numbers += [STALL_WINDOW, 0]
        assert len(loop_numbers) == len(SWEEP_NUMBERS)
        result = list[BoundProgram]()
        for text, arrays, more, values in (
            (row_code(self.precision), one, [], numbers),
            (sweep_code(self.precision), two, calls, loop_numbers),
        ):
            entry, engine = machine_code(text)
            addresses = [a.__array_interface__["data"][0] for a in arrays] + more
            result.append(
                BoundProgram(
                    entry,
                    (ctypes.c_int64 * len(addresses))(*addresses),
                    (ctypes.c_int64 * len(values))(*values),
                    0,
                    (engine, arrays, laws),
                )
            )
        return result[0], result[1]

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
        self._contact_places[:, :columns] = self._of_bodies(order.owners)
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

"""The contacts of a pile with joints: sweeps over contacts and rows of joints with the response of whole trees.

Joints' locked motions and linear forces are eliminated exactly, see articulated.py; all contacts, hard limits, friction
and servos are rows of the sweeps, see tree_code.py. Everything is one call of machine code.
"""

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import BoundProgram, Schedule
from gambol.lanes.machine_code import machine_code
from gambol.rigid.articulated import CHOICES, FACTOR_ROWS, MOTIONS, ROOT_FACTOR_ROWS, SLOT_COUNT, SUM_ROWS
from gambol.rigid.body_table import BLOCK, BodyTable
from gambol.rigid.contact_memory import ContactMemory, Solution
from gambol.rigid.joint_laws import ROWS, RowLaw
from gambol.rigid.joint_rows import JointRows, nonlinear_rows
from gambol.rigid.order import SweepOrder
from gambol.rigid.pile_joints import PileJoints
from gambol.rigid.solve import OVER_RELAXATION, STALL_RATIO, STALL_RESIDUAL, STALL_WINDOW, Solver
from gambol.rigid.tree_code import CONTROL, SWEEP_NUMBERS, UNROLLED, row_code, sweep_code
from gambol.rigid.tree_rows import CONTACT_NUMBERS
from gambol.rigid.trees import SLOTS, Trees
from gambol.lanes import leaves

Array = NDArray[Any]
Indices = NDArray[np.int64]

FIRST_RELAXED, FIRST_CONJUGATE = 5, 20
"""First sweeps with over-relaxation and with conjugate directions. With those from the 40th on, as in piles without
joints, a heap of four ragdolls needs 62 to 177 sweeps instead of 57 to 157."""


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
        tree_stages, motions = self._bind_trees(table)
        self._bind_rows()
        contact, laws = self._bind_contacts(), self._bind_laws()
        self._loops = self._bind_loops(laws)
        stages = [*tree_stages, *motions[0], self._loops[0], contact, *self._bind_joint_rows(), self._loops[1], *motions[1]]
        self._schedule, self._contact = Schedule(stages), contact
        inward, outwards = tree_stages[0], (motions[0][-1], motions[1][-1])
        levels = [(a // lanes, b // lanes) for a, b in trees.levels]
        self._schedule.divide(inward, levels)
        for outward in outwards:
            self._schedule.divide(outward, levels[::-1])

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
        self._sides, self._slots, self._starts = np.full((rows, 2), -1), np.zeros(rows, np.int64), np.zeros(rows + 1, int)
        self._scratch = np.zeros((size, UNROLLED), dtype)
        self._joint_speeds = np.zeros((SLOT_COUNT, columns), dtype)
        self._contact_law = np.zeros((3, self.capacity), dtype)
        self._contact_places = np.zeros((2, self.capacity), dtype)
        self._lengths = self.trees.path_lengths()

    def _z(self, zeros: bool) -> tuple[Array, Array]:
        """Return z of joints and of roots in blocks; zeros: an array of 0 instead."""
        z = np.zeros(self._z_size, self.store.dtype) if zeros else self._unknowns
        end = self._z_size if self._z_size else 0
        roots = MOTIONS * len(self._root_factors) * self.lanes
        joints = z[: self._root_start].reshape(-1, SLOT_COUNT, self.lanes)
        return joints, z[self._root_start : min(end, self._root_start + roots)].reshape(-1, MOTIONS, self.lanes)

    def _bind_trees(self, table: BodyTable) -> tuple[list[BoundProgram], list[list[BoundProgram]]]:
        """Return the programs of articulated bodies: inward, and outward without impulses and with them."""
        trees, joints, lanes, program = self.trees, self.joints, self.lanes, self._solver.program
        columns, dtype = trees.columns, self.store.dtype
        first, second = trees.order.owners
        stride = np.full((1, 1), float(lanes))
        free_start = self.store.size - self.free.size

        def freely(bodies: Indices) -> Indices:
            return free_start + bodies // lanes * MOTIONS * lanes + bodies % lanes

        choices = np.array([trees.slots[k] == row for k, own in enumerate(SLOTS) for row in own], float)
        assert len(choices) == len(CHOICES)
        places = np.array([freely(first), *(self._at(x[:columns], SUM_ROWS) for x in (trees.child, trees.sibling))])
        inward = program("tree inward", lanes).bind(
            *(joints.points, joints.target, joints.laws[: 2 * ROWS], choices, places.astype(float), stride),
            out=[self._sums[1:], self._factors],
            tables=[self.store, self._sums.reshape(-1)],
        )
        above = self._of_bodies(second).astype(float)[None]
        stages, motions = [inward], list[list[BoundProgram]]()
        roots = np.zeros(len(trees.parents) - columns, np.int64)
        roots[: len(trees.roots)] = trees.roots
        if len(roots):
            places = np.array([freely(roots), self._at(trees.child[columns:], SUM_ROWS)], float)
            strides = np.array([[float(lanes)], [float(table.columns)]])
            tables = [self.store, self._sums.reshape(-1), table.flat]
            stages.append(
                program("tree root", lanes).bind(
                    roots.astype(dtype)[None], places, strides, out=[self._root_factors], tables=tables
                )
            )
        for zeros in (True, False):
            of_joints, of_roots = self._z(zeros)
            outward = program("tree outward", lanes).bind(
                *(self._factors, of_joints, above, stride),
                out=[self._moved[0], self._joint_speeds],
                tables=[self.store],
            )
            of_root = program("tree root motion", lanes)
            begin = [of_root.bind(self._root_factors, of_roots, out=[self._moved[1]])] if len(roots) else []
            motions.append([*begin, outward])
        return stages, motions

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

    def _bind_joint_rows(self) -> list[BoundProgram]:
        """Return the program that prepares the rows of joints, if there are any."""
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
                tables=[self.joints.laws.reshape(-1), self._joint_speeds.reshape(-1)],
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
        self._control[2:5] = STALL_RESIDUAL[self.precision], STALL_RATIO, OVER_RELAXATION
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
        loop_numbers = [self._joint_rows, rows, self._z_size, self.max_sweeps, FIRST_RELAXED, FIRST_CONJUGATE]
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
        for loop in self._loops:
            self._schedule.resize(loop, begin + columns)
        self._schedule.resize(self._contact, columns // self.lanes)

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
        self.free[:] = velocity.reshape(MOTIONS, -1, self.lanes).transpose(1, 0, 2)
        self.impulses[:] = p
        residual, sweeps = self.solve(tolerance)
        return Solution(self.velocities(), self.impulses.copy(), residual, sweeps)

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
        self._schedule()
        self.impulses[:] = of_contacts.T
        self.joints.impulses[self._row_kinds, self._row_columns] = of_joints
        return float(self._control[1]), int(self._loops[1].tables[len(SWEEP_NUMBERS) - 1])

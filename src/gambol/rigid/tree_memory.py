"""The rows of trees: their memory, and the programs and loops over them, bound to it.

Rows of joints come first, padded to a whole block, and then contacts. The law of a row is a program of one lane.
"""

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import BoundProgram, leaves
from gambol.lanes.machine_code import machine_code
from gambol.lanes.schedule import stage_fields
from gambol.rigid.anderson import AndersonSweeps
from gambol.rigid.articulated import MOTIONS
from gambol.rigid.body_table import BLOCK, BodyTable
from gambol.rigid.contact_memory import ContactMemory
from gambol.rigid.joint_laws import ROWS, RowLaw
from gambol.rigid.joint_rows import nonlinear_rows
from gambol.rigid.order import SweepOrder
from gambol.rigid.pile_joints import PileJoints
from gambol.rigid.solve import Solver
from gambol.rigid.tree_bodies import TreeBodies
from gambol.rigid.tree_entries import UNROLLED, row_code
from gambol.rigid.tree_rows import CONTACT_NUMBERS
from gambol.rigid.tree_sweeps import begin_code, sweep_code
from gambol.rigid.trees import Trees

Array = NDArray[Any]
Indices = NDArray[np.int64]


MORE_ENTRIES = 2 * UNROLLED + MOTIONS
"""Entries of a row besides those of free motions between its bodies and their roots: padding."""


class TreeRows:
    """The rows of a pile with joints, see tree_entries.py and tree_sweeps.py.

    solver, trees, joints, table: of the pile; points: of joints; contacts: memory of contacts. bodies: articulated
    bodies. begin: the first row of contacts, after those of joints. p: impulses of all rows (rows, 4), a number for a
    joint is the third. kinds, columns: row and column of the joint of each joint row. entries, begun, sweep: loops over
    all rows. starts, places, numbers, responses: entries of rows and B^T B, see row_code().
    """

    def __init__(
        self,
        solver: Solver,
        trees: Trees,
        joints: PileJoints,
        table: BodyTable,
        points: Array,
        contacts: ContactMemory,
    ) -> None:
        self._solver, self.trees, self._contacts = solver, trees, contacts
        own = nonlinear_rows(joints)
        self.begin, self.count = -(-len(own) // BLOCK) * BLOCK, len(own)
        self.columns = trees.order.column[[joint for joint, _ in own]] if own else np.zeros(0, int)
        self.kinds = np.array([row for _, row in own], np.int64)
        rows = self.begin + contacts.capacity
        self.bodies = TreeBodies(solver, trees, table, points, rows)
        self.p = self.bodies.unknowns[self.bodies.size :].reshape(rows, UNROLLED)
        self._allocate(rows)
        self.accelerated = AndersonSweeps(solver, self.bodies.unknowns, self.bodies.places, self.bodies.size - 1)
        self.entries, self.begun, self.sweep = self._bind_loops()

    def _allocate(self, rows: int) -> None:
        """Set the arrays of rows."""
        dtype, capacity = self.bodies.store.dtype, self._contacts.capacity
        self._speeds, self._changes, self._base = np.zeros((3, rows, UNROLLED), dtype)
        self._initial, self.responses = np.zeros((3, rows), dtype), np.zeros((9, rows), dtype)
        self._bounds = np.zeros((2, rows), dtype)
        self._bounds[0, : self.begin], self._bounds[1] = -np.inf, np.inf
        self._sides, self._slots = np.full((rows, 2), -1), np.zeros(rows, np.int64)
        for k, (column, row) in enumerate(zip(self.columns, self.kinds, strict=True)):
            self._sides[k, 0], self._slots[k] = column, int(np.flatnonzero(self.trees.slots[:, column] == row)[0])
        self.starts = np.zeros(rows + 1, np.int64)
        self._scratch = np.zeros((self.bodies.size, UNROLLED), dtype)
        self.places, self.numbers = np.zeros(0, np.int64), np.zeros((0, UNROLLED), dtype)
        lengths, joint_nodes = self.trees.path_lengths(), self._sides[: self.begin, 0]
        self._lengths, self._of_bodies = (
            lengths[self.trees.node],
            self.bodies.of_bodies(np.arange(len(self.trees.node))),
        )
        self._of_joints = int(lengths[joint_nodes].sum()) + self.begin * MORE_ENTRIES
        self._contact_sides = np.zeros((2, capacity), dtype)
        self._contact_numbers = np.zeros((len(leaves(CONTACT_NUMBERS)), capacity), dtype)
        self._joint_numbers = np.zeros((len(RowLaw._fields), max(self.begin, 1)), dtype)

    def bind_contacts(self, law: Array) -> BoundProgram:
        """Return the program that prepares contacts; law: see ContactMemory."""
        begin, lanes = self.begin, self.trees.lanes
        return self._solver.program("tree contact", lanes).bind(
            *(self._contacts.points, self.responses[:, begin:], law, self._contact_sides),
            np.full((1, 1), float(lanes)),
            out=[self._initial[:, begin:], self._contact_numbers],
            tables=[self.bodies.store],
        )

    def bind_joints(self, laws: Array) -> list[BoundProgram]:
        """Return the program that prepares the rows of joints, if there are any; laws: of joints."""
        rows, columns = self.begin, self.trees.columns
        if not rows:
            return []
        places = np.zeros((2, rows))
        places[:, : self.count] = (
            self.kinds * columns + self.columns,
            self._slots[: self.count] * columns + self.columns,
        )
        program = self._solver.program("tree joint", self.trees.lanes)
        return [
            program.bind(
                *(places, np.full((1, 1), float(ROWS * columns)), self.responses[8:, :rows]),
                out=[self._initial[:, :rows], self._joint_numbers, self._bounds[:, :rows]],
                tables=[laws.reshape(-1), self.bodies.speeds.reshape(-1)],
            )
        ]

    def _bind_laws(self) -> list[BoundProgram]:
        """Return the programs of one lane for the laws of joint rows and of contacts."""
        begin, rows = self.begin, len(self.p)
        result = list[BoundProgram]()
        numbers = {"tree joint law": self._joint_numbers, "tree contact law": self._contact_numbers}
        for name, (first, last) in (("tree joint law", (0, max(begin, 1))), ("tree contact law", (begin, rows))):
            u, p, change = (a[first:last, :, None] for a in (self._speeds, self.p, self._changes))
            result.append(self._solver.program(name, 1).bind(u, numbers[name], p, out=[p, change]))
        return result

    def _bind_loops(self) -> tuple[BoundProgram, BoundProgram, BoundProgram]:
        """Return the loops over rows: their entries, the beginning of sweeps, and a sweep."""
        rows, bodies, precision, trees = len(self.p), self.bodies, self._solver.precision, self.trees
        parents, freedoms = np.ascontiguousarray(trees.parents), np.ascontiguousarray(trees.freedoms)
        laws = self._bind_laws()
        of_rows = self.starts, self.places, self.numbers
        z = bodies.unknowns
        entries = (
            *(self._sides, parents, freedoms, bodies.factors, bodies.root_factors, self._contacts.points),
            *(*of_rows, self._scratch, self.responses, self._slots),
        )
        begun = (*of_rows, self._initial, self.p, z, self._base)
        sweep = (
            *(*of_rows, self.p, z, self._speeds, self._changes, self._bounds, self._base),
            self.accelerated.residual,
        )
        calls = [address for law in laws for address in stage_fields(law)]
        numbers = [trees.lanes, trees.columns, self.begin, bodies.root_start, rows]
        return (
            _loop(row_code(precision), entries, [], numbers),
            _loop(begin_code(precision), begun, [], [rows, bodies.size]),
            _loop(sweep_code(precision), sweep, calls, [self.begin, rows], laws),
        )

    def arrange(self, order: SweepOrder) -> None:
        """Take other contacts."""
        begin, columns = self.begin, order.columns
        self._sides[begin : begin + columns] = self.trees.node.take(order.owners).T
        self._contact_sides[:, :columns] = self._of_bodies.take(order.owners)
        self._bounds[0, begin:] = 0.0
        self._make_room(int(self._lengths.take(order.owners).sum()) + columns * MORE_ENTRIES + self._of_joints)

    def _make_room(self, entries: int) -> None:
        """Provide memory for this many entries."""
        if entries <= len(self.places):
            return
        self.places, self.numbers = np.zeros(2 * entries, np.int64), np.zeros((2 * entries, UNROLLED), self.p.dtype)
        addresses = [a.__array_interface__["data"][0] for a in (self.places, self.numbers)]
        for loop, first in zip((self.entries, self.begun, self.sweep), (7, 1, 1), strict=True):
            loop.addresses[first], loop.addresses[first + 1] = addresses

    def active_unknowns(self, columns: int) -> int:
        """Return the number of unknowns, with all impulses of rows; columns: of contacts."""
        return self.bodies.size + UNROLLED * (self.begin + columns)


def _loop(text: str, arrays: tuple[Array, ...], more: list[int], values: list[int], memory: Any = None) -> BoundProgram:
    """Return a loop with its arrays and numbers as a program; more: further addresses; memory: what must stay alive."""
    entry, engine = machine_code(text)
    addresses = [a.__array_interface__["data"][0] for a in arrays] + more
    bound = (ctypes.c_int64 * len(addresses))(*addresses), (ctypes.c_int64 * len(values))(*values)
    return BoundProgram(entry, *bound, 0, (engine, arrays, memory))

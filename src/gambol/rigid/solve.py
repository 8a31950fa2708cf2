"""Block Gauss-Seidel over the contacts of a pile: each contact is solved by Coulomb's law, with all others fixed.

Each lane of a program computes a contact. Contacts of one colour have no common body that can move, so a block of lanes
can be updated at once, with the same result as one after the other. Instead of a table of bodies there is a slot for
each side of each contact: a contact reads the velocities of its bodies from the slots of the contact before it, and
writes them to its own slots. The slots are both an output and a table of the program; blocks run one after the other.
(order.py) Sweeps are repeated in machine code until they change no velocity by more than a tolerance.
"""

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import BoundProgram, Precision, Program, RepeatedSchedule, Schedule
from gambol.rigid.anderson import ANDERSON_PROGRAMS, STALL_RATIO, STALL_RESIDUAL, STALL_WINDOW
from gambol.rigid.articulated import ARTICULATED_PROGRAMS
from gambol.rigid.conjugate import CONJUGATE_PROGRAMS, ConjugateDirections
from gambol.rigid.contact_memory import ContactMemory, Solution
from gambol.rigid.joint import JOINT_PROGRAMS
from gambol.rigid.order import SweepOrder
from gambol.rigid.prepare import CHECKED, PREPARED
from gambol.rigid.slots import MOTION_ROWS, slots_of
from gambol.rigid.step_sums import STEP_PROGRAMS
from gambol.rigid.tree_rows import TREE_ROW_PROGRAMS
from gambol.rigid.update import UPDATE_PROGRAMS

Array = NDArray[Any]
Indices = NDArray[np.int64]

NARROW_LANES = (1, 4)
"""Numbers of lanes besides the largest, for problems whose colours are small."""

TOLERANCE: dict[Precision, float] = {"float64": 5e-10, "float32": 5e-5}
"""Residual at which sweeps end [m/s]."""

MAX_SWEEPS = 1000
"""Limit of sweeps in a step; a tower of ten boxes needs about a hundred while it moves, and one when it rests."""

MIN_CAPACITY = 64
"""Smallest number of columns of a problem's memory."""

OVER_RELAXATION = 1.4
"""Factor of each update: 216 inelastic balls in a heap need 52 sweeps with this factor, 127 without."""

FIRST_OVER_RELAXED, LAST_OVER_RELAXED = 5, 40
"""Range of sweeps in which updates are over-relaxed. Problems solved in fewer sweeps do not need it. In later sweeps
conjugate directions are used (conjugate.py): a tower of ten boxes, which could bend, takes 100 sweeps with them, and
thousands without."""

PROGRAMS = {
    **UPDATE_PROGRAMS,
    "prepared": PREPARED,
    "checked": CHECKED,
    **CONJUGATE_PROGRAMS,
    **JOINT_PROGRAMS,
    **ARTICULATED_PROGRAMS,
    **TREE_ROW_PROGRAMS,
    **ANDERSON_PROGRAMS,
    **STEP_PROGRAMS,
}
"""The programs over contacts and joints, by name."""


@cache
def _program(name: str, precision: Precision, lanes: int | None) -> Program:
    """Return a program, which all piles share: loading one takes about a millisecond."""
    return Program(PROGRAMS[name], precision, lanes)


class Solver:
    """The programs of the contact solver, and memory for small problems.

    lanes: see Program; None: as many as suit each problem. precision: see Program. bodies: columns of their table.
    max_sweeps: limit of sweeps, after which the last result is the solution. threads: see Schedule.
    """

    def __init__(
        self, lanes: int | None, precision: Precision, bodies: int, max_sweeps: int, *, threads: int = 1
    ) -> None:
        self.bodies, self.max_sweeps, self.threads = bodies, max_sweeps, threads
        self.precision: Precision = precision
        self._problems: dict[tuple[int, int], ContactProblem] = {}
        whole = lanes or self.program("update", None).lanes
        narrow = [n for n in NARROW_LANES if n < whole and lanes is None]
        self.lanes = (*narrow, whole)

    def program(self, name: str, lanes: int | None) -> Program:
        """Return a program by its name in PROGRAMS, for a number of lanes."""
        return _program(name, self.precision, lanes)

    def order(self, first: Indices, second: Indices) -> tuple[SweepOrder, int]:
        """Return the order of contacts and the lanes that suit it; first, second: their bodies."""
        return SweepOrder.of(first, second, self.bodies, self.lanes)

    def problem(self, order: SweepOrder, lanes: int) -> "ContactProblem":
        """Return a problem with memory that is used again in the next call."""
        capacity = max(MIN_CAPACITY, 1 << (order.columns - 1).bit_length())
        if (lanes, capacity) not in self._problems:
            self._problems[lanes, capacity] = ContactProblem(self, lanes, capacity)
        problem = self._problems[lanes, capacity]
        problem.arrange(order)
        return problem


class ContactProblem(ContactMemory):
    """Memory for the contacts of a sweep order and their solution.

    solver, lanes, capacity, and numbers of contacts: see ContactMemory. store: velocities, see slots.py; free: those of
    the bodies without impulses (blocks, 6, lanes); last: index of each body's final velocity in the store (1, bodies).
    """

    def __init__(self, solver: Solver, lanes: int, capacity: int) -> None:
        super().__init__(solver, lanes, capacity)
        self._solver, self.bodies = solver, solver.bodies
        self.threads, self.max_sweeps = solver.threads, solver.max_sweeps
        of_columns, of_bodies = 2 * MOTION_ROWS * capacity, MOTION_ROWS * solver.bodies
        dtype = np.dtype(solver.precision)
        self.store = np.zeros(of_columns + of_bodies, dtype)
        self._starts, self._sources = (np.zeros((2, capacity), dtype) for _ in range(2))
        self.last = np.zeros((1, solver.bodies), dtype)
        slots = self.store[:of_columns].reshape(-1, 2 * MOTION_ROWS, lanes)
        self.free = self.store[of_columns:].reshape(-1, MOTION_ROWS, lanes)
        self._bind(slots)

    def _bind(self, slots: Array) -> None:
        """Bind the programs over contacts."""
        solver, lanes, capacity = self._solver, self.lanes, self.capacity
        update, dtype = solver.program("update", lanes), np.dtype(solver.precision)
        tables, stride = [self.store], np.full((1, 1), float(lanes))
        points, delassus, (law, impulses, change) = self.points, self.delassus, self.arrays.values()
        self.start = solver.program("start", lanes).bind(
            *(points, self._starts, stride, impulses), out=[slots], tables=tables
        )
        frictionless = solver.program("frictionless", lanes)
        rows = np.zeros((capacity // lanes, frictionless.rows[0], lanes), dtype)
        self.reduce = solver.program("reduced", lanes).bind(points, delassus, out=[rows])
        rest, out = (law, self._sources, stride, impulses), [slots, impulses, change]
        self.updates = (
            frictionless.bind(rows, *rest, out=out, tables=tables),
            update.bind(points, delassus, *rest, out=out, tables=tables),
        )
        self.sweeps = [RepeatedSchedule([update], change[0], solver.threads) for update in self.updates]
        self._directions = ConjugateDirections(solver.program("conjugate", lanes), impulses, slots, solver.threads)
        self._reduce, self._start = Schedule([self.reduce]), Schedule([self.start])

    @property
    def start_stages(self) -> list[BoundProgram]:
        """The programs that begin a solution, after velocities without impulses."""
        return [self.start]

    def arrange(self, order: SweepOrder) -> None:
        """Take another order of contacts, of which all arrays must then be set."""
        super().arrange(order)
        columns = order.columns
        slots = slots_of(order.owners, self.bodies, self.capacity, self.lanes)
        for rows, found in ((self._starts, slots.starts), (self._sources, slots.sources)):
            rows[:, :columns] = found
        self.last[0] = slots.last
        self._reduce.resize(self.reduce, columns // self.lanes)
        self._start.resize(self.start, columns // self.lanes)
        for schedule, update in zip(self.sweeps, self.updates, strict=True):
            schedule.divide(update, self.ranges())
            schedule.resize_row(columns)

    def ranges(self) -> list[tuple[int, int]]:
        """Return ranges of blocks that are updated one after the other; threads divide the blocks of a colour."""
        if self.threads == 1:
            return [(0, self.order.columns // self.lanes)]
        return list(pairwise((self.order.starts // self.lanes).tolist()))

    def velocities(self) -> Array:
        """Return the velocities of all bodies (6, bodies) after a sweep."""
        return self.store.take(self.last.astype(np.int64) + self.lanes * np.arange(MOTION_ROWS)[:, None])

    def _begin(self, velocity: Array, p: Array) -> None:
        """Set the velocities of bodies without impulses (6, bodies), and after initial impulses p (3, columns)."""
        self.free[:] = velocity.reshape(MOTION_ROWS, -1, self.lanes).transpose(1, 0, 2)
        self.impulses[:] = p
        self._start()

    def after_impulses(self, velocity: Array, p: Array) -> Array:
        """Return velocities of bodies (6, bodies) after impulses p (3, columns); velocity: before."""
        self._begin(velocity, p)
        return self.velocities()

    def solution(self, velocity: Array, p: Array, tolerance: float) -> Solution:
        """Return impulses that satisfy the laws of all contacts, and the velocities under them.

        velocity: velocities without impulses (6, bodies). p: initial impulses (3, columns). tolerance: residual at
        which sweeps end [m/s].
        """
        self._begin(velocity, p)
        residual, sweeps = self.solve(tolerance)
        return Solution(self.velocities(), self.impulses.copy(), residual, sweeps)

    def solve(self, tolerance: float) -> tuple[float, int]:
        """Sweep from the present store and impulses; return the residual [m/s] and the number of sweeps."""
        schedule, limit = self.sweeps[self.has_friction], self.max_sweeps
        residual, sweeps = np.inf, 0
        if not self.has_friction:
            self._reduce()
        for until, factor in ((FIRST_OVER_RELAXED, 1.0), (LAST_OVER_RELAXED, OVER_RELAXATION)):
            if residual > tolerance and sweeps < limit:
                self.law[2] = factor
                more, residual = schedule.repeat(min(until, limit) - sweeps, tolerance)
                sweeps += more
        if residual > tolerance and sweeps < limit:
            self.law[2] = 1.0
            residual, sweeps = self._with_conjugate_directions(schedule, residual, sweeps, tolerance)
        return residual, sweeps

    def _with_conjugate_directions(
        self, schedule: RepeatedSchedule, residual: float, sweeps: int, tolerance: float
    ) -> tuple[float, int]:
        """Sweep on with conjugate directions; return the residual and the number of sweeps."""
        self._directions.restart(self.order.columns // self.lanes)
        best = np.inf, residual
        while residual > tolerance and sweeps < self.max_sweeps:
            residual = schedule.repeat(1, tolerance)[1]
            sweeps, best = sweeps + 1, (best[0], min(best[1], residual))
            if sweeps % STALL_WINDOW == 0:
                if STALL_RATIO * best[0] < best[1] < STALL_RESIDUAL[self.precision]:
                    break
                best = best[1], np.inf
            if residual > tolerance:
                changes = self.order.from_columns(self.change[0])  # so that the sum does not depend on the lanes
                self._directions.extrapolate(float((changes * changes).sum()))
        return residual, sweeps

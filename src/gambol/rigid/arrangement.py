"""Memory for the contacts of a step, with the programs of the step bound to it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import BoundProgram, Ranges, Schedule
from gambol.rigid.body_table import BLOCK, BodyTable
from gambol.rigid.contact_detection import Candidates
from gambol.rigid.order import SweepOrder
from gambol.rigid.solve import ContactProblem, Solver
from gambol.rigid.tree_problem import TreeProblem

Array = NDArray[Any]
Indices = NDArray[np.int64]


class Arrangement:
    """Memory for the contacts of a step in the columns of their sweep order, and the bound programs of the step.

    problem: their solution; solver: the programs; table: the bodies; gaps: those of candidates; h: step [s]. keys: of
    the contacts, see Candidates. joints: of the problem, or None. restitution (columns). gap (1, columns) [m]; normal
    (3, columns); lack: missing displacement (1, columns) [m]; work: of friction and normal impulses (2, columns) [J].
    all_places, all_lack, all_work, all_sides: gap and normal, the last two, and the bodies, of all columns of memory.
    begin_stages, finish_stages: programs of a step before and after the contact impulses.
    """

    def __init__(
        self, problem: ContactProblem | TreeProblem, solver: Solver, table: BodyTable, gaps: Array, h: float
    ) -> None:
        self.problem, lanes, capacity = problem, problem.lanes, problem.capacity
        self.joints = problem.joints if isinstance(problem, TreeProblem) else None
        self.gaps = gaps
        self.all_places, self.all_lack, self.all_work, self.all_sides, self._index = (
            np.zeros((rows, capacity), problem.store.dtype) for rows in (4, 1, 2, 2, 1)
        )
        prepare, check = self._bind_contacts(solver, table, h)
        joints_prepared, joints_checked = self.joints.bind_table(table) if self.joints else ([], [])
        start = problem.start_stages
        free, moved = table.bind_freed(problem.free), table.bind_moved(problem.store, problem.last, lanes)
        self.begin_stages, self.finish_stages = [*joints_prepared, prepare, free], [moved, check, *joints_checked]
        threads = solver.threads
        self.prepare, self.start = Schedule([*joints_prepared, prepare], threads), Schedule([free, *start], threads)
        self.prepare_and_start = Schedule([*joints_prepared, prepare, free, *start], threads)
        self.finish = Schedule([moved, check, *joints_checked], threads)
        self.advance = Schedule([table.advanced], threads)
        self._of_contacts = ((self.prepare, prepare), (self.prepare_and_start, prepare), (self.finish, check))
        self._of_sweeps = [(schedule, stage) for schedule in (self.prepare_and_start, self.start) for stage in start]
        self._of_bodies = (
            (self.start, free, lanes),
            (self.prepare_and_start, free, lanes),
            (self.finish, moved, table.lanes),
            (self.advance, table.advanced, table.lanes),
        )

    def _bind_contacts(self, solver: Solver, table: BodyTable, h: float) -> tuple[BoundProgram, BoundProgram]:
        """Return the programs that prepare and check contacts."""
        problem, gaps = self.problem, self.gaps
        strides = np.array([[float(table.columns)], [float(gaps.shape[1])]])
        arrays = problem.arrays
        prepare = solver.program("prepared", problem.lanes).bind(
            *(self.all_sides, self._index, strides, np.full((1, 1), h)),
            out=[problem.points, problem.delassus, self.all_places, arrays["law"][1:2]],
            tables=[table.flat, gaps.reshape(-1)],
        )
        check = solver.program("checked", problem.lanes).bind(
            *(problem.points, self.all_places[:1], arrays["impulses"], self.all_sides, table.stride),
            out=[self.all_lack, self.all_work],
            tables=[table.flat],
        )
        return prepare, check

    @property
    def stages_of_contacts(self) -> list[BoundProgram]:
        """The programs over contacts, in blocks of the problem's lanes."""
        return [self._of_contacts[0][1], self._of_contacts[-1][1]]

    def compute_blocks(self, ranges: Ranges) -> None:
        """Let programs over bodies compute only these ranges of blocks of BLOCK columns."""
        for schedule, stage, lanes in self._of_bodies:
            schedule.divide(stage, [(a * BLOCK // lanes, b * BLOCK // lanes) for a, b in ranges])

    def arrange(self, order: SweepOrder, candidates: Candidates, chosen: Indices, surface: tuple[Array, Array]) -> None:
        """Take other contacts, of which the impulses must then be set.

        candidates, chosen: the gaps that are contacts; surface: friction and restitution of each contact (contacts).
        """
        problem, columns = self.problem, order.columns
        problem.arrange(order)
        self.order, self.keys, self.restitution = order, candidates.keys[chosen], order.to_columns(surface[1])
        self._index[:, :columns] = order.to_columns(chosen)
        self.all_sides[:, :columns] = order.owners
        problem.law[0], problem.law[2] = order.to_columns(surface[0]), 1.0
        problem.impulses[:] = 0.0
        problem.has_friction = bool(surface[0].any())
        self.gap, self.normal = self.all_places[:1, :columns], self.all_places[1:, :columns]
        self.lack, self.work = self.all_lack[:, :columns], self.all_work[:, :columns]
        for schedule, stage in self._of_contacts:
            schedule.resize(stage, columns // problem.lanes)
        for schedule, stage in self._of_sweeps:
            schedule.divide(stage, problem.ranges())

    def lies_on(self, gravity: Array) -> Array:
        """Return gravity along the normals of contacts with the ground, 0 between bodies (columns) [m/s2]."""
        return np.where(self.order.owners[1] > 0, 0.0, (gravity[:, None] * self.normal).sum(axis=0))

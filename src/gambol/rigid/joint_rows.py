"""The joints of a pile in a contact problem: memory, and programs bound to it.

In each sweep joints come before contacts, in the first columns of the store. Colours are those of joints alone.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import BoundProgram, Precision, Program, Schedule, leaves
from gambol.rigid.body_table import BodyTable
from gambol.rigid.joint import JOINT_POINT, ROWS
from gambol.rigid.order import SweepOrder

WORLD_Z = 9
"""The row of anchors with the height of the point in the second body."""

Array = NDArray[Any]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PileJoints:
    """The joints of a pile, one in each column.

    first, second: numbers of the bodies, second 0 for the world. anchors: points and axes in the bodies (14, joints),
    see joint.py. locked: 1 for locked motions, 0 for free ones (6, joints).
    """

    first: Indices
    second: Indices
    anchors: Array
    locked: Array

    @property
    def count(self) -> int:
        """The number of joints."""
        return len(self.first)

    def joined(self, *others: "PileJoints") -> "PileJoints":
        """Return the joints of this and of other figures of one pile."""
        each = (self, *others)
        first, second, anchors, locked = (
            np.concatenate([getattr(one, name) for one in each], axis=-1)
            for name in ("first", "second", "anchors", "locked")
        )
        return PileJoints(first, second, anchors, locked)

    def above(self, height: float) -> "PileJoints":
        """Return the joints with points of the world from its origin in the table: a plane at a height [m]."""
        anchors = self.anchors.copy()
        anchors[WORLD_Z, self.second == 0] -= height
        return replace(self, anchors=anchors)


NO_JOINTS = PileJoints(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((14, 0)), np.zeros((ROWS, 0)))


class ProgramSource(Protocol):
    """Programs by name, the number of columns of bodies, and the precision: a Solver."""

    bodies: int
    precision: Precision

    def program(self, name: str, lanes: int | None) -> Program:
        """Return a program for a number of lanes."""
        ...


class JointRows:
    """Memory of joints for a number of lanes; numbers of joints never change.

    points, target, impulses, error, lack, relaxation: of joints in the columns of their order, see joint.py. columns:
    their number. owners: their bodies (2, columns).
    """

    def __init__(self, solver: ProgramSource, joints: PileJoints, lanes: int, h: float) -> None:
        self.order, _ = SweepOrder.of(joints.first, joints.second, solver.bodies, [lanes])
        self.columns, dtype = (self.order.columns if joints.count else 0), np.dtype(solver.precision)
        self.owners = self.order.owners[:, : self.columns]
        self._solver, self._lanes, self._h = solver, lanes, h
        rows = len(leaves(JOINT_POINT))
        self.points = np.zeros((self.columns // lanes, rows, lanes), dtype)
        self.target, self.impulses, self.error, self.lack = np.zeros((4, ROWS, self.columns), dtype)
        self.relaxation = np.ones((1, self.columns), dtype)
        self._anchors, self._locked, self._sides = (
            self.order.to_columns(rows)[:, : self.columns].astype(dtype)
            for rows in (joints.anchors, joints.locked, np.array([joints.first, joints.second], float))
        )

    def set_impulses(self, impulses: Array) -> None:
        """Set the impulses of all joints, in their given order (6, joints)."""
        self.impulses[:, self.order.column] = impulses

    def present_impulses(self) -> Array:
        """Return the impulses of all joints, in their given order (6, joints)."""
        return self.order.from_columns(self.impulses)

    def largest_lack(self) -> float:
        """Return the largest error of a joint after the step [rad, m]."""
        return float(np.abs(self.lack).max(initial=0.0))

    def begin_correction(self, h: float) -> Array:
        """Let displacements remove the errors of joints, in a time h [s]; return the impulses, which are then 0."""
        impulses = self.impulses.copy()
        self.target[:], self.impulses[:] = -self.error / h, 0.0
        return impulses

    def divide(self, schedule: Schedule, stages: list[BoundProgram], threads: int) -> None:
        """Let threads divide the blocks of a colour only."""
        ranges = list(pairwise((self.order.starts // self._lanes).tolist()))
        for stage in stages if threads > 1 else ():
            schedule.divide(stage, ranges)

    def bind_table(self, table: BodyTable) -> tuple[list[BoundProgram], list[BoundProgram]]:
        """Return the programs before and after impulses are found; none if there are no joints."""
        if not self.columns:
            return [], []
        program, stride = self._solver.program, np.full((1, 1), float(table.columns))
        prepared = program("joint prepared", self._lanes).bind(
            *(self._sides, self._anchors, self._locked, stride, np.full((1, 1), self._h)),
            out=[self.points, self.target, self.error],
            tables=[table.flat],
        )
        checked = program("joint checked", self._lanes).bind(
            *(self.points, self.error, self._sides, stride), out=[self.lack], tables=[table.flat]
        )
        return [prepared], [checked]

    def bind_store(
        self, store: Array, slots: Array, starts: Array, sources: Array, change: Array
    ) -> tuple[list[BoundProgram], list[BoundProgram]]:
        """Return the programs for initial impulses and for an update; slots, starts, sources, change: of joints."""
        if not self.columns:
            return [], []
        program, stride = self._solver.program, np.full((1, 1), float(self._lanes))
        start = program("joint start", self._lanes).bind(
            *(self.points, starts, stride, self.impulses), out=[slots], tables=[store]
        )
        update = program("joint update", self._lanes).bind(
            *(self.points, self.target, self.relaxation, sources, stride, self.impulses),
            out=[slots, self.impulses, change],
            tables=[store],
        )
        return [start], [update]

"""The joints of a pile in a contact problem: memory, and programs bound to it, in the order of their trees."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import BoundProgram, Program, Schedule, leaves
from gambol.rigid.body_table import BodyTable
from gambol.rigid.contact_memory import ProgramSource
from gambol.rigid.joint_laws import ROWS, LawNumbers, Parts, StepLaws
from gambol.rigid.joint_point import JOINT_POINT
from gambol.rigid.pile_joints import PileJoints
from gambol.rigid.trees import Trees

Array = NDArray[Any]
Indices = NDArray[np.int64]


class JointRows:
    """Memory of joints; numbers of joints never change.

    points, target, impulses, error, lack, laws, gaps, parts, work: of joints in the columns of their trees, see
    joint.py. impulses: p_r. linear: t, f and c of articulated.py. correction: target and laws of position correction.
    has_laws: whether any has a law of its free motions; else laws are 0.
    """

    def __init__(self, solver: ProgramSource, joints: PileJoints, trees: Trees, h: float) -> None:
        self.order, self.columns, dtype = trees.order, trees.columns, np.dtype(solver.precision)
        self._solver, self._lanes, self._h = solver, trees.lanes, h
        self.has_laws = joints.numbers is not None
        rows = len(leaves(JOINT_POINT))
        self.points = np.zeros((self.columns // self._lanes, rows, self._lanes), dtype)
        self.impulses, self.error, self.lack = np.zeros((3, ROWS, self.columns), dtype)
        sides = np.array([joints.first, joints.second], float)
        self._joint = self._in_columns(np.concatenate([sides, joints.anchors, joints.locked]))
        self._sides = self._joint[:2]
        counts = [ROWS, ROWS * len(StepLaws._fields), 2 * ROWS, ROWS * len(Parts._fields)]
        self._steps = np.zeros((sum(counts), self.columns), dtype)
        self.target, self.laws, self.gaps, self._parts = np.split(self._steps, np.cumsum(counts[:-1]))
        self.linear = self._steps[: 3 * ROWS]
        self.correction = np.zeros((ROWS + len(self.laws), self.columns), dtype)
        self._commands, self.work = (np.zeros((count, self.columns), dtype) for count in (2 * ROWS, 4))
        self._at_begin: list[Schedule] = []
        if joints.numbers is not None:
            self._numbers = self._in_columns(joints.numbers.reshape(-1, joints.count))

    def _in_columns(self, rows: Array) -> Array:
        return self.order.to_columns(rows).astype(self._solver.precision)

    def set_impulses(self, impulses: Array) -> None:
        """Set the impulses of all joints, in their given order (6, joints)."""
        self.impulses[:, self.order.column] = impulses

    def set_commands(self, commands: Array) -> None:
        """Set targets of servos, and torques and forces, of all joints in their given order (12, joints)."""
        if self.has_laws:
            self._commands[:, self.order.column] = commands

    def present_impulses(self) -> Array:
        """Return the impulses of all joints, in their given order (6, joints)."""
        return self.order.from_columns(self.impulses)

    def total_work(self) -> Array:
        """Return the work of springs, dampers, motors and limits of all joints in the step (4) [J]."""
        return self.order.from_columns(self.work).sum(axis=1) if self.has_laws else np.zeros(4)

    def largest_lack(self) -> float:
        """Return the largest error of a joint after the step [rad, m]."""
        return float(np.abs(self.lack).max(initial=0.0))

    def begin_bounce(self, touching: float) -> tuple[Array, ...]:
        """Let impulses of a bounce, as the step begins, reverse all locked speeds; return what end() takes.

        Laws are then only those of hard limits that are reached, up to a gap `touching` [rad or m]. The points
        are those of the begin of the step. Since locked speeds are reversed, the impulses of joints do no work.
        """
        kept = self.impulses.copy(), self.laws.copy(), self.target.copy()
        self.impulses[:] = 0.0
        for schedule in self._at_begin:
            schedule()
        if self.has_laws:
            below, above = self.gaps[:ROWS], self.gaps[ROWS:]
            self.laws[:] = 0.0
            self._law("lower")[:] = np.where(below <= touching, 0.0, -np.inf)
            self._law("upper")[:] = np.where(above <= touching, 0.0, np.inf)
        return kept

    def _law(self, name: str) -> Array:
        """Return a field of the laws (6, columns)."""
        return self.laws.reshape(-1, ROWS, self.columns)[StepLaws._fields.index(name)]

    def end(self, kept: tuple[Array, ...]) -> None:
        """Set impulses, laws and targets as they were before a bounce."""
        self.impulses[:], self.laws[:], self.target[:] = kept

    def bind_table(self, table: BodyTable) -> tuple[list[BoundProgram], list[BoundProgram]]:
        """Return the programs before and after impulses are found."""
        stride, h = np.full((1, 1), float(table.columns)), np.full((1, 1), self._h)
        point = [self.points, self.target, self.error]
        begin = self._program("joint prepared").bind(
            self._joint, stride, np.zeros((1, 1)), out=point, tables=[table.flat]
        )
        self._at_begin = [Schedule([begin])]
        if not self.has_laws:
            prepared = self._program("joint prepared").bind(self._joint, stride, h, out=point, tables=[table.flat])
            checked = self._program("joint checked").bind(
                *(self.points, self.error, self._sides, stride, h),
                out=[self.lack, self.correction[:ROWS]],
                tables=[table.flat],
            )
            return [prepared], [checked]
        laws = [self.laws, self.gaps, self._parts]
        prepared = self._program("joint prepared with laws").bind(
            *(self._joint, self._numbers, self._commands, stride, h), out=[*point, *laws], tables=[table.flat]
        )
        checked = self._program("joint checked with laws").bind(
            *(self.points, self.error, self._steps[ROWS:], self.impulses, self._sides, np.concatenate([stride, h])),
            out=[self.lack, self.correction, self.work],
            tables=[table.flat],
        )
        return [prepared], [checked]

    def _program(self, name: str) -> Program:
        return self._solver.program(name, self._lanes)


def nonlinear_rows(joints: PileJoints) -> list[tuple[int, int]]:
    """Return joint and row of all free motions with friction, a hard limit or a servo of limited strength."""
    if joints.numbers is None:
        return []
    n = LawNumbers(*joints.numbers)
    servo = np.isfinite(n.strength) & ((np.asarray(n.servo_stiffness) != 0.0) | (np.asarray(n.servo_damping) != 0.0))
    limits = np.isfinite(n.lower) | np.isfinite(n.upper)
    rows, numbers = np.nonzero((limits | servo | (np.asarray(n.friction) > 0.0)) & (joints.locked == 0.0))
    return sorted(zip(numbers.tolist(), rows.tolist(), strict=True))

"""The joints of a pile in a contact problem: memory, and programs bound to it.

In each sweep joints come before contacts, in the first columns of the store. Colours are those of joints alone.
"""

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.lanes import BoundProgram, Precision, Program, Schedule, leaves
from gambol.rigid.body_table import BodyTable
from gambol.rigid.joint_laws import ROWS, LawNumbers, Parts, StepLaws
from gambol.rigid.joint_point import JOINT_POINT
from gambol.rigid.order import SweepOrder
from gambol.rigid.prepare import least_displacement

WORLD_Z = 9
"""The row of anchors with the height of the point in the second body."""

Array = NDArray[Any]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PileJoints:
    """The joints of a pile, one in each column.

    first, second: numbers of the bodies, second 0 for the world. anchors: points and axes in the bodies (14, joints),
    see joint_point.py. locked: 1 for locked motions, 0 for free ones (6, joints). numbers: springs, limits and motors
    (17, 6, joints), see LawNumbers; None: all motions that are not locked are free of forces.
    coordinate_rows: joint and row of each coordinate (coordinates, 2).
    """

    first: Indices
    second: Indices
    anchors: Array
    locked: Array
    numbers: Array | None = None
    coordinate_rows: Indices = field(default_factory=lambda: np.zeros((0, 2), np.int64))

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
        starts = np.cumsum([0, *(one.count for one in each)])
        shifted = [one.coordinate_rows + np.array([start, 0]) for one, start in zip(each, starts, strict=False)]
        coordinate_rows = np.concatenate(shifted)
        numbers = None
        if any(one.numbers is not None for one in each):
            numbers = np.concatenate(
                [without_laws(one.count) if one.numbers is None else one.numbers for one in each], -1
            )
        return PileJoints(first, second, anchors, locked, numbers, coordinate_rows)

    @property
    def coordinates(self) -> int:
        """The number of free motions of all joints."""
        return len(self.coordinate_rows)

    def commands(self, targets: Array | None, torques: Array | None) -> Array:
        """Return targets, then torques or forces, of all rows of joints (12, joints); None: 0.

        Raises WorldError for arrays of another shape than (coordinates), for joints without numbers, and for numbers
        that are not finite.
        """
        rows = np.zeros((2, ROWS, self.count))
        for own, name, values in zip(rows, ("targets", "torques"), (targets, torques), strict=True):
            if values is None:
                continue
            if np.shape(values) != (self.coordinates,):
                raise WorldError(
                    f"{name} must have the shape {(self.coordinates,)}, a number for each coordinate of the joints, "
                    f"not {np.shape(values)}"
                )
            if not np.isfinite(values).all():
                raise WorldError(f"the {name} of joints are not finite")
            if self.numbers is None:
                raise WorldError(
                    f"{name} need joints with motors; give springs or servos, or motors=True, to linked_bodies()"
                )
            own[self.coordinate_rows[:, 1], self.coordinate_rows[:, 0]] = values
        return rows.reshape(2 * ROWS, -1)

    def above(self, height: float) -> "PileJoints":
        """Return the joints with points of the world from its origin in the table: a plane at a height [m]."""
        anchors = self.anchors.copy()
        anchors[WORLD_Z, self.second == 0] -= height
        return replace(self, anchors=anchors)


def without_laws(count: int) -> Array:
    """Return the numbers of joints without springs, limits and motors."""
    numbers = np.zeros((len(LawNumbers._fields), ROWS, count))
    for name, value in UNLIMITED.items():
        numbers[LawNumbers._fields.index(name)] = value
    return numbers


UNLIMITED = {
    "lower": -np.inf,
    "upper": np.inf,
    "soft_lower": -np.inf,
    "soft_upper": np.inf,
    "strength": np.inf,
    "target_lower": -np.inf,
    "target_upper": np.inf,
}
"""Numbers of motions without laws; all others are 0."""

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

    points, target, impulses, error, lack, relaxation, laws, gaps, parts, work: of joints in the columns of their order,
    see joint.py. columns: their number. owners: their bodies (2, columns). has_laws: whether any has a law of its free
    motions; else laws, gaps, parts and work are not used.
    """

    def __init__(self, solver: ProgramSource, joints: PileJoints, lanes: int, h: float) -> None:
        self.order, _ = SweepOrder.of(joints.first, joints.second, solver.bodies, [lanes])
        self.columns, dtype = (self.order.columns if joints.count else 0), np.dtype(solver.precision)
        self.owners = self.order.owners[:, : self.columns]
        self._solver, self._lanes, self._h = solver, lanes, h
        self.has_laws = joints.numbers is not None
        rows = len(leaves(JOINT_POINT))
        self.points = np.zeros((self.columns // lanes, rows, lanes), dtype)
        self.impulses, self.error, self.lack = np.zeros((3, ROWS, self.columns), dtype)
        self.relaxation = np.ones((1, self.columns), dtype)
        sides = np.array([joints.first, joints.second], float)
        self._joint = self._in_columns(np.concatenate([sides, joints.anchors, joints.locked]))
        self._sides = self._joint[:2]
        counts = [ROWS, ROWS * len(StepLaws._fields), 2 * ROWS, ROWS * len(Parts._fields)]
        self._steps = np.zeros((sum(counts) if self.has_laws else ROWS, self.columns), dtype)
        self.target, self.laws, self.gaps, self._parts = np.split(self._steps, np.cumsum(counts[:-1]))
        self._commands, self.work = (np.zeros((count, self.columns), dtype) for count in (2 * ROWS, 4))
        self._at_begin: list[Schedule] = []
        if joints.numbers is not None:
            self._numbers = self._in_columns(joints.numbers.reshape(-1, joints.count))

    def _in_columns(self, rows: Array) -> Array:
        return self.order.to_columns(rows)[:, : self.columns].astype(self._solver.precision)

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

    def begin_correction(self, h: float) -> tuple[Array, ...]:
        """Let displacements remove the errors of joints, in a time h [s]; return what end() takes.

        Impulses are then 0, and laws only those of hard limits.
        """
        kept = self._begin()
        self.target[:] = -self.error / h
        below, above = (np.asarray(least_displacement(gaps)) / h for gaps in (self.gaps[:ROWS], self.gaps[ROWS:]))
        self._keep_limits(below, -above)
        return kept

    def begin_bounce(self, touching: float) -> tuple[Array, ...]:
        """Let impulses of a bounce, as the step begins, keep all locked speeds; return what end() takes.

        Laws are then only those of hard limits that are reached, up to a gap `touching` [rad or m]. The points are
        those of the begin of the step, where locked speeds are of second order, so that impulses do no work.
        """
        kept = self._begin()
        for schedule in self._at_begin:
            schedule()
        self.target *= -1.0  # before the step they are the negative speeds
        below, above = self.gaps[:ROWS], self.gaps[ROWS:]
        self._keep_limits(np.where(below <= touching, 0.0, -np.inf), np.where(above <= touching, 0.0, np.inf))
        return kept

    def _begin(self) -> tuple[Array, ...]:
        kept = self.impulses.copy(), self.laws.copy(), self.target.copy()
        self.impulses[:] = 0.0
        return kept

    def _keep_limits(self, lower: Array, upper: Array) -> None:
        """Set all laws to 0 but those of hard limits, with these least and largest speeds."""
        if not self.has_laws:
            return
        limits = {"lower": lower, "upper": upper, "softness": 1.0, "with_servo": 1.0}
        for name, rows in zip(StepLaws._fields, self.laws.reshape(-1, ROWS, self.columns), strict=True):
            if name != "inverse":
                rows[:] = limits.get(name, 0.0)

    def end(self, kept: tuple[Array, ...]) -> None:
        """Set impulses, laws and targets as they were before a correction or a bounce."""
        self.impulses[:], self.laws[:], self.target[:] = kept

    def divide(self, schedule: Schedule, stages: list[BoundProgram], threads: int) -> None:
        """Let threads divide the blocks of a colour only."""
        ranges = list(pairwise((self.order.starts // self._lanes).tolist()))
        for stage in stages if threads > 1 else ():
            schedule.divide(stage, ranges)

    def bind_table(self, table: BodyTable) -> tuple[list[BoundProgram], list[BoundProgram]]:
        """Return the programs before and after impulses are found; none if there are no joints."""
        if not self.columns:
            return [], []
        stride, h = np.full((1, 1), float(table.columns)), np.full((1, 1), self._h)
        point = [self.points, self.target, self.error]
        begin = self._program("joint prepared").bind(
            self._joint, stride, np.zeros((1, 1)), out=point, tables=[table.flat]
        )
        self._at_begin = [Schedule([begin])]
        if not self.has_laws:
            prepared = self._program("joint prepared").bind(self._joint, stride, h, out=point, tables=[table.flat])
            checked = self._program("joint checked").bind(
                *(self.points, self.error, self._sides, stride), out=[self.lack], tables=[table.flat]
            )
            return [prepared], [checked]
        laws = [self.laws, self.gaps, self._parts]
        prepared = self._program("joint prepared with laws").bind(
            *(self._joint, self._numbers, self._commands, stride, h), out=[*point, *laws], tables=[table.flat]
        )
        checked = self._program("joint checked with laws").bind(
            *(self.points, self.error, self._steps[ROWS:], self.impulses, self._sides, stride),
            out=[self.lack, self.work],
            tables=[table.flat],
        )
        return [prepared], [checked]

    def bind_store(
        self, store: Array, slots: Array, starts: Array, sources: Array, change: Array
    ) -> tuple[list[BoundProgram], list[BoundProgram]]:
        """Return the programs for initial impulses and for an update; slots, starts, sources, change: of joints."""
        if not self.columns:
            return [], []
        stride = np.full((1, 1), float(self._lanes))
        start = self._program("joint start").bind(
            *(self.points, starts, stride, self.impulses), out=[slots], tables=[store]
        )
        name = "joint update with laws" if self.has_laws else "joint update"
        wanted = self._steps[: len(self.target) + len(self.laws)]
        update = self._program(name).bind(
            *(self.points, wanted, self.relaxation, sources, stride, self.impulses),
            out=[slots, self.impulses, change],
            tables=[store],
        )
        return [start], [update]

    def _program(self, name: str) -> Program:
        return self._solver.program(name, self._lanes)

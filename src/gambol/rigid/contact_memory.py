"""Memory for the contacts of a step: their points, laws and impulses."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import Precision, Program, Schedule
from gambol.rigid.order import SweepOrder
from gambol.rigid.slots import MOTION_ROWS

Array = NDArray[Any]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Solution:
    """Solution of a contact problem.

    velocity: velocity of all bodies (6, bodies). impulses: impulses of all contacts in their frames, normal last (3,
    columns) [N s]. residual: largest change of a velocity in the last sweep [m/s]. sweeps: number of sweeps.
    """

    velocity: Array
    impulses: Array
    residual: float
    sweeps: int


class ProgramSource(Protocol):
    """Programs by name, and the precision: a Solver."""

    precision: Precision

    def program(self, name: str, lanes: int | None) -> Program:
        """Return a program for a number of lanes."""
        ...


class ContactMemory:
    """Numbers of the contacts of an order.

    solver: the programs; lanes: their lanes; capacity: largest number of columns. order: present order of the contacts.
    points, delassus: components of contact points and Delassus blocks (blocks, rows, lanes). law: friction, least
    normal speed [m/s] and over-relaxation (3, columns). impulses (3, columns): initial ones before a solution. All
    arrays may be changed in place. has_friction: whether the friction of any contact is above 0.
    """

    def __init__(self, solver: ProgramSource, lanes: int, capacity: int) -> None:
        self.lanes, self.capacity = lanes, capacity
        self.precision: Precision = solver.precision
        dtype = np.dtype(solver.precision)
        self.points, self.delassus = (
            np.zeros((capacity // lanes, n, lanes), dtype) for n in solver.program("update", lanes).rows[:2]
        )
        rows = {"law": 3, "impulses": 3, "change": 1}
        self.arrays = {name: np.zeros((count, capacity), dtype) for name, count in rows.items()}
        self._motions = [np.zeros((MOTION_ROWS, capacity), dtype) for _ in range(2)]
        self._speeds = np.zeros((3, capacity), dtype)
        self._speed = solver.program("speed", lanes).bind(self.points, *self._motions, out=[self._speeds])
        self._find_speeds = Schedule([self._speed])

    def arrange(self, order: SweepOrder) -> None:
        """Take another order of contacts, of which all arrays must then be set."""
        self.order, columns = order, order.columns
        self.law, self.impulses, self.change = (array[:, :columns] for array in self.arrays.values())
        self.has_friction = True
        self._find_speeds.resize(self._speed, columns // self.lanes)

    def speeds(self, velocity: Array) -> Array:
        """Return u of all contacts (3, columns), normal last [m/s]; velocity: velocity of the bodies (6, bodies)."""
        columns = self.order.columns
        for motions, bodies in zip(self._motions, self.order.sides, strict=True):
            motions[:, :columns] = velocity.take(bodies, axis=1)
        self._find_speeds()
        return self._speeds[:, :columns].copy()

    def copy_contacts(self, source: "ContactMemory", chosen: Indices) -> None:
        """Copy points, Delassus blocks and laws of the chosen columns of another problem."""
        order = self.order
        block, lane = np.divmod(order.column, self.lanes)
        source_block, source_lane = np.divmod(chosen, source.lanes)
        for mine, other in ((self.points, source.points), (self.delassus, source.delassus)):
            mine[: order.columns // self.lanes] = 0.0
            mine[block, :, lane] = other[source_block, :, source_lane]
        self.law[:] = order.to_columns(source.law[:, chosen])
        self.has_friction = source.has_friction

"""The springs of a mesh by point: each lane adds up the springs of one point, in ascending order.

Each spring is computed at both of its ends, and nothing is stored for it. The two forces are exactly opposite, because
the two computations differ only in the sign of the direction. So a mesh keeps its momentum, and no program writes to
the points of another lane.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from gambol.lanes import Program, ProgramSpec, Scalar
from gambol.matter.elements.spring import Spring, direction, spring_force, spring_matrix
from gambol.matter.forces.layout import Array, Indices, PointSums, vector_at
from gambol.matter.mesh import SpringMesh
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

MAX_SLOTS = 16
"""Maximum number of springs of a point in one run of a program; points with more take several runs, so programs stay
small."""

NUMBERS = 3
"""Numbers of a spring: rest length [m], stiffness [N/m], damping [N s/m]."""


@dataclass(frozen=True, eq=False)
class PointSprings:
    """The springs at each point of a mesh, in slots: `degree` for every point.

    count: number of springs. others: index of the other end, or of the point itself in an empty slot (degree, N).
    springs: the spring of each slot, 0 in an empty one (degree, N). numbers: numbers of each, see NUMBERS (3 degree,
    N). damped: True if a spring has a damper.
    """

    count: int
    others: Array
    springs: Indices
    numbers: Array
    damped: bool

    @staticmethod
    def of(mesh: SpringMesh, points: int) -> "PointSprings":
        """Return the springs of a mesh; points: columns of the points."""
        s = mesh.springs
        sums = PointSums.of(s.ends, points)
        rows = np.empty((len(sums.others), NUMBERS, points))
        for k, (values, empty) in enumerate(((s.rest, 1.0), (s.stiffness, 0.0), (s.damping, 0.0))):
            rows[:, k] = np.where(sums.used > 0.0, values[sums.elements] if len(s) else empty, empty)
        return PointSprings(len(s), sums.others, sums.elements, rows.reshape(-1, points), bool((s.damping > 0.0).any()))

    @property
    def degree(self) -> int:
        """The number of slots of a point."""
        return len(self.others)

    def rows(self) -> Array:
        """Return the other end and the numbers of each slot that some point uses ((1 + NUMBERS) slots, N)."""
        columns: int = self.others.shape[1]
        used = int((self.others != np.arange(columns)).sum(axis=0).max(initial=0))
        numbers = self.numbers.reshape(-1, NUMBERS, columns)
        return np.concatenate([self.others[:used, None], numbers[:used]], axis=1).reshape(-1, columns)

    def without_broken(self, intact: Array) -> Array:
        """Return the numbers of springs, without stiffness and damping where they are broken. intact: (m,)."""
        if intact.all():
            return self.numbers
        numbers = self.numbers.reshape(self.degree, NUMBERS, -1).copy()
        numbers[:, 1:] *= intact[self.springs][:, None]
        return numbers.reshape(self.numbers.shape)

    def runs(self) -> Iterator[tuple[int, int]]:
        """Yield the first slot of each run of a program, and the slot after its last one."""
        for first in range(0, self.degree, MAX_SLOTS):
            yield first, min(first + MAX_SLOTS, self.degree)

    def add_forces(
        self, numbers: Array, x: Array, v: Array, total: Array, options: tuple[int | None, int]
    ) -> tuple[Array, Array]:
        """Add the forces of springs to a total (3, N), in place; return energies [J] and losses of dampers [W].

        numbers: see without_broken(). x, v: positions and velocities (3, N). options: lanes and threads, see Program.
        Each point has half of the energies and losses of its springs (N,).
        """
        halves = np.zeros((2, x.shape[1]))
        for first, last in self.runs():
            forces_program(last - first, self.damped, options[0])(
                *self._slots(numbers, first, last), x, v, total, halves, stride(x), tables=[flat(x), flat(v)],
                out=[total, halves], threads=options[1],
            )  # fmt: skip
        return halves[0], halves[1]

    def matrices(self, numbers: Array, x: Array, h: float, options: tuple[int | None, int]) -> Array:
        """Return the matrices of springs in an implicit step of h [s]: a and e of each slot (4 degree, N).

        numbers: see without_broken(). x: positions (3, N). options: lanes and threads, see Program.
        """
        blocks = np.empty((4 * self.degree, x.shape[1]))
        for first, last in self.runs():
            matrices_program(last - first, options[0])(
                *self._slots(numbers, first, last), x, stride(x), np.full((1, 1), h), tables=[flat(x)],
                out=[blocks[4 * first : 4 * last]], threads=options[1],
            )  # fmt: skip
        return blocks

    def add_pulls(
        self, numbers: Array, x: tuple[Array, Array], h: float, total: Array, options: tuple[int | None, int]
    ) -> None:
        """Add k l0 d + c/h (r - d (d . (r - r_start))) of springs r with direction d to a total (3, N), in place.

        x: positions in and before a step of h [s]. Other arguments: see matrices().
        """
        now, start = x
        for first, last in self.runs():
            pulls_program(last - first, self.damped, options[0])(
                *self._slots(numbers, first, last), now, start, total, stride(now), np.full((1, 1), 1.0 / h),
                tables=[flat(now), flat(start)], out=[total], threads=options[1],
            )  # fmt: skip

    def _slots(self, numbers: Array, first: int, last: int) -> tuple[Array, Array]:
        return self.others[first:last], numbers[NUMBERS * first : NUMBERS * last]


def flat(rows: Array) -> Array:
    """Return rows of points (3, N) as a table of a program (3 N,)."""
    return np.ascontiguousarray(rows).reshape(-1)


def stride(rows: Array) -> Array:
    """Return the distance between rows of points in a table, as an input of programs."""
    return np.full((1, 1), float(rows.shape[1]))


Slots = list[tuple[Scalar, Scalar, Scalar]]


def _slot_program(
    name: str, slots: int, function: Callable[..., Any], inputs: tuple[Any, ...], kind: tuple[int, int | None, bool]
) -> Program:
    """Return a program whose first inputs are slots of springs. kind: number of tables, lanes, and part of the key."""
    tables, lanes, flag = kind
    structures = ([0.0] * slots, [(0.0, 0.0, 0.0)] * slots, *inputs)
    return Program(ProgramSpec(f"{name} {slots}", function, structures, tables, (slots, flag)), lanes=lanes)


@lru_cache
def forces_program(slots: int, damped: bool, lanes: int | None) -> Program:
    """Return the program that adds the forces of springs at a point; damped: False if they have no dampers."""

    def forces(
        others: list[Scalar], numbers: Slots, x: Vector, v: Vector, total: Vector, halves: Any, stride: Scalar,
        *tables: Any,
    ) -> tuple[Vector, tuple[Scalar, Scalar]]:  # fmt: skip
        energy, lost = halves
        for other, (rest, k, c) in zip(others, numbers, strict=True):
            u = v - vector_at(tables[1], other, stride) if damped else ZERO
            spring = Spring(rest, k, c if damped else 0.0, 0.0, 0.0)
            f = spring_force(spring, x - vector_at(tables[0], other, stride), u, u)
            total, energy, lost = total + f.force, energy + 0.5 * f.energy, lost + 0.5 * f.damping
        return total, (energy, lost)

    inputs = (ZERO, ZERO, ZERO, (0.0, 0.0), 0.0)
    return _slot_program("mesh springs of points", slots, forces, inputs, (2, lanes, damped))


@lru_cache
def matrices_program(slots: int, lanes: int | None) -> Program:
    """Return the program of the matrices of springs at a point in an implicit step."""

    def matrices(
        others: list[Scalar], numbers: Slots, x: Vector, stride: Scalar, h: Scalar, positions: Any
    ) -> tuple[Any]:
        springs = [Spring(*each, 0.0, 0.0) for each in numbers]
        vectors = [x - vector_at(positions, other, stride) for other in others]
        return ([spring_matrix(s, r, ZERO, h) for s, r in zip(springs, vectors, strict=True)],)

    return _slot_program("mesh matrices of points", slots, matrices, (ZERO, 0.0, 0.0), (1, lanes, False))


@lru_cache
def pulls_program(slots: int, damped: bool, lanes: int | None) -> Program:
    """Return the program that adds the pulls of the springs at a point, see PointSprings.add_pulls()."""

    def pulls(
        others: list[Scalar], numbers: Slots, x: Vector, start: Vector, total: Vector, stride: Scalar, rate: Scalar,
        *tables: Any,
    ) -> tuple[Vector]:  # fmt: skip
        for other, (rest, k, c) in zip(others, numbers, strict=True):
            r = x - vector_at(tables[0], other, stride)
            d, _ = direction(r)
            total = total + d * (k * rest)
            if damped:
                moved = r - (start - vector_at(tables[1], other, stride))
                total = total + (r - d * d.dot(moved)) * (c * rate)
        return (total,)

    inputs = (ZERO, ZERO, ZERO, 0.0, 0.0)
    return _slot_program("mesh pulls of points", slots, pulls, inputs, (2, lanes, damped))

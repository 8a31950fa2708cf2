"""A problem of contacts and other rows as tiles of three rows: first the contacts, then all other rows.

x = p - (u + mu |u_t| e_z) / d        p = P(x) for a solution        u = A p + b        (problem.py)

P projects onto the cones of contacts and the bounds of other rows.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gambol.contact.complementarity.cones.problem import ContactProblem, ContactSolution, in_cone
from gambol.contact.complementarity.cones.tiles import TileIndex, Tiles, set_tile, tile_of
from gambol.contact.complementarity.linear.problem import TOLERANCE
from gambol.lanes import (
    Array,
    Scalar,
    array,
    clamp,
    is_finite,
    is_tracing,
    maximum,
    sqrt,
    when,
    where,
    working_precision,
)
from gambol.spatial import Matrix, Vector
from gambol.spatial.dense import Numbers

MAX_UNROLLED = 2
"""Number of tiles up to which code is unrolled: it is faster there, and short."""


def is_rolled(tiles: int) -> bool:
    """Return True if loops over so many tiles stay loops in the program that is being traced."""
    return is_tracing() and tiles > MAX_UNROLLED


@dataclass(frozen=True, slots=True)
class TiledProblem:
    """A ContactProblem in tiles; other rows are filled up with rows that cannot move.

    A, b: see ContactProblem. contacts, others: numbers of contacts and of other rows. mu: friction of each contact;
    low, high: bounds of other rows. scales: inverse mass of each row, see ContactProblem.scales. active: 1 for a tile
    with a row that can move, else 0; the impulses of other tiles are 0 and take no time.
    """

    A: Tiles
    b: Array
    contacts: int
    others: int
    mu: Array
    low: Array
    high: Array
    scales: Array
    active: Array

    @staticmethod
    def of_tiles(
        A: Tiles, b: Array, mu: Sequence[Scalar], low: Sequence[Scalar], high: Sequence[Scalar]
    ) -> "TiledProblem":
        """Return the problem of a matrix and a vector of tiles. mu, low, high: see ContactProblem."""
        k, n = len(mu), len(low)
        padding = [0.0] * (3 * (A.rows - k) - n)
        friction, lower, upper = array(mu), array([*low, *padding]), array([*high, *padding])
        scales, active = A.vector(), array([0.0] * A.rows)

        def set_scales(i: TileIndex, is_contact: bool) -> None:
            rows = A[i, i].rows
            d = Vector(rows[0][0], rows[1][1], rows[2][2])
            largest = maximum(maximum(d.x, d.y), d.z)
            if is_contact:
                d = Vector(largest, largest, largest)
            set_tile(scales, i, Vector.of([where(x > 0.0, x, 1.0) for x in d]))
            active[i] = where(largest > 0.0, 1.0, 0.0)

        A.loop(0, k, lambda i, _: set_scales(i, True))
        A.loop(k, A.rows, lambda i, _: set_scales(i, False))
        return TiledProblem(A, b, k, n, friction, lower, upper, scales, active)

    @staticmethod
    def of(problem: ContactProblem) -> "TiledProblem":
        """Return a problem in tiles."""
        n = len(problem.b)
        tiles = -(-n // 3)
        A = Tiles.empty(tiles, tiles, rolled=is_rolled(tiles))
        padded = [[*row, *[0.0] * (3 * tiles - n)] for row in problem.A] + [[0.0] * (3 * tiles)] * (3 * tiles - n)
        for i in range(tiles):
            for j in range(tiles):
                A.write(i, j, Matrix.of([row[3 * j : 3 * j + 3] for row in padded[3 * i : 3 * i + 3]]))
        b = array([*problem.b, *[0.0] * (3 * tiles - n)])
        return TiledProblem.of_tiles(A, b, problem.mu, problem.low, problem.high)

    def each(self, step: Callable[[TileIndex, bool, Any], Any], state: Any = ()) -> Any:
        """Return the state after step(i, is_contact, state) for all active tiles, contacts first.

        is_contact: True for the tile of a contact. A step returns None if the state is empty.
        """

        def step_on_active(is_contact: bool) -> Callable[[TileIndex, Any], Any]:
            def active_step(i: TileIndex, state: Any) -> Any:
                return when(self.active[i] > 0.5, lambda: step(i, is_contact, state), otherwise=state)

            return active_step

        state = self.A.loop(0, self.contacts, step_on_active(True), state)
        return self.A.loop(self.contacts, self.A.rows, step_on_active(False), state)

    def vector(self) -> Array:
        """Return a vector of zeros."""
        result = self.A.vector()
        self.A.loop(0, self.A.rows, lambda i, _: set_tile(result, i, Vector(0.0, 0.0, 0.0)))
        return result

    def copied(self, x: Array) -> Array:
        """Return a copy of a vector."""
        result = self.A.vector()
        self.A.loop(0, self.A.rows, lambda i, _: set_tile(result, i, tile_of(x, i)))
        return result

    def speed(self, i: TileIndex, p: Array) -> Vector:
        """Return the velocities of tile i under impulses p."""
        return self.A.row_times(i, p, addend=tile_of(self.b, i))

    def projected(self, i: TileIndex, is_contact: bool, x: Vector) -> Vector:
        """Return the impulses of tile i within its cone or bounds that are nearest to x."""
        if is_contact:
            return in_cone(x, self.mu[i])
        bounds = ((self.low[row], self.high[row]) for row in (3 * (i - self.contacts) + k for k in range(3)))
        return Vector.of([clamp(y, low, high) for y, (low, high) in zip(x, bounds, strict=True)])

    def violation(self, i: TileIndex, is_contact: bool, p: Array) -> Vector:
        """Return the violation of the law in each row of tile i under impulses p, as a velocity."""
        d, u, p_i = tile_of(self.scales, i), self.speed(i, p), tile_of(p, i)
        if is_contact:
            u = Vector(u.x, u.y, u.z + self.mu[i] * sqrt(u.x * u.x + u.y * u.y))
        x = Vector.of([y - w / s for y, w, s in zip(p_i, u, d, strict=True)])
        change = p_i - self.projected(i, is_contact, x)
        return Vector.of([s * y for s, y in zip(d, change, strict=True)])

    def tolerance(self, relative: float | None) -> Scalar:
        """Return the residual up to which the problem counts as solved; relative: see absolute_tolerance()."""

        def larger(i: TileIndex, size: Scalar) -> Scalar:
            for x in tile_of(self.b, i):
                size = maximum(abs(x), size)
            return size

        fraction = TOLERANCE[working_precision()] if relative is None else relative
        return fraction * self.A.loop(0, self.A.rows, larger, 0.0)

    def numbers(self, x: Array) -> Numbers:
        """Return the numbers of a vector, of contacts and other rows."""
        return x.slice(0, 3 * self.contacts + self.others)

    def solution(self, p: Array, iterations: Scalar, tolerance: float | None) -> "TiledSolution":
        """Return impulses p and how well they obey the laws. iterations, tolerance: see contact_solution()."""
        u = self.A.vector()

        def add(i: TileIndex, is_contact: bool, state: tuple[Scalar, Scalar]) -> tuple[Scalar, Scalar]:
            largest, total = state
            for x, w in zip(self.violation(i, is_contact, p), tile_of(u, i), strict=True):
                largest, total = maximum(abs(x), largest), total + x + w
            return largest, total

        self.A.loop(0, self.A.rows, lambda i, _: set_tile(u, i, self.speed(i, p)))
        largest, total = self.each(add, (0.0, 0.0))
        # the sum of all numbers is finite only if each of them is
        residual = where(is_finite(total), largest, math.inf)
        return TiledSolution(p, u, residual, where(residual <= self.tolerance(tolerance), 1.0, 0.0), iterations)


@dataclass(frozen=True, slots=True)
class TiledSolution:
    """A ContactSolution in tiles."""

    p: Array
    u: Array
    residual: Scalar
    converged: Scalar
    iterations: Scalar

    def as_lists(self, problem: TiledProblem) -> ContactSolution:
        """Return the solution as lists."""
        return ContactSolution(
            problem.numbers(self.p), problem.numbers(self.u), self.residual, self.converged, self.iterations
        )

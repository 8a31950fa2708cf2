"""The linear system of an implicit step, A dv = r with A = M + h D + h^2 K, as lanes over points and elements.

Springs give blocks a 1 + e e^T between two points; hinges and bends give J^T J; contacts and tethers give blocks at a
point; gas and twist give dense rows. A is never formed. [Baraff & Witkin 1998, section 5]
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from gambol.lanes import Program, ProgramSpec, Scalar
from gambol.matter.elements.spring import SpringMatrix, matrix_product
from gambol.matter.forces.elements import Elements
from gambol.matter.forces.field import Conditions, ForceField, Forces
from gambol.matter.forces.layout import Array, ordered_sum, vector_at
from gambol.matter.forces.programs import ZERO
from gambol.matter.touch.contact_forces import MATRIX, ContactForces
from gambol.matter.touch.gaps import PointQuery
from gambol.spatial import Vector
from gambol.spatial.matrix import Symmetric

BLOCK = SpringMatrix(0.0, ZERO)
DIAGONAL = (0, 3, 5)
"""Rows of xx, yy and zz in a Symmetric."""


@lru_cache
def product_program(degree: int, lanes: int | None) -> Program:
    """Return the program of a point's row of A times p: its diagonal block, and `degree` springs to other points."""

    def product(
        others: list[Scalar], blocks: list[SpringMatrix], diagonal: Symmetric, p: Vector, stride: Scalar, table: Any
    ) -> tuple[Vector]:
        result = diagonal.times(p)
        for other, block in zip(others, blocks, strict=True):
            result = result + matrix_product(block, p - vector_at(table, other, stride))
        return (result,)

    shapes = ([0.0] * degree, [BLOCK] * degree, Symmetric(*[0.0] * 6), ZERO, 0.0)
    return Program(ProgramSpec(f"mesh product {degree}", product, shapes, 1, degree), lanes=lanes)


@lru_cache
def block_program(degree: int, lanes: int | None) -> Program:
    """Return the program that adds the blocks of springs at a point to its diagonal block."""

    def add_up(blocks: list[SpringMatrix], diagonal: Symmetric) -> tuple[Symmetric]:
        total = diagonal
        for b in blocks:
            e = b.e
            outer = Symmetric(e.x * e.x, e.x * e.y, e.x * e.z, e.y * e.y, e.y * e.z, e.z * e.z)
            total = total + outer + Symmetric(b.a, 0.0, 0.0, b.a, 0.0, b.a)
        return (total,)

    shapes = ([BLOCK] * degree, Symmetric(*[0.0] * 6))
    return Program(ProgramSpec(f"mesh blocks {degree}", add_up, shapes, 0, degree), lanes=lanes)


@dataclass(frozen=True, eq=False)
class SpringBlocks:
    """The blocks of springs at each point (4 degree, N), and the other ends of the springs (degree, N)."""

    blocks: Array
    others: Array

    @staticmethod
    def of_pairs(group: Elements, matrices: Array) -> "SpringBlocks":
        """Return the blocks of springs of pairs of points; matrices: a and e of each (4, columns)."""
        sums = group.sums
        degree, points = sums.elements.shape
        blocks = np.empty((degree, 4, points))
        for row in range(4):
            np.take(matrices[row], sums.elements, out=blocks[:, row])
            blocks[:, row] *= sums.used
        return SpringBlocks(blocks.reshape(4 * degree, points), sums.others)

    @property
    def degree(self) -> int:
        """The number of springs at a point, unused slots included."""
        return len(self.others)


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows J of hinges or bends, (3 corners, columns) each; product: name of the program of J^T J p."""

    group: Elements
    rows: list[Array]
    product: str


class StepMatrix:
    """A of a step, and the inverses of its blocks, which precondition it.

    field: forces of the mesh. query: the state of linearisation. forces: forces at this state. now: conditions.
    """

    def __init__(self, field: ForceField, query: PointQuery, forces: Forces, now: Conditions) -> None:
        self.field, h = field, query.h
        x, lag = (np.ascontiguousarray(a).reshape(-1) for a in (query.x, query.v_lag))
        self.step = np.full((1, 1), h)
        self.springs = list[SpringBlocks]()
        if field.springs.count:
            blocks = field.springs.matrices(field.spring_numbers(now.intact), query.x, h, field.options)
            self.springs.append(SpringBlocks(blocks, field.springs.others))
        if now.pairs:
            rows, corners = now.pairs.numbers, now.pairs.corners
            matrices = field.run("spring matrices", rows, corners, field.stride, self.step, tables=(x, lag))
            self.springs.append(SpringBlocks.of_pairs(now.pairs, matrices[0]))
        self.rows = self._rows(x)
        self.diagonal, self.distributed_contacts = self._diagonal(forces, h), self._contacts(forces, single=False)
        self.dense_rows = [row * field.free for row in self._dense_rows(query)]
        self.inverse = self._inverse()

    def _rows(self, x: Array) -> list[Rows]:
        field, rows = self.field, list[Rows]()
        for group, name, product in (
            (field.hinges, "hinge rows", "hinge products"),
            (field.bends, "bend rows", "bend products"),
        ):
            if group.count:
                group_rows = field.run(name, group.numbers, group.corners, field.stride, self.step, tables=(x,))
                for row in group_rows:
                    row[:, group.count :] = 0.0
                rows.append(Rows(group, list(group_rows), product))
        return rows

    def _dense_rows(self, query: PointQuery) -> list[Array]:
        """Return the rows J (3, N) of elements of all points: gas that resists changes of its volume, and twist."""
        field, h, gas = self.field, query.h, self.field.mesh.gas
        rows = [rod.gradient(query.x) * (h * np.sqrt(rod.stiffness)) for rod in field.rods]
        if gas is not None and gas.bulk > 0.0:
            gradient, _ = field.volume_gradient(np.ascontiguousarray(query.x).reshape(-1))
            rows.append(gradient * (h * np.sqrt(gas.bulk / field.rest_volume)))
        return rows

    def _diagonal(self, forces: Forces, h: float) -> Array:
        """Return the blocks at points of mass, contacts and tethers (6, N)."""
        diagonal, t = np.zeros((6, self.field.columns)), self.field.tethers
        for row in DIAGONAL:
            diagonal[row] = self.field.mass[0]
            np.add.at(diagonal[row], t.points, h * h * t.stiffness + h * t.damping)
        for contact in self._contacts(forces, single=True):
            diagonal[:, contact.places.corners[0]] += contact.rows[MATRIX]
        return diagonal

    def _contacts(self, forces: Forces, *, single: bool) -> list[ContactForces]:
        """Return the contacts at single points, or, if not `single`, at weighted places of several points."""
        return [contact for contact in forces.contacts if contact.places.single == single]

    def _inverse(self) -> Array:
        blocks = self.diagonal
        for springs in self.springs:
            (blocks,) = block_program(springs.degree, self.field.lanes)(
                springs.blocks, blocks, threads=self.field.threads
            )
        blocks = blocks.copy()
        for contact in self.distributed_contacts:
            for corner, weight in zip(contact.places.corners, contact.places.weights, strict=True):
                for row, values in zip(blocks, contact.rows[MATRIX], strict=True):
                    np.add.at(row, corner, weight * weight * values)
        for rows in self.rows:
            corners = rows.group.corners.astype(np.int64)[:, : rows.group.count]
            for J in rows.rows:
                for k, points in enumerate(corners):
                    g = J[3 * k : 3 * k + 3, : rows.group.count]
                    outer = (g[0] * g[0], g[0] * g[1], g[0] * g[2], g[1] * g[1], g[1] * g[2], g[2] * g[2])
                    for row, values in zip(blocks, outer, strict=True):
                        np.add.at(row, points, values)
        return self.field.run("inverse", blocks)[0]

    def times(self, p: Array) -> Array:
        """Return A p for a p that is 0 at pinned points (3, N), with 0 at pinned points."""
        field, table = self.field, p.reshape(-1)
        first, *others = self.springs or [None]
        result = self._product(first, self.diagonal, p, table)
        for springs in others:
            result += self._product(springs, np.zeros_like(self.diagonal), p, table)
        for rows in self.rows:
            for J in rows.rows:
                group = rows.group
                field.run(rows.product, J, group.corners, field.stride, tables=(table,), out=[group.contributions])
                group.sums.add(group.table, result, field.lanes, field.threads)
        for contact in self.distributed_contacts:
            (x, y, z), (xx, xy, xz, yy, yz, zz) = contact.places.of(p), contact.rows[MATRIX]
            pressed = [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z]
            contact.places.add_to(result, np.array(pressed))
        for row in self.dense_rows:
            result += row * ordered_sum(row * p)
        result *= field.free
        return result

    def _product(self, springs: SpringBlocks | None, diagonal: Array, p: Array, table: Array) -> Array:
        degree, field = springs.degree if springs else 0, self.field
        others = springs.others if springs else np.zeros((0, field.columns))
        blocks = springs.blocks if springs else np.zeros((0, field.columns))
        program = product_program(degree, field.lanes)
        return program(others, blocks, diagonal, p, field.stride, tables=[table], threads=field.threads)[0]

    def preconditioned(self, r: Array) -> Array:
        """Return the inverse blocks times a residual (3, N)."""
        return self.field.run("precondition", self.inverse, r, self.field.free)[0]

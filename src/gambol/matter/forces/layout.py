"""Arrays with lanes as columns, and sums in a fixed order, which give the same bits for any number of lanes."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import Program, ProgramSpec, Scalar, gather
from gambol.lanes.program import MAX_LANES
from gambol.spatial import Vector

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

DEGREE_STEP = 4
"""Numbers of elements at a point are rounded up to multiples of this, so that meshes share programs."""


def padded_count(count: int) -> int:
    """Return the number of columns for `count` elements, rounded up to whole blocks for any number of lanes."""
    return max(-(-count // MAX_LANES), 1) * MAX_LANES


def padded_rows(values: Array | Indices, columns: int) -> Array:
    """Return rows (k, count) as rows (k, columns); empty columns repeat the last element, or are 0 without any."""
    rows = np.atleast_2d(np.asarray(values, float))
    if not rows.shape[1]:
        return np.zeros((rows.shape[0], columns))
    return np.concatenate([rows, np.repeat(rows[:, -1:], columns - rows.shape[1], axis=1)], axis=1)


def ordered_sum(values: Array) -> float:
    """Return the sum of all entries, by adding halves of the array: the same bits on any machine."""
    a = values.ravel()
    while a.size > 1:
        half = a.size // 2
        folded = a[:half] + a[half : 2 * half]
        a = np.concatenate([folded, a[-1:]]) if a.size % 2 else folded
    return float(a[0]) if a.size else 0.0


def vector_at(table: Any, start: Scalar, stride: Scalar) -> Vector:
    """Return the vector with rows that begin at an index of a flat table.

    stride: distance between its rows in the table.
    """
    return Vector.of([gather(table, start + c * stride) for c in (0.0, 1.0, 2.0)])


@dataclass(frozen=True, eq=False)
class PointSums:
    """Sums the contributions of elements to their points, in ascending order of elements.

    indices: (degree, points) starts of contributions in a flat table; unused ones are beyond its end, where 0 is read.
    elements: the element of each entry (degree, points), 0 for unused ones. used: 1 for entries in use, else 0. others:
    for springs, index of the other end, or of the point itself for unused entries. columns: columns of elements.
    """

    indices: Array
    elements: Indices
    used: Array
    others: Array
    columns: int
    rows: int

    @staticmethod
    def of(corners: Indices, points: int) -> "PointSums":
        """Return the sums for elements with corners (m, k), point indices; points: columns of the points."""
        count, width = corners.shape
        columns = padded_count(count)
        owner: Indices = corners.T.ravel()
        order: Indices = np.argsort(np.concatenate([np.arange(count)] * width), kind="stable")
        order = order[np.argsort(owner[order], kind="stable")]
        degrees = np.bincount(owner, minlength=points)
        degree = max(-(-int(degrees.max(initial=0)) // DEGREE_STEP), 1) * DEGREE_STEP
        slot = np.arange(len(owner)) - np.repeat(np.cumsum(degrees) - degrees, degrees)
        corner, element = np.divmod(order, count) if count else (order, order)
        empty = 3 * width * columns
        indices = np.full((degree, points), float(empty))
        elements, used = np.zeros((degree, points), np.int64), np.zeros((degree, points))
        others = np.tile(np.arange(points, dtype=float), (degree, 1))
        entry = slot, owner[order]
        indices[entry] = 3 * corner * columns + element
        elements[entry], used[entry] = element, 1.0
        if width == 2:
            others[entry] = corners[element, 1 - corner]
        return PointSums(indices, elements, used, others, columns, 3 * width)

    def buffer(self) -> tuple[Array, Array]:
        """Return a new array of contributions (3 corners, columns), and its memory as a table that ends with a 0."""
        table = np.zeros(self.rows * self.columns + 1)
        return table[:-1].reshape(self.rows, self.columns), table

    def add(self, table: Array, total: Array, lanes: int | None, threads: int = 1) -> None:
        """Add all contributions to the rows (3, points) of a total, in place. table: see buffer()."""
        stride = np.full((1, 1), float(self.columns))
        sum_program(len(self.indices), lanes)(self.indices, total, stride, out=[total], tables=[table], threads=threads)


@lru_cache
def sum_program(degree: int, lanes: int | None) -> Program:
    """Return the program that adds the contributions of `degree` elements to a point's vector."""

    def add_up(starts: list[Scalar], total: Vector, stride: Scalar, table: Any) -> tuple[Vector]:
        for start in starts:
            total = total + vector_at(table, start, stride)
        return (total,)

    shapes = ([0.0] * degree, Vector(0.0, 0.0, 0.0), 0.0)
    return Program(ProgramSpec(f"sum over {degree}", add_up, shapes, 1, degree), lanes=lanes)

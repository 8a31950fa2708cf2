"""The elements of a mesh as arrays of lanes: inputs of programs, contributions to points, and their sums."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.matter.forces.layout import Array, Indices, PointSums, padded_rows
from gambol.matter.mesh import SpringMesh


@dataclass(frozen=True, eq=False)
class Elements:
    """Elements of one kind.

    count: number of elements. numbers: inputs of the formula (rows, columns). corners: point indices (corners,
    columns). sums: sums of contributions to points. contributions: contributions (3 corners, columns); table: their
    memory.
    """

    count: int
    numbers: Array
    corners: Array
    sums: PointSums
    contributions: Array
    table: Array

    @staticmethod
    def of(corners: Indices, numbers: list[Array], points: int) -> "Elements":
        """Return elements with corners (m, k) and rows of numbers, each (m,); points: columns of the points."""
        sums = PointSums.of(corners, points)
        contributions, table = sums.buffer()
        stacked = np.array(numbers, float).reshape(len(numbers), len(corners))
        return Elements(
            len(corners),
            padded_rows(stacked, sums.columns),
            padded_rows(corners.T, sums.columns),
            sums,
            contributions,
            table,
        )


def contact_springs(pairs: Indices, law: tuple[float, float, float, float], points: int) -> Elements:
    """Return the springs of pairs of points that touch (m, 2); see elements.spring.Spring for the rows.

    law: diameter, stiffness, damping, friction.
    """
    diameter, stiffness, damping, friction = law
    numbers = [np.full(len(pairs), x) for x in (diameter, stiffness, damping, 1.0, friction)]
    return Elements.of(pairs, numbers, points)


def mesh_hinges(mesh: SpringMesh, points: int) -> Elements:
    """Return the hinges of a mesh; see elements.hinge.Hinge for the rows."""
    h = mesh.hinges
    return Elements.of(h.corners, [h.rest, h.stiffness, h.damping], points)


def mesh_bends(mesh: SpringMesh, points: int) -> Elements:
    """Return the bends of a mesh; see elements.hinge.Bend for the rows."""
    b = mesh.bends
    return Elements.of(b.corners, [b.rest[:, 0], b.rest[:, 1], b.stiffness], points)


def triangles_of(triangles: Indices, points: int) -> Elements:
    """Return triangles (t, 3) of a mesh; their row is 1 while they are intact."""
    return Elements.of(triangles, [np.ones(len(triangles))], points)


def broken_triangles(mesh: SpringMesh, intact: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return True for triangles with an edge whose spring is broken (t,). intact: True for intact springs (m,)."""
    n = len(mesh.points)
    ends = np.sort(mesh.springs.ends[~intact], axis=1) @ [n, 1]
    t = np.sort(mesh.triangles, axis=1)
    edges = [t[:, [0, 1]] @ [n, 1], t[:, [1, 2]] @ [n, 1], t[:, [0, 2]] @ [n, 1]]
    broken: NDArray[np.bool_] = np.isin(np.array(edges), ends)
    return np.asarray(broken.any(axis=0))

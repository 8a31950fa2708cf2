"""Cloth: a rectangular grid of points with threads, shear and bend springs. [Provot 1995; Parent, spring meshes]

Point (i, j), row i and column j, has the index i columns + j. The warp runs along rows (growing j), the weft along
columns (growing i).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.matter.mesh.parts import Hinges, Indices, Springs, check_count
from gambol.matter.mesh.spring_mesh import SpringMesh
from gambol.matter.mesh.topology import hinge_corners, lengths_of, masses_by_area

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ClothMaterial:
    """The material of a cloth.

    density: mass per area [kg/m2]. warp, weft, shear, bend: stiffness of its springs [N/m]; bend springs join every
    second point. hinge: stiffness of angular springs between triangles [N m/rad], in addition to bend springs. damping:
    damping of every spring, as a time: the coefficient of its damper is the stiffness times this time [s]. tears_at:
    ratio of length and rest length at which threads break. Raises WorldError for negative numbers and a density of 0.
    """

    density: float = 0.2
    warp: float = 300.0
    weft: float = 300.0
    shear: float = 60.0
    bend: float = 3.0
    hinge: float = 0.0
    damping: float = 0.003
    tears_at: float = math.inf

    def __post_init__(self) -> None:
        numbers = (self.density, self.warp, self.weft, self.shear, self.bend, self.hinge, self.damping)
        if not all(0.0 <= x < math.inf for x in numbers) or not self.density > 0.0:
            raise WorldError(f"{self} is impossible; numbers must be finite, and 0 or more, and the density above 0")


def cloth(
    rows: int,
    columns: int,
    spacing: float,
    material: ClothMaterial | None = None,
    *,
    origin: Sequence[float] = (0.0, 0.0, 0.0),
    axes: Sequence[Sequence[float]] = ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0)),
    pins: Sequence[tuple[int, int]] = (),
) -> SpringMesh:
    """Return a flat rectangular cloth.

    rows, columns: numbers of points, 2 or more. spacing: distance of neighbouring points [m]. material: material of the
    cloth. origin: position of point (0, 0) [m]. axes: directions in which rows and columns follow each other. pins:
    pinned points, as (row, column). Raises WorldError for a grid that is too small, a spacing that is not above 0, and
    axes that are parallel.
    """
    fabric = material or ClothMaterial()
    if rows < 2 or columns < 2 or not 0.0 < spacing < math.inf:
        raise WorldError(f"a cloth of {rows} x {columns} points, {spacing} m apart, is impossible; give 2 x 2 or more")
    check_count("a cloth", rows * columns)
    down, along = (np.array(axis, float) for axis in axes)
    if not np.linalg.norm(np.cross(down, along)) > 0.0:
        raise WorldError(f"the axes {axes} of a cloth are parallel, or 0")
    down, along = down / np.linalg.norm(down), along / np.linalg.norm(along)
    for row, column in pins:
        if not (-rows <= row < rows and -columns <= column < columns):
            raise WorldError(f"a cloth of {rows} x {columns} points has no point ({row}, {column}) to pin")
    i, j = np.divmod(np.arange(rows * columns), columns)
    points = np.array(origin, float) + spacing * (i[:, None] * down + j[:, None] * along)
    triangles = grid_triangles(rows, columns)
    hinges = _hinges(triangles, fabric) if fabric.hinge > 0.0 else Hinges()
    return SpringMesh(
        points,
        masses_by_area(points, triangles, fabric.density),
        _springs(points, rows, columns, fabric),
        hinges,
        triangles=triangles,
        pins=np.array([row % rows * columns + column % columns for row, column in pins], np.int64),
        name="cloth",
    )


def grid_triangles(rows: int, columns: int) -> Indices:
    """Return the triangles (t, 3) of a grid of points; the diagonals of neighbouring cells alternate."""
    index = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = (x.ravel() for x in (index[:-1, :-1], index[:-1, 1:], index[1:, :-1], index[1:, 1:]))
    even = (np.add.outer(np.arange(rows - 1), np.arange(columns - 1)) % 2 == 0).ravel()
    first = np.where(even[:, None], np.stack([a, d, b], 1), np.stack([a, c, b], 1))
    second = np.where(even[:, None], np.stack([a, c, d], 1), np.stack([b, c, d], 1))
    return np.stack([first, second], axis=1).reshape(-1, 3)


def _springs(points: Array, rows: int, columns: int, fabric: ClothMaterial) -> Springs:
    index = np.arange(rows * columns).reshape(rows, columns)
    families = {
        "warp": (fabric.warp, [(0, 1)]),
        "weft": (fabric.weft, [(1, 0)]),
        "shear": (fabric.shear, [(1, 1), (1, -1)]),
        "bend": (fabric.bend, [(0, 2), (2, 0)]),
    }
    groups = list[Springs]()
    for kind, (stiffness, offsets) in families.items():
        if stiffness == 0.0:
            continue
        ends = np.concatenate([_neighbours(index, down, along) for down, along in offsets])
        if len(ends):
            rest, damping = lengths_of(points, ends), np.array(stiffness * fabric.damping)
            groups.append(Springs(ends, rest, np.array(stiffness), damping, np.array(fabric.tears_at), np.array(kind)))
    return Springs.joined(*groups)


def _neighbours(index: Indices, down: int, along: int) -> Indices:
    """Return pairs of points (m, 2): the second is `down` rows and `along` columns after the first.

    index: grid of the indices of points.
    """
    rows, columns = index.shape
    first = index[: rows - down, max(0, -along) : columns - max(along, 0)]
    second = index[down:, max(0, along) : columns + min(along, 0)]
    return np.stack([first.ravel(), second.ravel()], axis=1)


def _hinges(triangles: Indices, fabric: ClothMaterial) -> Hinges:
    corners = hinge_corners(triangles)
    return Hinges(corners, np.zeros(len(corners)), np.array(fabric.hinge), np.array(fabric.hinge * fabric.damping))

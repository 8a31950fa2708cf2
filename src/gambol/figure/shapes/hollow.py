"""Concave shapes, inside which other bodies can be: a pipe, and a height field such as a bowl."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gambol.errors import FigureError
from gambol.figure.joint.joint import Triple
from gambol.figure.mass import MassProperties
from gambol.figure.rotation import matrix, triple
from gambol.figure.shapes.contact_points import ContactPoint, rim
from gambol.figure.shapes.polyhedron import integrals
from gambol.figure.shapes.sizes import check_positive, diagonal

MAX_HEIGHTS = 250_000
"""Maximum number of heights. They are constants of the program; reading this many takes a second."""


@dataclass(frozen=True, slots=True)
class Pipe:
    """A hollow circular cylinder along z, open at both ends.

    inner_radius, outer_radius: radii of the inner and the outer surface [m]. length [m]. Raises FigureError for sizes
    that are not positive and finite, and for an outer radius that is not larger than the inner one.
    """

    kind: ClassVar[str] = "pipe"
    inner_radius: float
    outer_radius: float
    length: float

    def __post_init__(self) -> None:
        inner, outer = self.inner_radius, self.outer_radius
        check_positive(self.kind, [("inner radius", inner), ("outer radius", outer), ("length", self.length)])
        if not inner < outer:
            raise FigureError(f"a pipe has an outer radius of {outer:g} m; give more than its inner one, {inner:g} m")

    @property
    def sizes(self) -> tuple[float, ...]:
        """Inner radius, outer radius, length [m]."""
        return (self.inner_radius, self.outer_radius, self.length)

    @property
    def volume(self) -> float:
        """Volume of the wall [m3]."""
        return math.pi * (self.outer_radius**2 - self.inner_radius**2) * self.length

    def mass_properties(self, density: float) -> MassProperties:
        """Return the mass properties of the wall of this density [kg/m3], in the shape's frame."""
        m, l = density * self.volume, self.length
        squares = self.outer_radius**2 + self.inner_radius**2
        across = m * (3.0 * squares + l * l) / 12.0
        return MassProperties(m, inertia=diagonal(across, across, m * squares / 2.0))

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """Return eight points on each outer rim."""
        return rim(self.outer_radius, -self.length / 2) + rim(self.outer_radius, self.length / 2)


@dataclass(frozen=True, slots=True)
class HeightField:
    """The solid below a grid of heights: a bowl, stairs, terrain. Each cell of the grid is two triangles.

    heights: rows along x, with columns along y [m]; 2 x 2 or more. spacing: spacing of the grid [m]. thickness:
    distance from the flat underside to the lowest height [m]. The origin of the frame is the middle of the grid, at
    height 0. Contact is with the upper side only, and only if the centre of the other body (for a capsule, of an end)
    is above or inside the solid. Raises FigureError for heights that are not such a grid, and for sizes that are not
    positive and finite.
    """

    kind: ClassVar[str] = "height_field"
    heights: tuple[tuple[float, ...], ...]
    spacing: float
    thickness: float

    def __post_init__(self) -> None:
        rows = tuple(tuple(float(z) for z in row) for row in self.heights)
        object.__setattr__(self, "heights", rows)
        check_positive("height field", [("spacing", self.spacing), ("thickness", self.thickness)])
        columns = len(rows[0]) if rows else 0
        if len(rows) < 2 or columns < 2 or any(len(row) != columns for row in rows):
            raise FigureError("a height field has at least 2 rows, all of one length, with at least 2 heights")
        if len(rows) * columns > MAX_HEIGHTS:
            raise FigureError(
                f"a height field has {len(rows)} x {columns} heights; {MAX_HEIGHTS:,} at most are allowed"
            )
        if not all(math.isfinite(z) for row in rows for z in row):
            raise FigureError("a height field has a height that is not finite")

    @property
    def sizes(self) -> tuple[float, ...]:
        """Spacing and thickness [m], the numbers of rows and columns, and all heights, row after row [m]."""
        counts = (float(len(self.heights)), float(len(self.heights[0])))
        return (self.spacing, self.thickness, *counts, *(z for row in self.heights for z in row))

    @property
    def bounds(self) -> tuple[Triple, Triple]:
        """Bounding box of the solid: minimum and maximum coordinates [m]."""
        x, y = (0.5 * self.spacing * (n - 1) for n in (len(self.heights), len(self.heights[0])))
        low, high = (extreme(z for row in self.heights for z in row) for extreme in (min, max))
        return (-x, -y, low - self.thickness), (x, y, high)

    @property
    def volume(self) -> float:
        """Volume of the solid [m3]."""
        return self._integrals()[0]

    def mass_properties(self, density: float) -> MassProperties:
        """Return the mass properties of the solid below the heights, of this density [kg/m3], in the shape's frame."""
        volume, com, moments = self._integrals()
        inertia = density * (np.trace(moments) * np.eye(3) - moments)
        return MassProperties(density * volume, triple(com), matrix((inertia + inertia.T) / 2.0))

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """Return the four corners of the underside and those of the upper side."""
        (x, y, bottom), (X, Y, _) = self.bounds
        corners = ((x, y, 0, 0), (X, y, -1, 0), (x, Y, 0, -1), (X, Y, -1, -1))
        under = tuple(ContactPoint((a, b, bottom), 0.0) for a, b, _, _ in corners)
        return under + tuple(ContactPoint((a, b, self.heights[i][j]), 0.0) for a, b, i, j in corners)

    def _integrals(self) -> Any:
        """Return volume, centre and second moments of the solid."""
        triangles = field_triangles(self.heights, self.spacing, self.thickness)
        vertices = [triple(corner) for corner in triangles.reshape(-1, 3)]
        return integrals(vertices, [(k, k + 1, k + 2) for k in range(0, len(vertices), 3)])


def field_triangles(
    heights: Sequence[Sequence[float]] | NDArray[np.float64], spacing: float, thickness: float
) -> NDArray[np.float64]:
    """Return the surface of a height field as triangles (n, 3, 3) [m], anticlockwise seen from outside.

    heights, spacing, thickness: heights, spacing and thickness of the height field [m].
    """
    top = np.array(heights, float)
    rows, columns = top.shape
    i, j = np.indices(top.shape)
    xy = np.stack([spacing * (i - 0.5 * (rows - 1)), spacing * (j - 0.5 * (columns - 1))], axis=-1)
    upper = np.concatenate([xy, top[..., None]], axis=-1)
    lower = np.concatenate([xy, np.full((rows, columns, 1), top.min() - thickness)], axis=-1)
    sides = [(upper[::-1, 0], lower[::-1, 0]), (upper[:, -1], lower[:, -1])]
    sides += [(upper[0], lower[0]), (upper[-1, ::-1], lower[-1, ::-1])]
    walls = [np.concatenate(_wall_triangles(above, below)) for above, below in sides]
    a, b, c, d = (upper[:-1, :-1], upper[1:, :-1], upper[1:, 1:], upper[:-1, 1:])
    cells = np.stack([a, b, d, c, d, b], axis=2).reshape(-1, 3, 3)
    a, b, c, d = (lower[:1, :1], lower[-1:, :1], lower[-1:, -1:], lower[:1, -1:])
    floor = np.stack([a, c, b, a, d, c], axis=2).reshape(-1, 3, 3)
    return np.concatenate([cells, floor, *walls])


def _wall_triangles(above: NDArray[np.float64], below: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Return the triangles of a wall between two polylines (n, 3), whose left side, seen from above, is outside."""
    a, b, c, d = above[:-1], above[1:], below[1:], below[:-1]
    return [np.stack([a, c, b], axis=1)[:, ::-1], np.stack([a, d, c], axis=1)[:, ::-1]]


def height_field_from_sizes(sizes: Sequence[float]) -> HeightField:
    """Return a height field from its `sizes`. Raises FigureError for a wrong number of heights."""
    spacing, thickness, rows, columns, *heights = sizes
    n = int(columns)
    if n < 1 or int(rows) * n != len(heights):
        raise FigureError(f"a height field of {rows:g} x {columns:g} heights has {len(heights)} of them")
    return HeightField(tuple(tuple(heights[k : k + n]) for k in range(0, len(heights), n)), spacing, thickness)

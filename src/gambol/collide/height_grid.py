"""Uneven ground: a regular grid of heights, in which each cell consists of two triangles. [McKenna 1990, section 4.4]

In the cell whose corners have heights h00, h10, h01, h11, at u, v in [0, 1] along x and y:
    u + v <= 1:  h = h00 + u (h10 - h00) + v (h01 - h00)
    else:        h = h11 + (1 - u)(h01 - h11) + (1 - v)(h10 - h11)
Beyond its rim the ground is level, at the height of the rim.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide.ground import Surface
from gambol.errors import WorldError
from gambol.lanes import Scalar, clamp, floor, gather, sqrt, where
from gambol.spatial import Vector

MAX_MAGNITUDE = 1e9
"""Maximum height and coordinate [m], and largest slope. Results then stay finite in float32."""


@dataclass(frozen=True, eq=False)
class HeightGrid:
    """Heights [m]: row i and column j are at x = x0 + i spacing, y = y0 + j spacing [m].

    Raises WorldError for an array that is not two-dimensional, smaller than 2 x 2 or not finite, for a spacing that is
    not positive, for an origin that is not finite, and for heights, coordinates and slopes above MAX_MAGNITUDE.
    """

    heights: NDArray[np.float64]
    spacing: float
    x0: float = 0.0
    y0: float = 0.0

    def __post_init__(self) -> None:
        heights = np.array(self.heights, dtype=np.float64)  # a copy: the caller may change the array later
        object.__setattr__(self, "heights", heights)
        if heights.ndim != 2 or min(heights.shape) < 2:
            raise WorldError(f"a height grid needs at least 2 x 2 heights, not an array of shape {heights.shape}")
        if not np.isfinite(heights).all():
            row, column = np.argwhere(~np.isfinite(heights))[0]
            raise WorldError(f"the height at row {row}, column {column} is {heights[row, column]}; all must be finite")
        if not (np.isfinite(self.spacing) and self.spacing > 0.0):
            raise WorldError(f"the spacing of a height grid must be positive, not {self.spacing} m")
        if not (np.isfinite(self.x0) and np.isfinite(self.y0)):
            raise WorldError(f"a height grid cannot start at ({self.x0}, {self.y0}); both must be finite")
        self._check_size()

    def _check_size(self) -> None:
        largest_coordinates = [
            abs(origin) + self.spacing * n for origin, n in zip((self.x0, self.y0), self.heights.shape, strict=True)
        ]
        with np.errstate(over="ignore", invalid="ignore"):
            magnitudes = {
                "height": np.abs(self.heights).max(),
                "coordinate": max(largest_coordinates),
                "slope": self.steepest(),
            }
        for name, magnitude in magnitudes.items():
            if not magnitude <= MAX_MAGNITUDE:
                unit = "" if name == "slope" else " m"
                raise WorldError(
                    f"a height grid cannot have a {name} of {magnitude:g}{unit}; give {MAX_MAGNITUDE:g}{unit} at most"
                )

    def numbers(self) -> dict[str, float]:
        """Return origin, spacing, numbers of rows and columns, and steepest slope, by name."""
        rows, columns = self.heights.shape
        return {
            "x0": self.x0,
            "y0": self.y0,
            "spacing": self.spacing,
            "rows": float(rows),
            "columns": float(columns),
            "slope": self.steepest(),
        }

    def steepest(self) -> float:
        """Return the steepest slope of any triangle, as rise over run."""
        slopes_x = np.diff(self.heights, axis=0) / self.spacing
        slopes_y = np.diff(self.heights, axis=1) / self.spacing
        lower = np.hypot(slopes_x[:, :-1], slopes_y[:-1, :])
        upper = np.hypot(slopes_x[:, 1:], slopes_y[1:, :])
        return float(max(lower.max(), upper.max()))

    def table(self) -> NDArray[np.float64]:
        """Return the heights, row after row."""
        return self.heights.ravel()

    def surface(self, numbers: dict[str, Scalar], table: Any, x: Scalar, y: Scalar) -> Surface:
        """Return the height and normal of the triangle above or below a point (x, y) [m]."""
        i, u, inside_x = _cell(x, numbers["x0"], numbers["spacing"], numbers["rows"])
        j, v, inside_y = _cell(y, numbers["y0"], numbers["spacing"], numbers["columns"])
        index = i * numbers["columns"] + j
        h00, h01 = gather(table, index), gather(table, index + 1.0)
        h10, h11 = gather(table, index + numbers["columns"]), gather(table, index + numbers["columns"] + 1.0)
        lower = u + v <= 1.0
        rise_x, rise_y = where(lower, h10 - h00, h11 - h01), where(lower, h01 - h00, h11 - h10)
        height = where(lower, h00 + u * rise_x + v * rise_y, h11 - (1.0 - u) * rise_x - (1.0 - v) * rise_y)
        slope_x = where(inside_x, rise_x / numbers["spacing"], 0.0)
        slope_y = where(inside_y, rise_y / numbers["spacing"], 0.0)
        inverse_length = 1.0 / sqrt(1.0 + slope_x * slope_x + slope_y * slope_y)
        return Surface(height, Vector(-slope_x * inverse_length, -slope_y * inverse_length, inverse_length))

    def highest(self, numbers: dict[str, Scalar], table: Any, x: Scalar, y: Scalar, radius: Scalar) -> Scalar:
        """Return the height at (x, y) plus the steepest slope times the radius: an upper bound [m]."""
        return self.surface(numbers, table, x, y).height + numbers["slope"] * radius


def _cell(x: Scalar, origin: Scalar, spacing: Scalar, count: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """Return the cell index along an axis, the position in the cell from 0 to 1, and True if the grid covers it."""
    steps = (x - origin) / spacing
    clamped = clamp(steps, 0.0, count - 1.0)
    cell = clamp(floor(clamped), 0.0, count - 2.0)
    return cell, clamped - cell, (steps >= 0.0) & (steps <= count - 1.0)


def inclined_plane(slope: float, half_length: float) -> HeightGrid:
    """Return a square plane through the origin that rises along x.

    slope: its angle to the horizontal [rad]. half_length: half of the length of its sides, seen from above [m].
    """
    rise = half_length * math.tan(slope)
    heights = np.array([[-rise, -rise], [rise, rise]])
    return HeightGrid(heights, 2.0 * half_length, -half_length, -half_length)

"""Curves in space, sampled at equal arc lengths."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """A polyline through points.

    points: (x, y, z) of each point [m]. Raises WorldError for fewer than two points, or a length of 0.
    """

    points: tuple[tuple[float, float, float], ...] = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))

    def __post_init__(self) -> None:
        if len(self.points) < 2 or not np.isfinite(self.points).all() or not self.length > 0.0:
            raise WorldError(f"a curve needs two or more finite points and a length, not {self.points}")

    @cached_property
    def _arc_lengths(self) -> Array:
        """Arc length from the first point to each point [m]."""
        steps = np.linalg.norm(np.diff(np.array(self.points, float), axis=0), axis=1)
        return np.concatenate([[0.0], np.cumsum(steps)])

    @property
    def length(self) -> float:
        """Its length [m]."""
        return float(self._arc_lengths[-1])

    @property
    def spacing(self) -> float:
        """Arc length between two samples [m]."""
        return self.length / (len(self.samples()) - 1)

    def samples(self) -> Array:
        """Return points at equal arc lengths (n, 3) [m]; four for each point of the polyline."""
        return self.at(np.linspace(0.0, self.length, 4 * len(self.points)))

    def at(self, s: Array) -> Array:
        """Return the points at arc lengths s (n,) [m], as (n, 3) [m]."""
        points = np.array(self.points, float)
        return np.stack([np.interp(s, self._arc_lengths, points[:, k]) for k in range(3)], axis=1)

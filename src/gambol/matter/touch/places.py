"""Places on a mesh: its points, points of its triangles and edges, and differences of these, as weighted sums."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Places:
    """Weighted sums of points of a mesh: point indices (k, m), and weights (k, m).

    The weights of one surface add up to 1. For two surfaces that touch, they add up to 1 and -1, so that a weighted sum
    of velocities is a relative velocity.
    """

    corners: Indices
    weights: Array

    @staticmethod
    def at_points(points: Indices) -> "Places":
        """Return places at single points of the mesh (m,), which are distinct."""
        return Places(points[None], np.ones((1, len(points))))

    @staticmethod
    def joined(groups: "Sequence[Places]") -> "Places":
        """Return all places of several groups, in order; unused corners have the weight 0."""
        width = max(len(group.corners) for group in groups)
        rows = [
            [np.pad(each, ((0, width - len(each)), (0, 0))) for each in (group.corners, group.weights)]
            for group in groups
        ]
        corners, weights = (np.concatenate(column, axis=1) for column in zip(*rows, strict=True))
        return Places(corners, weights)

    def __len__(self) -> int:
        return self.corners.shape[1]

    @property
    def single(self) -> bool:
        """True if each place is one point of the mesh."""
        return len(self.corners) == 1

    def of(self, values: Array) -> Array:
        """Return the sums of values of points (rows, N), as (rows, m)."""
        if self.single:
            return values[:, self.corners[0]]
        total = self.weights[0] * values[:, self.corners[0]]
        for corner, weight in zip(self.corners[1:], self.weights[1:], strict=True):
            total += weight * values[:, corner]
        return total

    def positive(self, values: Array) -> Array:
        """Return the sums over the weights above 0: the place on the first of two surfaces that touch (rows, m)."""
        return Places(self.corners, np.maximum(self.weights, 0.0)).of(values)

    def squared(self, values: Array) -> Array:
        """Return the sums with squared weights, such as inverse masses of places (rows, m). values: (rows, N)."""
        return values[:, self.corners[0]] if self.single else Places(self.corners, self.weights**2).of(values)

    def correction_factors(self, touching: NDArray[np.bool_]) -> Array:
        """Return the factor of a correction at each place (m,): 1 over the number of touching places of its points."""
        if self.single:
            return np.ones(len(self))
        points = int(self.corners.max(initial=0)) + 1
        counts = np.zeros(points)
        used = (self.weights != 0.0) & touching
        for corner, uses in zip(self.corners, used, strict=True):
            counts += np.bincount(corner[uses], minlength=points)
        most = np.max([np.where(u, counts[c], 1.0) for c, u in zip(self.corners, used, strict=True)], axis=0)
        return 1.0 / np.maximum(most, 1.0)

    def add_to(self, total: Array, values: Array) -> None:
        """Add values at places (rows, m) to values of points (rows, N), by weights, in place and in a fixed order."""
        for corner, weight in zip(self.corners, self.weights, strict=True):
            for row, value in zip(total, values, strict=True):
                np.add.at(row, corner, weight * value)

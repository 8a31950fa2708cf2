"""Pairs of points of a mesh that are near each other, by a grid of cells. [Teschner et al. 2003, for the idea]

Points are sorted by cell; each point is compared with points of its cell and of half of the neighbouring cells, so that
a pair is found once.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gambol.matter.mesh import SpringMesh

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

HALF_OF_NEIGHBOURS = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) > (0, 0, 0)]


def near_pairs(points: Array, distance: float) -> Indices:
    """Return pairs of points that are nearer than a distance (m, 2), lower index first, in ascending order.

    points (n, 3): finite positions [m]. distance: distance above 0 [m].
    """
    cells = np.floor(points / distance).astype(np.int64)
    cells -= cells.min(axis=0) - 1
    _, nyz, nz = (int(size) for size in (cells.max(axis=0) + 2))
    strides = np.array([nyz * nz, nz, 1])
    keys = cells @ strides
    order = np.argsort(keys, kind="stable")
    ordered: Indices = keys[order]
    candidates = [_pairs_in(order, _places(ordered, ordered, "right"), np.arange(len(order)) + 1)]
    for offset in HALF_OF_NEIGHBOURS:
        target = ordered + int(strides @ offset)
        candidates.append(_pairs_in(order, _places(ordered, target, "right"), _places(ordered, target, "left")))
    pairs = np.sort(np.concatenate(candidates), axis=1)
    r = points[pairs[:, 0]] - points[pairs[:, 1]]
    pairs = pairs[(r * r).sum(axis=1) < distance * distance]
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def _places(ordered: Indices, keys: Indices, side: Literal["left", "right"]) -> Indices:
    return np.searchsorted(ordered, keys, side).astype(np.int64)


def _pairs_in(order: Indices, end: Indices, begin: Indices) -> Indices:
    """Return each point of a sorted list with the points at positions begin to end - 1 of the list (m, 2)."""
    counts = np.maximum(end - begin, 0)
    first = np.repeat(np.arange(len(order)), counts)
    place = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(begin, counts)
    return np.stack([order[first], order[place]], axis=1)


class SelfPairs:
    """Finds pairs of points that touch, except pairs with a spring and pairs that are as near at rest.

    mesh: the mesh; diameter: diameter of the balls around them [m].
    """

    def __init__(self, mesh: SpringMesh, diameter: float) -> None:
        self.diameter, self.count = diameter, len(mesh.points)
        joined = np.sort(mesh.springs.ends, axis=1)
        left_out = np.concatenate([joined, near_pairs(mesh.points, diameter)])
        self.left_out = np.unique(left_out @ [self.count, 1])

    def find(self, points: Array) -> Indices:
        """Return the pairs that touch (m, 2); points: (n, 3) [m]."""
        pairs = near_pairs(points, self.diameter)
        return pairs[~np.isin(pairs @ [self.count, 1], self.left_out)]

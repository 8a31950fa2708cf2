"""The topology of a triangle mesh: its edges, pairs of triangles that share an edge, and its masses by area."""

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.matter.elements.hinge import hinge_angle
from gambol.spatial import Vector

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


def edges_of(triangles: Indices) -> Indices:
    """Return each edge of a triangle mesh once (m, 2), the lower index first, in ascending order."""
    pairs = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    return np.unique(np.sort(pairs, axis=1), axis=0)


def pieces_of(ends: Indices, count: int) -> Indices:
    """Return the piece of each point (count,), as the lowest index of its points. ends: springs (m, 2)."""
    piece: Indices = np.arange(count, dtype=np.int64)
    while True:
        a, b = piece[ends].T
        lower = piece.copy()
        np.minimum.at(lower, a, np.minimum(a, b))
        np.minimum.at(lower, b, np.minimum(a, b))
        lower = lower[lower]
        if np.array_equal(lower, piece):
            return piece
        piece = lower


def hinge_corners(triangles: Indices) -> Indices:
    """Return the corners of hinges (m, 4), see Hinges: one for each edge that two triangles share.

    Raises WorldError for an edge of more than two triangles, and for two neighbours that face opposite sides.
    """
    t = len(triangles)
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    far = np.concatenate([triangles[:, 2], triangles[:, 0], triangles[:, 1]])
    low, high = edges.min(axis=1), edges.max(axis=1)
    order = np.lexsort((np.arange(3 * t), high, low))
    same = (np.diff(low[order]) == 0) & (np.diff(high[order]) == 0)
    if (same[1:] & same[:-1]).any():
        k = order[np.flatnonzero(same[1:] & same[:-1])[0]]
        raise WorldError(f"the edge of points {low[k]} and {high[k]} belongs to more than two triangles; split it")
    first, second = order[:-1][same], order[1:][same]
    twisted = edges[first, 0] == edges[second, 0]
    if twisted.any():
        k = first[np.flatnonzero(twisted)[0]]
        raise WorldError(
            f"the two triangles at the edge of points {low[k]} and {high[k]} face opposite sides; reverse one of them"
        )
    return np.stack([edges[first, 0], edges[first, 1], far[first], far[second]], axis=1)


def areas_of(points: Array, triangles: Indices) -> Array:
    """Return the areas of triangles (t,) [m2]. points: (n, 3) [m]; triangles: point indices (t, 3)."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return np.asarray(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1), float)


def masses_by_area(points: Array, triangles: Indices, density: float) -> Array:
    """Return the mass of each point (n,) [kg]: a third of each triangle around it.

    points: (n, 3) [m]; triangles: point indices (t, 3); density: mass per area [kg/m2]. Raises WorldError for a density
    that is not above 0.
    """
    if not 0.0 < density < np.inf:
        raise WorldError(f"a density of {density} kg/m2 is impossible; it must be above 0")
    third = np.repeat(areas_of(points, triangles) / 3.0, 3)
    return np.asarray(density * np.bincount(triangles.ravel(), third, len(points)), np.float64)


def dihedral_angles(points: Array, corners: Indices) -> Array:
    """Return the dihedral angles of hinges at some points (m,), 0 if flat [rad]."""
    x = [Vector(*points[corners[:, k]].T) for k in range(4)]
    return np.asarray(hinge_angle(*x), float)


def lengths_of(points: Array, pairs: Indices) -> Array:
    """Return the distances of pairs of points (m,) [m]. points: (n, 3); pairs: point indices (m, 2)."""
    return np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1).astype(np.float64)

"""Meshes with fewer triangles: points in one cube of a grid become one. [Rossignac and Borrel 1993]"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gambol.figure import Submesh

NORMAL_STEPS = 2.0  # per unit: points whose normals round to different steps are not merged, so edges stay sharp
UV_STEPS = 256.0  # per unit of texture coordinates, likewise


def reduced(mesh: Submesh, cell: float) -> Submesh:
    """Return a mesh in which all points in one cube of a grid are replaced by their mean.

    Triangles without area are left out. cell: edge of a cube [m]; a point moves by less than the diagonal of a cube.
    Points with different normals or different texture coordinates are not merged. A mesh that would become empty is
    returned unchanged.
    """
    columns = [np.floor(mesh.points / cell), np.rint(NORMAL_STEPS * mesh.normals)]
    columns += [np.rint(UV_STEPS * mesh.uv)] if len(mesh.uv) else []
    _, number = np.unique(np.concatenate(columns, axis=1), axis=0, return_inverse=True)
    number = number.reshape(-1)
    mean_cells = _means(np.floor(mesh.points / cell), number)
    triangles = number[mesh.triangles]
    _, cube = np.unique(np.floor(mean_cells), axis=0, return_inverse=True)
    corners = cube.reshape(-1)[triangles]
    kept = (corners != np.roll(corners, 1, axis=1)).all(axis=1)
    triangles = np.unique(_rotated(triangles[kept]), axis=0) if kept.any() else triangles[:0]
    if not len(triangles):
        return mesh
    order, used = _first_use(triangles)
    normals = _means(mesh.normals, number)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    return replace(
        mesh,
        points=_means(mesh.points, number)[order].astype(np.float32),
        normals=normals[order].astype(np.float32),
        triangles=used.astype(np.uint32),
        uv=_means(mesh.uv, number)[order].astype(np.float32) if len(mesh.uv) else mesh.uv,
    )


def _means(rows: NDArray[np.floating], number: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the mean of the rows of each number."""
    count = np.bincount(number)
    return np.stack([np.bincount(number, column) / count for column in rows.T.astype(float)], axis=1)


def _rotated(triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return triangles that begin with their lowest corner, so that equal ones have equal rows."""
    first = triangles.argmin(axis=1)[:, None]
    return np.take_along_axis(triangles, (first + np.arange(3)) % 3, axis=1)


def _first_use(triangles: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the points that triangles use, in order of their first use, and the triangles with the new indices."""
    points, first, inverse = np.unique(triangles.reshape(-1), return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return points[order], rank[inverse.reshape(-1)].reshape(-1, 3)

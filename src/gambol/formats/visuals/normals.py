"""Normals of triangles that share corners, smoothed over flat edges, and corners joined to points."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gambol.figure import Material, Submesh
from gambol.figure.visual import NO_UV, PLAIN

Array = NDArray[np.float64]

CREASE = np.radians(35.0)  # between the 45 degrees of a chamfer and the 15 degrees between slices of a round shape
MAX_FAN = 2000  # triangles around a point; where there are more, normals are those of the triangles
TOLERANCE = 1e-6  # of the extent: corners that are nearer are one point


def corner_normals(triangles: Array) -> Array:
    """Return the normals (3 T, 3) of the corners of triangles (T, 3, 3), smoothed over edges flatter than CREASE.

    Each normal is the mean, weighted by area, of the normals of the triangles around the same point. Triangles without
    area have the normal of their neighbours, or (0, 0, 1).
    """
    weighted = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    faces = _unit(weighted)
    point = _point_numbers(triangles.reshape(-1, 3))
    order = np.argsort(point, kind="stable")
    counts = np.bincount(point)
    first, count = (np.cumsum(counts) - counts)[point[order]], counts[point[order]]
    face_normals, sums = faces[order // 3], weighted[order // 3]
    terms = sums.copy()
    rows = np.flatnonzero(count <= MAX_FAN)
    sums[rows] = 0.0
    for k in range(min(int(counts.max()), MAX_FAN)):  # in one order at all corners of a point, so that sums are equal
        rows = rows[count[rows] > k]
        other = first[rows] + k
        smooth = np.einsum("ij,ij->i", face_normals[rows], face_normals[other]) > np.cos(CREASE)
        sums[rows[smooth]] += terms[other[smooth]]
    normals = np.empty_like(sums)
    normals[order] = _unit(sums)
    return normals


def submesh_of(
    points: NDArray[np.floating],
    corners: NDArray[np.integer],
    normals: NDArray[np.floating] | None = None,
    uv: NDArray[np.floating] | None = None,
    material: Material = PLAIN,
) -> Submesh:
    """Return a mesh of triangles.

    points (N, 3) [m]; corners (T, 3): indices of points. normals (3 T, 3), uv (3 T, 2): normal and texture coordinates
    of each corner; normals are computed if they are None or one has length 0; uv is omitted without a texture, and the
    texture without uv. Triangles with two equal corners are left out.
    """
    material = material if uv is not None else replace(material, texture=None)
    uv = uv if material.texture is not None else None
    positions = points[corners.reshape(-1)].astype(float)
    if normals is not None and (not np.isfinite(normals).all() or np.linalg.norm(normals, axis=1).min() < TOLERANCE):
        normals = None
    directions = corner_normals(positions.reshape(-1, 3, 3)) if normals is None else _unit(normals.astype(float))
    columns = [positions, directions] if uv is None else [positions, directions, uv]
    rows = np.concatenate(columns, axis=1).astype(np.float32)
    rows[rows == 0.0] = 0.0  # -0 too, since rows are compared by their bits
    rows = np.ascontiguousarray(rows)
    bits = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).reshape(-1)
    _, index, inverse = np.unique(bits, return_index=True, return_inverse=True)
    unique = rows[index]
    triangles = inverse.reshape(-1, 3).astype(np.uint32)
    triangles = triangles[(triangles != np.roll(triangles, 1, axis=1)).all(axis=1)]
    unique_uv = NO_UV if uv is None else np.ascontiguousarray(unique[:, 6:])
    points, normals = np.ascontiguousarray(unique[:, :3]), np.ascontiguousarray(unique[:, 3:6])
    return Submesh(points, normals, triangles, unique_uv, material)


def _point_numbers(corners: Array) -> NDArray[np.int64]:
    """Return a number for each corner, the same for corners at the same position."""
    low = corners.min(axis=0)
    extent = max(float(np.ptp(corners, axis=0).max()), 1e-300)
    cells = np.rint((corners - low) / (TOLERANCE * extent)).astype(np.int64)  # each below 2^20
    keys = (cells[:, 0] << 42) | (cells[:, 1] << 21) | cells[:, 2]
    return np.unique(keys, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _unit(vectors: Array) -> Array:
    """Return vectors of length 1; (0, 0, 1) for normals of length 0."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.where(length > 0.0, vectors / np.where(length > 0.0, length, 1.0), (0.0, 0.0, 1.0))

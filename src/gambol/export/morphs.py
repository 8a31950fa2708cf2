"""The motion of many points as a weighted sum of few shapes, for formats with morph targets.

    x(t) = r + sum_k w_k(t) s_k        s_k: principal components of x(t) - x(0) over all frames and points

With the eigenvectors U of the frames' Gram matrix D D^T, where D (F, 3 n) has the displacements of a frame in each row,
the best K components are w = U_K and s = U_K^T D. [Jolliffe 2002, Principal component analysis, section 3.5] Weights
are then shifted and scaled to 0 to 1, since programs such as Blender limit them to that range.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError

Array = NDArray[np.float64]
Float32 = NDArray[np.float32]

POSITION_TOLERANCE = 1e-4
"""Largest distance of a point from its position in the film, as a fraction of the extent of all points and frames."""

MAX_FRAMES, MAX_NUMBERS = 4000, 10**8
"""Maximum number of frames (their Gram matrix is decomposed) and of coordinates (several copies are in memory)."""


@dataclass(frozen=True)
class Morphs:
    """Points that move, as sums of shapes.

    rest, rest_normals (n, 3): points r and unit normals at weights of 0. shapes, normals (K, n, 3): displacements, and
    changes of the normals, at a weight of 1. weights (F, K): from 0 to 1.
    """

    rest: Float32
    rest_normals: Float32
    shapes: Float32
    normals: Float32
    weights: Float32


def check_size(name: str, frames: int, points: int) -> None:
    """Raise GambolError for a motion that is too long or too large to decompose.

    name: name of the film, for the message.
    """
    if frames > MAX_FRAMES or 3 * frames * points > MAX_NUMBERS:
        raise GambolError(
            f'"{name}" moves {points:,} points in {frames:,} frames; glTF can have at most '
            f"{MAX_FRAMES:,} frames and {MAX_NUMBERS // 3:,} points in all; give a lower rate, or write "
            "film.between(start, end)"
        )


def morphs_of(points: Float32, normals: Float32) -> Morphs:
    """Return points (F, n, 3), with their unit normals (F, n, 3), as a sum of the smallest sufficient number of shapes.

    No point is further than POSITION_TOLERANCE times the extent from its given position. Normals follow the weights of
    the points by least squares.
    """
    F, n = points.shape[:2]
    D = (points.astype(float) - points[0]).reshape(F, -1)
    frame_vectors = np.linalg.eigh(D @ D.T)[1][:, ::-1]
    extent = float(np.linalg.norm(np.ptp(points.reshape(-1, 3), axis=0)))
    K = _fewest(D, frame_vectors, POSITION_TOLERANCE * extent)
    U: Array = frame_vectors[:, :K]
    low: Array = U.min(axis=0)
    span: Array = np.ptp(U, axis=0)
    weights: Array = (U - low) / span
    shapes: Array = U.T @ D
    rest = points[0] + (low @ shapes).reshape(n, 3)
    changes = (normals.astype(float) - normals[0]).reshape(F, -1)
    rest_normals = _unit(normals[0] + (low @ (U.T @ changes)).reshape(n, 3))
    turns = _least_squares(weights, (normals - rest_normals).reshape(F, -1))
    arrays = (rest, rest_normals, (span[:, None] * shapes).reshape(K, n, 3), turns.reshape(K, n, 3), weights)
    return Morphs(*(each.astype(np.float32) for each in arrays))


def _least_squares(weights: Array, changes: Array) -> Array:
    """Return the rows x (K, 3 n) for which weights (F, K) times x is nearest to changes (F, 3 n)."""
    if not weights.shape[1]:
        return np.zeros((0, changes.shape[1]))
    return np.asarray(np.linalg.lstsq(weights, changes)[0], float)


def _unit(vectors: Array) -> Array:
    """Return vectors scaled to length 1; (0, 0, 1) for vectors of length 0."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.where(length > 0.0, vectors / np.where(length > 0.0, length, 1.0), (0.0, 0.0, 1.0))


def _fewest(D: Array, frame_vectors: Array, limit: float) -> int:
    """Return the smallest number of components with which the error of no point exceeds the limit.

    It is found by bisection. A point has 3 columns of D.
    """
    low, high = -1, len(D)
    if float(np.linalg.norm(D.reshape(len(D), -1, 3), axis=-1).max()) <= limit:
        return 0
    while high - low > 1:
        middle = (low + high) // 2
        U = frame_vectors[:, :middle]
        error = np.linalg.norm((D - U @ (U.T @ D)).reshape(len(D), -1, 3), axis=-1).max()
        low, high = (low, middle) if error <= limit else (middle, high)
    return high

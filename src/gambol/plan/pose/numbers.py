"""Numbers of goals: checked arrays, one row for all poses or one for each, and sizes of residuals."""

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import GambolError

Array: TypeAlias = NDArray[np.float64]


def real(numbers: ArrayLike, title: str) -> Array:
    """Return an array of finite real numbers; raise GambolError, with the title, for others."""
    try:
        array = np.asarray(numbers, float)
    except (TypeError, ValueError) as error:
        raise GambolError(f"{title} has {numbers!r}; give real numbers") from error
    if not np.isfinite(array).all():
        raise GambolError(f"{title} has a number that is not finite")
    return array


def vectors(numbers: ArrayLike, size: int, title: str) -> Array:
    """Return an array (size,) or (n, size); raise GambolError for another shape."""
    array = real(numbers, title)
    if array.ndim not in (1, 2) or array.shape[-1] != size:
        raise GambolError(f"{title} has numbers of shape {array.shape}; give ({size},), or (n, {size}) for n poses")
    return array


def unit_vectors(numbers: ArrayLike, size: int, title: str) -> Array:
    """Return vectors divided by their lengths; raise GambolError for a length of 0."""
    array = vectors(numbers, size, title)
    lengths = np.linalg.norm(array, axis=-1, keepdims=True)
    if not (lengths > 0.0).all():
        raise GambolError(f"{title} has a vector of length 0, which has no direction")
    return array / lengths


def joined(title: str, *parts: ArrayLike) -> Array:
    """Return vectors of three numbers side by side: (k,), or (n, k) if any part has n poses."""
    part_arrays = [np.asarray(part) for part in parts]
    if all(a.shape == (3,) and a.dtype.kind in "fiu" for a in part_arrays):  # the usual case, ten times as fast
        row = np.concatenate(part_arrays, dtype=float)
        return row if np.isfinite(row).all() else real(row, title)
    arrays = [vectors(part, 3, title) for part in parts]
    poses = {len(a) for a in arrays if a.ndim == 2} - {1}
    if len(poses) > 1:
        raise GambolError(f"{title} has numbers of {' and '.join(map(str, sorted(poses)))} poses; give as many of each")
    if all(a.ndim == 1 for a in arrays):
        return np.concatenate(arrays)
    n = max((len(a) for a in arrays if a.ndim == 2), default=1)
    return np.concatenate([np.broadcast_to(a, (n, 3)) for a in arrays], axis=1)


def edges_of(corners: Array, margin: float, title: str) -> Array:
    """Return the outward normal and the largest offset of each edge (k, 3) of a convex polygon, less a margin [m].

    corners (k, 2): corners in order around the polygon. Raises GambolError unless it is convex, and wider than the
    margin.
    """
    sides = np.roll(corners, -1, axis=0) - corners
    turns = sides[:, 0] * np.roll(sides, -1, axis=0)[:, 1] - sides[:, 1] * np.roll(sides, -1, axis=0)[:, 0]
    if not ((turns > 0.0).all() or (turns < 0.0).all()):
        raise GambolError(f"{title} has a support that is not a convex polygon; give its corners in order around it")
    normals = np.sign(turns[0]) * np.stack([sides[:, 1], -sides[:, 0]], axis=1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    offsets = np.einsum("ij,ij->i", normals, corners)
    if (normals @ corners.mean(axis=0) > offsets - margin).any():
        raise GambolError(
            f"{title} has a margin of {margin:g} m, which leaves nothing of its support; give a smaller one"
        )
    return np.column_stack([normals, offsets - margin])


def length(gaps: Array) -> Array:
    """Return the length of gaps (rows, n): (n,)."""
    return np.sqrt((gaps * gaps).sum(axis=0))

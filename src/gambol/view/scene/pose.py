"""Rotation and pose matrices of recorded quaternions, and links that are cut off, for drawing."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.world.film import Film

Array = NDArray[np.float64]


def is_cut_off(film: Film, frame: int, link: int) -> bool:
    """Return True if a link of the first world of a film is cut off in a frame, so that it is not drawn."""
    cut = film.signals.get("cut_off")
    return cut is not None and bool(cut[frame, 0, link] > 0.5)


def rotation(q: NDArray[Any]) -> Array:
    """Return the 3 x 3 rotation matrix from body to world coordinates of a unit quaternion (w, x, y, z).

    q may be (4, ...): then the matrices are (3, 3, ...).
    """
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def poses_of(q: NDArray[Any], p: NDArray[Any]) -> Array:
    """Return the matrices (N, 4, 4) of rotations q (N, 4) (w, x, y, z) followed by translations p (N, 3)."""
    X = np.tile(np.eye(4), (len(p), 1, 1))
    X[:, :3, :3], X[:, :3, 3] = np.moveaxis(rotation(np.moveaxis(q, -1, 0)), -1, 0), p
    return X

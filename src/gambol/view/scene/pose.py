"""Rotation and pose matrices of recorded quaternions, for drawing."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def rotation(q: NDArray[Any]) -> Array:
    """The 3 x 3 matrix that takes body coordinates to the world's, of a unit quaternion (w, x, y, z).

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


def pose(q: NDArray[Any], p: NDArray[Any]) -> Array:
    """The 4 x 4 matrix of a rotation (w, x, y, z) followed by a shift."""
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = rotation(q), p
    return X

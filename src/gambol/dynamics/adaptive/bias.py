"""The bias coordinates of a rigid part: the products of the components of its angular velocity, and 1.

Velocity-product forces and accelerations of a rigid part are linear in them.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.spatial.vector import Vector

Array = NDArray[np.float64]

PRODUCTS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
FIRST, SECOND = (list(axes) for axes in zip(*PRODUCTS, strict=True))
BIASES = len(PRODUCTS) + 1


def _stacked(components: Any) -> Array:
    return np.stack(list(components), axis=1)


def bias_columns(function: Callable[[Vector], Any]) -> Array:
    """Return the columns (n, m, K) of a quadratic function of the angular velocity, one for each bias coordinate.

    function: returns m arrays (n) from an angular velocity. Its mixed terms follow from f(a + b) - f(a) - f(b).
    """
    axes = np.eye(3)
    along_axes = [_stacked(function(Vector.of(axis.tolist()))) for axis in axes]
    columns = [
        along_axes[i]
        if i == k
        else _stacked(function(Vector.of((axes[i] + axes[k]).tolist()))) - along_axes[i] - along_axes[k]
        for i, k in PRODUCTS
    ]
    return np.stack([*columns, np.zeros_like(along_axes[0])], axis=2)


def bias_coordinates(omega: Array) -> Array:
    """Return the bias coordinates (n, K) of angular velocities (n, 3)."""
    coordinates = np.ones((len(omega), BIASES))
    coordinates[:, :-1] = omega[:, FIRST] * omega[:, SECOND]
    return coordinates

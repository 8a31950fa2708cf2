"""Inclined ground: a height grid of one cell."""

import math

import numpy as np

from gambol.collide.height_grid import HeightGrid


def inclined_plane(slope: float, half_length: float) -> HeightGrid:
    """Return a square plane through the origin that rises along x.

    slope: its angle to the horizontal [rad]. half_length: half of the length of its sides, seen from above [m].
    """
    rise = half_length * math.tan(slope)
    heights = np.array([[-rise, -rise], [rise, rise]])
    return HeightGrid(heights, 2.0 * half_length, -half_length, -half_length)

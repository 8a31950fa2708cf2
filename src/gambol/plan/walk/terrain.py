"""The body of a walker on uneven ground: a plane through the ground below its feet, averaged over a stride.

    height below foot i at (x_i, y_i) of the body's frame, averaged     h_i = a + b x_i + c y_i     least squares

The body's origin is raised by a, and its z axis is normal to the plane. The average is over half a
stride behind and half a stride ahead; without it the body would jump with every edge of the ground.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.plan.walk.body import BodyPath, Poses

Array = NDArray[np.float64]
Height = Callable[[Array, Array], Array]

SAMPLES = 9
"""Number of places in a stride at which the ground is looked at."""


@dataclass(frozen=True)
class Terrain:
    """The ground below a walker.

    height: height of the ground from x and y [m]. points (n, 2): positions of the standing feet in the body's frame on
    the ground [m]. period: duration of a stride [s].
    """

    height: Height
    points: Array
    period: float

    def tilted(self, body: BodyPath, times: Array) -> Poses:
        """Return the poses of a body (F,) that follows the path and the ground, and leans into turns."""
        level = np.column_stack([self.points, np.zeros(len(self.points))])
        heights = np.zeros((len(times), len(level)))
        poses, stride = body.upright(times), self.period * body.speed(times)
        for shift in np.arange(SAMPLES) / (SAMPLES - 1) - 0.5:
            placed = poses.apply(level) + (shift * stride)[:, None, None] * poses.rotation[:, None, :, 0]
            heights += self.height(placed[:, :, 0], placed[:, :, 1]) / SAMPLES
        plane = np.linalg.pinv(np.column_stack([np.ones(len(level)), self.points]))
        a, b, c = plane @ heights.T
        lean = body.lean(times)
        position = poses.position + np.stack([np.zeros_like(a), np.zeros_like(a), a], axis=-1)
        return Poses(poses.rotation @ _slope(b, c) @ _about_x(lean), position)


def _slope(b: Array, c: Array) -> Array:
    """Return rotations (F, 3, 3) that turn z to the normal of the plane z = b x + c y, and x within the plane z, x."""
    one, zero = np.ones_like(b), np.zeros_like(b)
    normal = np.stack([-b, -c, one], axis=-1) / np.sqrt(1.0 + b * b + c * c)[:, None]
    forward = np.stack([one, zero, b], axis=-1) / np.sqrt(1.0 + b * b)[:, None]
    return np.stack([forward, np.cross(normal, forward), normal], axis=-1)


def _about_x(angle: Array) -> Array:
    """Return rotations (F, 3, 3) about x."""
    c, s, one, zero = np.cos(angle), np.sin(angle), np.ones_like(angle), np.zeros_like(angle)
    return np.array([[one, zero, zero], [zero, c, -s], [zero, s, c]]).transpose(2, 0, 1)

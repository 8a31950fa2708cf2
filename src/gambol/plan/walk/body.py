"""The motion of a walker's body along a path: its heading is the tangent, and it leans into turns.

tan(lean) = v^2 / (g r)        the resultant of weight and centripetal force then lies in the body's middle plane
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.plan.path import PacedCurve

Array = NDArray[np.float64]

MAX_VERTICAL = 1e-6
"""Maximum vertical part of a unit tangent; footholds and the path have the height of the ground."""


@dataclass(frozen=True)
class Poses:
    """Poses of a body's frame on the ground. rotation (F, 3, 3), position (F, 3) [m]."""

    rotation: Array
    position: Array

    def apply(self, points: Array) -> Array:
        """Return points (n, 3) of the frame in the world: (F, n, 3) [m]."""
        return np.einsum("fij,nj->fni", self.rotation, points) + self.position[:, None]

    @property
    def matrices(self) -> Array:
        """The poses as matrices (F, 4, 4)."""
        result = np.zeros((len(self.position), 4, 4))
        result[:, :3, :3], result[:, :3, 3], result[:, 3, 3] = self.rotation, self.position, 1.0
        return result


@dataclass(frozen=True)
class BodyPath:
    """A body that moves along a level curve at a pace.

    bank: fraction of the lean that balances the body, 0 to 1. gravity [m/s2]. Raises GambolError for a curve that is
    not level.
    """

    path: PacedCurve
    bank: float = 1.0
    gravity: float = 9.81

    def __post_init__(self) -> None:
        _, tangent, _ = self.path.curve.frame(np.linspace(0.0, self.path.curve.length, 65))
        if (abs(tangent[:, 2]) > MAX_VERTICAL).any():
            raise GambolError("the path of a walker is not level; give points of one height")

    def upright(self, times: Array) -> Poses:
        """Return the poses without lean: x along the path, z up, the origin on the path."""
        position, tangent, _, _ = self._path_state(times)
        return Poses(_heading(tangent), position)

    def speed(self, times: Array) -> Array:
        """Return the speed along the path (F,) [m/s]."""
        return self._path_state(times)[3]

    def lean(self, times: Array) -> Array:
        """Return the lean (F,) [rad]: positive to the right, in turns to the right."""
        _, tangent, curvature, speed = self._path_state(times)
        to_left = tangent[:, 0] * curvature[:, 1] - tangent[:, 1] * curvature[:, 0]
        return -self.bank * np.arctan(speed * speed * to_left / self.gravity)

    def _path_state(self, times: Array) -> tuple[Array, Array, Array, Array]:
        """Return position, tangent and curvature (F, 3), and speed (F,), at some times."""
        path = self.path
        t = (np.asarray(times, float) - path.start) / path.duration
        s, rate, _ = path.pace.motion(t)
        moving = ((t >= 0.0) & (t <= 1.0)).astype(float)
        position, tangent, curvature = path.curve.frame(np.clip(s, 0.0, 1.0) * path.curve.length)
        return position, tangent, curvature, moving * rate * path.curve.length / path.duration


def _heading(tangent: Array) -> Array:
    """Return rotations (F, 3, 3) with x along the tangents and z up."""
    x, y, zero, one = tangent[:, 0], tangent[:, 1], np.zeros(len(tangent)), np.ones(len(tangent))
    return np.array([[x, -y, zero], [y, x, zero], [zero, zero, one]]).transpose(2, 0, 1)

"""No ground: bodies touch only each other."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide.ground import Surface
from gambol.collide.plane import UP
from gambol.lanes import Scalar

HEIGHT = -1e30  # m: below all bodies in any run, and finite in float32


@dataclass(frozen=True)
class NoGround:
    """A level plane far below all bodies, so that no body touches it."""

    def numbers(self) -> dict[str, float]:
        """Return no numbers."""
        return {}

    def table(self) -> NDArray[np.float64] | None:
        """Return None: it has no table of heights."""
        return None

    def surface(self, numbers: dict[str, Scalar], table: Any, x: Scalar, y: Scalar) -> Surface:
        """Return the level plane far below all bodies."""
        return Surface(HEIGHT, UP)

    def highest(self, numbers: dict[str, Scalar], table: Any, x: Scalar, y: Scalar, radius: Scalar) -> Scalar:
        """Return the height of the plane [m]."""
        return HEIGHT

"""No ground: bodies touch each other only, in a world whose contacts have stiffness and friction."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide.ground import Surface
from gambol.collide.plane import UP
from gambol.lanes import Scalar

DEPTH = -1e30  # m: nothing falls this far in any run, and it is finite in float32


@dataclass(frozen=True)
class NoGround:
    """A ground infinitely far below, which nothing touches."""

    def numbers(self) -> dict[str, float]:
        """Return no numbers."""
        return {}

    def table(self) -> NDArray[np.float64] | None:
        """Return None: it has no table of heights."""
        return None

    def surface(self, numbers: dict[str, Scalar], table: Any, x: Scalar, y: Scalar) -> Surface:
        """Return a level plane far below everything."""
        return Surface(DEPTH, UP)

    def highest(self, numbers: dict[str, Scalar], table: Any, x: Scalar, y: Scalar, radius: Scalar) -> Scalar:
        """Return the height of that plane [m]."""
        return DEPTH

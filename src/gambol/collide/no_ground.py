"""No ground: bodies touch each other only, in a world whose touch has stiffness and friction."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide.ground import Surface
from gambol.collide.plane import UP
from gambol.lanes import Scalar

DEPTH = -1e30  # m: nothing falls as far as this in any run, and float32 holds it


@dataclass(frozen=True)
class NoGround:
    """A ground that nothing ever reaches."""

    def numbers(self) -> dict[str, float]:
        """There are no numbers to describe it."""
        return {}

    def table(self) -> NDArray[np.float64] | None:
        """It has no table of heights."""
        return None

    def surface(self, numbers: dict[str, Scalar], table: Any, x: Scalar, y: Scalar) -> Surface:
        """A level far below everything."""
        return Surface(DEPTH, UP)

    def highest(self, numbers: dict[str, Scalar], table: Any, x: Scalar, y: Scalar, radius: Scalar) -> Scalar:
        """The same level."""
        return DEPTH

"""Level ground."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide.ground import Surface
from gambol.lanes import Scalar
from gambol.spatial import Vector

UP = Vector(0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Plane:
    """A level plane at a height [m]."""

    height: float = 0.0

    def numbers(self) -> dict[str, float]:
        """Its height."""
        return {"height": self.height}

    def table(self) -> NDArray[np.float64] | None:
        """A plane has none."""
        return None

    def surface(self, numbers: dict[str, Scalar], table: Any, x: Scalar, y: Scalar) -> Surface:
        """The same everywhere."""
        return Surface(numbers["height"], UP)

    def highest(self, numbers: dict[str, Scalar], table: Any, x: Scalar, y: Scalar, radius: Scalar) -> Scalar:
        """Its height."""
        return numbers["height"]

"""Level ground."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide.ground import Surface
from gambol.errors import WorldError
from gambol.lanes import Scalar
from gambol.spatial import Vector

UP = Vector(0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Plane:
    """A level plane at a height [m]. Raises WorldError for a height that is not finite."""

    height: float = 0.0

    def __post_init__(self) -> None:
        if not np.isfinite(self.height):
            raise WorldError(f"a plane cannot lie at a height of {self.height} m; it must be finite")

    def numbers(self) -> dict[str, float]:
        """Return the height, as the input of a program."""
        return {"height": self.height}

    def table(self) -> NDArray[np.float64] | None:
        """Return None: it has no table of heights."""
        return None

    def surface(self, numbers: dict[str, Scalar], table: Any, x: Scalar, y: Scalar) -> Surface:
        """Return the plane, which is the same everywhere."""
        return Surface(numbers["height"], UP)

    def highest(self, numbers: dict[str, Scalar], table: Any, x: Scalar, y: Scalar, radius: Scalar) -> Scalar:
        """Return the height of the plane [m]."""
        return numbers["height"]

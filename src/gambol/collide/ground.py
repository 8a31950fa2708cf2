"""Grounds: their interface, which is height and normal at a point (x, y); a level plane; and no ground."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gambol.collide.gap import UP
from gambol.errors import WorldError
from gambol.lanes import Scalar
from gambol.spatial import Vector


@dataclass(frozen=True, slots=True)
class Surface:
    """The ground at a point (x, y): its height [m], and its unit normal, which points out of the ground."""

    height: Scalar
    normal: Vector

    def depth(self, z: Scalar) -> Scalar:
        """Return the depth of a point at height z [m] below the surface, along the normal [m]."""
        return (self.height - z) * self.normal.z


class Ground(Protocol):
    """A ground. Its numbers and its table are inputs of a program, so grounds of one class share a program."""

    def numbers(self) -> dict[str, float]:
        """Return the parameters of the ground, by name."""
        ...

    def table(self) -> NDArray[np.float64] | None:
        """Return the table of heights [m], or None for a ground without one."""
        ...

    def surface(self, numbers: dict[str, Scalar], table: Any, x: Scalar, y: Scalar) -> Surface:
        """Return the surface at a point (x, y) [m]. numbers, table: inputs of the program."""
        ...

    def highest(self, numbers: dict[str, Scalar], table: Any, x: Scalar, y: Scalar, radius: Scalar) -> Scalar:
        """Return an upper bound of the ground's height within a radius of a point (x, y) [m].

        numbers, table: inputs of the program.
        """
        ...


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


NO_GROUND_HEIGHT = -1e30  # m: below all bodies in any run, and finite in float32


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
        return Surface(NO_GROUND_HEIGHT, UP)

    def highest(self, numbers: dict[str, Scalar], table: Any, x: Scalar, y: Scalar, radius: Scalar) -> Scalar:
        """Return the height of the plane [m]."""
        return NO_GROUND_HEIGHT

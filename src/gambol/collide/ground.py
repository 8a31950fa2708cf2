"""The interface of grounds: height and normal at a point (x, y), and the greatest height around it."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

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

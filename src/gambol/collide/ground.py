"""What every ground answers: how high it is at a place, which way it faces there, and how high it gets nearby."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import Scalar
from gambol.spatial import Vector


@dataclass(frozen=True, slots=True)
class Surface:
    """The ground above and below one place: its height [m] and its unit normal, which points out of it."""

    height: Scalar
    normal: Vector

    def depth(self, z: Scalar) -> Scalar:
        """How far a point at height z [m] is inside the ground, measured along the normal [m]."""
        return (self.height - z) * self.normal.z


class Ground(Protocol):
    """A ground. Its numbers and its table are inputs of a program: another ground of its kind needs no new one."""

    def numbers(self) -> dict[str, float]:
        """The numbers that describe it."""
        ...

    def table(self) -> NDArray[np.float64] | None:
        """Its table of heights [m], or None."""
        ...

    def surface(self, numbers: dict[str, Scalar], table: Any, x: Scalar, y: Scalar) -> Surface:
        """The ground at a place (x, y) [m]."""
        ...

    def highest(self, numbers: dict[str, Scalar], table: Any, x: Scalar, y: Scalar, radius: Scalar) -> Scalar:
        """A height that the ground does not exceed within a radius of a place [m]."""
        ...

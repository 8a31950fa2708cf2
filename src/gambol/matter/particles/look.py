"""The look of particles: colour and size over their life, and streaks."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError

Array = NDArray[np.float64]
RGBA = tuple[float, float, float, float]


@dataclass(frozen=True)
class Look:
    """Colour and size over the life of a particle, interpolated linearly.

    colors: pairs (fraction of life, (red, green, blue, opacity)), in order; all numbers are from 0 to 1. sizes: pairs
    (fraction of life, factor of the radius). streak: time over which the particle is drawn as a line along its velocity
    [s]; 0 for a point. glow: True if it emits light, like sparks: its colour is added to the background. Raises
    WorldError for fractions out of order and for numbers out of range.
    """

    colors: tuple[tuple[float, RGBA], ...] = ((0.0, (0.8, 0.8, 0.8, 1.0)),)
    sizes: tuple[tuple[float, float], ...] = ((0.0, 1.0),)
    streak: float = 0.0
    glow: bool = False

    def __post_init__(self) -> None:
        for name, pairs in (("colors", self.colors), ("sizes", self.sizes)):
            fractions = [fraction for fraction, _ in pairs]
            if not fractions or sorted(fractions) != fractions or fractions[0] < 0.0 or fractions[-1] > 1.0:
                raise WorldError(
                    f"{name} of particles are at the fractions {fractions} of life; order them, from 0 to 1"
                )
        for _, rgba in self.colors:
            if len(rgba) != 4 or not all(0.0 <= c <= 1.0 for c in rgba):
                raise WorldError(f"a particle has the colour {rgba}; give red, green, blue and opacity from 0 to 1")
        if min(factor for _, factor in self.sizes) < 0.0 or self.streak < 0.0:
            raise WorldError("sizes and streaks of particles must be 0 or more")

    def color(self, fraction: Array) -> Array:
        """Return colours (n, 4) at fractions of life (n,)."""
        at = [f for f, _ in self.colors]
        return np.stack([np.interp(fraction, at, [rgba[k] for _, rgba in self.colors]) for k in range(4)], axis=1)

    def size(self, fraction: Array) -> Array:
        """Return factors of the radius (n,) at fractions of life (n,)."""
        return np.interp(fraction, [f for f, _ in self.sizes], [factor for _, factor in self.sizes])

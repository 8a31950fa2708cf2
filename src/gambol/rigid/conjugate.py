"""Conjugate directions between sweeps, for large connected piles. The change by a sweep serves as the gradient.

    g_k = p_k - sweep(p_k)       beta = |g_k|^2 / |g_k-1|^2
    p_k+1 = sweep(p_k) + beta d_k-1,    d_k = beta d_k-1 - g_k        or p_k+1 = sweep(p_k), d_k = 0 where beta > 1

A sweep passes an impulse on only slowly from contact to contact; conjugate directions carry it further. Nothing is
added after the last sweep, so its result satisfies the laws. [Silcowitz-Hansen, Niebe & Erleben 2010]
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.rigid.order import SweepOrder

Array = NDArray[Any]


class ConjugateDirections:
    """Changes impulses (3, columns) and velocities in their slots (12, columns) in place between sweeps.

    order: order of the contacts. Velocities are linear in the impulses, so they are extrapolated in the same way.
    """

    def __init__(self, order: SweepOrder, slots: Array, impulses: Array) -> None:
        self.order, self.values = order, (impulses, slots)
        self.previous = [x.copy() for x in self.values]
        self.direction = [np.zeros_like(x) for x in self.values]
        self.square = 0.0

    def extrapolate(self, change: Array) -> None:
        """Extrapolate from the last sweep; change: change of each contact's speed in that sweep (1, columns) [m/s]."""
        ordered = self.order.from_columns(change[0])  # so that the sum does not depend on the number of lanes
        square = float(np.square(ordered).sum())
        beta = square / self.square if 0.0 < square <= self.square else 0.0
        for x, previous, direction in zip(self.values, self.previous, self.direction, strict=True):
            direction *= beta
            step = x - previous
            if beta:
                x += direction
                direction += step
            elif not self.square:
                direction[:] = step
            previous[:] = x
        self.square = square

"""Conjugate directions between sweeps, for large connected piles. The change by a sweep serves as the gradient.

    g_k = p_k - sweep(p_k)       beta = |g_k|^2 / |g_k-1|^2
    p_k+1 = sweep(p_k) + beta d_k-1,    d_k = beta d_k-1 - g_k        or p_k+1 = sweep(p_k), d_k = 0 where beta > 1

A sweep passes an impulse on only slowly from contact to contact; conjugate directions carry it further. Nothing is
added after the last sweep, so its result satisfies the laws. [Silcowitz-Hansen, Niebe & Erleben 2010]
"""

import numpy as np
from numpy.typing import NDArray

from gambol.rigid.order import SweepOrder

Array = NDArray[np.float64]


class ConjugateDirections:
    """Changes impulses (3, columns) and the store of velocities (12, columns) in place between sweeps.

    order: order of the contacts, which defines the columns; velocity: present velocities of all bodies (6, bodies).
    """

    def __init__(self, order: SweepOrder, store: Array, impulses: Array, velocity: Array) -> None:
        self.order, self.store, self.impulses = order, store, impulses
        self.previous = impulses.copy(), order.from_store(store, velocity)
        self.direction = np.zeros_like(impulses), np.zeros_like(velocity)
        self.square = 0.0

    def extrapolate(self, change: Array) -> None:
        """Extrapolate from the last sweep; change: change of each contact's speed in that sweep (1, columns) [m/s]."""
        square = float((change * change).sum())
        velocity = self.order.from_store(self.store, self.previous[1])
        changes = self.impulses - self.previous[0], velocity - self.previous[1]
        beta = square / self.square if 0.0 < square <= self.square else 0.0
        if beta:
            step = beta * self.direction[0], beta * self.direction[1]
            self.impulses += step[0]
            velocity = velocity + step[1]
            self.store[:] = self.order.to_store(velocity)
            self.direction = step[0] + changes[0], step[1] + changes[1]
        elif self.square:
            self.direction = np.zeros_like(self.direction[0]), np.zeros_like(self.direction[1])
        else:
            self.direction = changes
        self.square = square
        self.previous = self.impulses.copy(), velocity

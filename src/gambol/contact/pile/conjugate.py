"""Sweeps taken as gradients: conjugate directions between them, for contacts that hang together far and wide.

    g_k = p_k - sweep(p_k)       beta = |g_k|^2 / |g_k-1|^2
    p_k+1 = sweep(p_k) + beta d_k-1,    d_k = beta d_k-1 - g_k        or p_k+1 = sweep(p_k), d_k = 0 where beta > 1

A sweep hands a push on from contact to contact only slowly; these directions carry it further. Whatever they do, the
laws are met by the last sweep, after which nothing is added. [Silcowitz-Hansen, Niebe & Erleben 2010]
"""

import numpy as np
from numpy.typing import NDArray

from gambol.contact.pile.order import Order

Array = NDArray[np.float64]


class Conjugate:
    """Impulses (3, columns) and the store of velocities (12, columns), which it changes in place between sweeps.

    velocity: of all bodies as they are now (6, bodies).
    """

    def __init__(self, order: Order, store: Array, impulses: Array, velocity: Array) -> None:
        self.order, self.store, self.impulses = order, store, impulses
        self.before = impulses.copy(), order.left(store, velocity)
        self.along = np.zeros_like(impulses), np.zeros_like(velocity)
        self.size = 0.0

    def further(self, change: Array) -> None:
        """Go on from a sweep that changed speeds by so much (1, columns) [m/s]."""
        size = float((change * change).sum())
        velocity = self.order.left(self.store, self.before[1])
        steps = self.impulses - self.before[0], velocity - self.before[1]
        beta = size / self.size if 0.0 < size <= self.size else 0.0
        if beta:
            carried = beta * self.along[0], beta * self.along[1]
            self.impulses += carried[0]
            velocity = velocity + carried[1]
            self.store[:] = self.order.stored(velocity)
            self.along = carried[0] + steps[0], carried[1] + steps[1]
        elif self.size:
            self.along = np.zeros_like(self.along[0]), np.zeros_like(self.along[1])
        else:
            self.along = steps
        self.size = size
        self.before = self.impulses.copy(), velocity

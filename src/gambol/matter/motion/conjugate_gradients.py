"""Conjugate gradients with a preconditioner, for a symmetric positive definite system; sums in a fixed order.

a = r.z/(p.A p)    x += a p    r -= a A p    z = P r    p = z + (r.z new/r.z old) p    [Shewchuk 1994, section B3]
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.matter.forces.layout import ordered_sum

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Solution:
    """The solution x of A x = b, the number of iterations, and the square root of r.P r relative to x = 0."""

    x: Array
    iterations: int
    residual: float


def conjugate_gradients(
    times: Callable[[Array], Array],
    preconditioned: Callable[[Array], Array],
    b: Array,
    tolerance: float,
    max_iterations: int,
) -> Solution:
    """Return the solution of A x = b from x = 0.

    times: returns A p. preconditioned: returns P r. tolerance: tolerance of the residual, relative to that of x = 0.
    """
    x, r = np.zeros_like(b), b.copy()
    z = preconditioned(r)
    p, rz = z.copy(), ordered_sum(r * z)
    start = rz
    iterations = 0
    while rz > tolerance * tolerance * start and iterations < max_iterations:
        q = times(p)
        curvature = ordered_sum(p * q)
        if not curvature > 0.0:
            break
        a = rz / curvature
        x += a * p
        r -= a * q
        z = preconditioned(r)
        rz, previous = ordered_sum(r * z), rz
        p *= rz / previous
        p += z
        iterations += 1
    return Solution(x, iterations, float(np.sqrt(rz / start)) if start > 0.0 else 0.0)

"""Derivatives by finite differences in extended precision: an independent reference, to about thirteen digits."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.figure import JOINTS, Figure
from gambol.lanes import leaves

Array = NDArray[np.float64]

STEP = 2.0**-12  # its fourth power is 4e-15, and 5e-20, the precision of what is subtracted, over it is 2e-16
STENCIL = ((1, 8.0), (-1, -8.0), (2, -1.0), (-2, 1.0))  # of fourth order, over 12 steps


def differences(function: Callable[[list[Any]], Any], x: Sequence[float]) -> Array:
    """Return the Jacobian (outputs x inputs) of a function of a list of scalars, on arrays of long doubles."""
    n = len(x)
    points = np.tile(np.array(x, np.longdouble)[:, None, None], (1, n, len(STENCIL)))
    for k in range(n):
        points[k, k] += STEP * np.array([offset for offset, _ in STENCIL], np.longdouble)
    results = leaves(function([row.ravel() for row in points]))
    weights = np.array([weight for _, weight in STENCIL], np.longdouble)
    stacked = np.array([np.broadcast_to(np.asarray(f, np.longdouble), n * len(STENCIL)) for f in results])
    return (stacked.reshape(len(results), n, -1) @ weights / (12.0 * STEP)).astype(float)


def displaced(figure: Figure, q: Sequence[Any], x: Sequence[Any]) -> list[Any]:
    """Return q moved by joint velocities x for unit time, each joint along its exponential map."""
    result: list[Any] = []
    for link in figure.outward():
        kind, at = JOINTS[link.joint.kind], list(q[link.q])
        rates = kind.tangent_rate(at, [0.0] * kind.nv, x[link.v])
        result += kind.integrate(at, rates)
    return result

"""Linear feedback along a trajectory that costs least: the discrete Riccati recursion, backward in time.

minimise the sum of x' Q x + u' R u,   x_next = A x + B u,   u = -K x
K = (R + B' S B)^-1 B' S A        S_before = Q + A' S (A - B K)        [Bertsekas 2005, section 4.1]
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import PlanError

Array = NDArray[Any]

MAX_STEPS = 500
"""Maximum number of steps for which the last (or cyclic) motion is continued, until the cost-to-go is steady."""

STEADY_TOLERANCE = 1e-6
"""Largest relative change of a steady cost-to-go in a step."""


def feedback_gains(A: Array, B: Array, Q: Array, R: Array, *, cyclic: bool = False) -> Array:
    """Return the gains K (N, inputs, states) of N steps.

    A (N, states, states), B (N, states, inputs): matrices of each step. Q (states, states), R (inputs, inputs): the
    cost of a step. cyclic: True if the motion begins again after the last step; else it continues as in the last step.
    Raises PlanError if the recursion is not finite.
    """
    cost = _steady(A if cyclic else A[-1:], B if cyclic else B[-1:], Q, R)
    gains = np.empty((len(A), B.shape[2], A.shape[1]))
    for k in range(len(A) - 1, -1, -1):
        cost, gains[k] = _one_step_earlier(cost, A[k], B[k], Q, R)
    if not np.isfinite(gains).all():
        raise PlanError(
            "the feedback along this motion is not finite, because its weights or its linear model are not finite"
        )
    return gains


def _one_step_earlier(S: Array, A: Array, B: Array, Q: Array, R: Array) -> tuple[Array, Array]:
    """Return the cost-to-go one step earlier, and the gain of the step."""
    SB = S @ B
    K: Array = np.linalg.solve(R + B.T @ SB, SB.T @ A)
    before: Array = Q + A.T @ S @ (A - B @ K)
    return 0.5 * (before + before.T), K


def _steady(A: Array, B: Array, Q: Array, R: Array) -> Array:
    """Return the cost-to-go after repeating the steps until it is steady, or for MAX_STEPS steps."""
    cost = Q
    for _ in range(max(1, MAX_STEPS // len(A))):
        last = cost
        for k in range(len(A) - 1, -1, -1):
            cost, _ = _one_step_earlier(cost, A[k], B[k], Q, R)
        if np.abs(cost - last).max() <= STEADY_TOLERANCE * np.abs(cost).max():
            break
    return cost

"""Feedback of least cost, against scipy's solution of the algebraic equation and against costs of other gains."""

import numpy as np
import pytest
from scipy.linalg import solve_discrete_are

from gambol.errors import PlanError
from gambol.plan.track.riccati import feedback_gains

RANDOM = np.random.default_rng(3)
A, B = np.eye(4) + 0.3 * RANDOM.normal(size=(4, 4)), RANDOM.normal(size=(4, 2))
Q, R = np.diag([1.0, 2.0, 3.0, 4.0]), np.diag([0.5, 2.0])


def test_the_gains_of_a_constant_system_are_those_of_the_algebraic_equation():
    gains = feedback_gains(np.stack([A] * 5), np.stack([B] * 5), Q, R)
    S = solve_discrete_are(A, B, Q, R)
    expected = np.linalg.solve(R + B.T @ S @ B, B.T @ S @ A)
    np.testing.assert_allclose(gains, np.broadcast_to(expected, gains.shape), rtol=1e-4)  # settled to 1e-6 in a step


def test_cyclic_gains_of_two_alternating_systems_are_those_of_their_double_step():
    """Two steps as one, with inputs of both: the cost-to-go at its start is the same, and so is the first gain."""
    As, Bs = np.stack([A, A.T]), np.stack([B, B[::-1]])
    gains = feedback_gains(As, Bs, Q, R, cyclic=True)
    A2, B2 = As[1] @ As[0], np.hstack([As[1] @ Bs[0], Bs[1]])
    middle = np.vstack([As[0].T, Bs[0].T, np.zeros((2, 4))])  # of the state between: A0 x + B0 u0
    cost = middle @ Q @ middle.T
    Q2, S2 = Q + cost[:4, :4], cost[:4, 4:]
    R2 = np.block([[R, np.zeros((2, 2))], [np.zeros((2, 2)), R]]) + cost[4:, 4:]
    S = solve_discrete_are(A2, B2, Q2, R2, s=S2)
    K = np.linalg.solve(R2 + B2.T @ S @ B2, B2.T @ S @ A2 + S2.T)
    np.testing.assert_allclose(gains[0], K[:2], rtol=1e-4)


def test_infinite_systems_are_an_error():
    with pytest.raises(PlanError, match="not finite"), np.errstate(all="ignore"):
        feedback_gains(np.full((2, 4, 4), np.inf), np.stack([B] * 2), Q, R)

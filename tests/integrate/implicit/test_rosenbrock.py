"""The linearly implicit method: its order conditions in exact fractions, L-stability, and stiff damped springs."""

from fractions import Fraction as F

import numpy as np
import pytest
from motions import Array, MotionState, integrated, program, run, spring

from gambol.integrate import INTEGRATORS, StepControl, System, integrate_to
from gambol.integrate.implicit.rosenbrock import ALPHA, GAMMA, GAMMA_I, A, C, M
from gambol.lanes import sin

NAME = "rosenbrock"


def square(rows: tuple[tuple[float, ...], ...], diagonal: F) -> Array:
    """A matrix of fractions from its rows below the diagonal."""
    n = len(rows)
    exact = [[F(x).limit_denominator(1000) for x in row] for row in rows]
    return np.array([[*row, diagonal, *([F(0)] * n)][:n] for row in exact], dtype=object)


def inverse_of_lower(L: Array) -> Array:
    n = len(L)
    X = np.array([[F(0)] * n for _ in range(n)], dtype=object)
    for k in range(n):
        for i in range(k, n):
            X[i, k] = ((F(1) if i == k else F(0)) - sum((L[i, j] * X[j, k] for j in range(k, i)), F(0))) / L[i, i]
    return X


# From the form that solves for K to the usual one: Gamma^-1 = 1 / gamma - C, alpha = A Gamma, b = M Gamma.
GAMMAS = inverse_of_lower(-square(C, F(0)) + np.diag([1 / F(GAMMA)] * 4) * F(1))
ALPHAS = square(A, F(0)) @ GAMMAS
BETA = ALPHAS + GAMMAS
WEIGHTS = {"step": np.array([F(m) for m in M]) @ GAMMAS, "embedded": np.array([F(2), F(0), F(1), F(0)]) @ GAMMAS}
ONE = np.array([F(1)] * 4)


@pytest.mark.parametrize(("weights", "order"), [("step", 3), ("embedded", 2)])
def test_order_conditions_hold_in_exact_fractions(weights: str, order: int):
    """The conditions of Rosenbrock methods [Hairer and Wanner 1996, section IV.7]."""
    b, a, beta = WEIGHTS[weights], ALPHAS @ ONE, BETA @ ONE
    assert b @ ONE == 1
    assert b @ beta == F(1, 2)
    third = [b @ (a * a) == F(1, 3), b @ (BETA @ beta) == F(1, 6)]
    assert all(third) == (order == 3)


def test_its_times_belong_to_its_stages():
    assert (ALPHAS @ ONE).tolist() == [F(x) for x in ALPHA]
    assert (GAMMAS @ ONE).tolist() == [F(x) for x in GAMMA_I]


@pytest.mark.parametrize("weights", WEIGHTS)
def test_infinitely_fast_decay_is_complete_after_one_step(weights: str):
    """R(infinity) = 1 - b B^-1 1 = 0."""
    assert 1 - WEIGHTS[weights] @ (inverse_of_lower(BETA) @ ONE) == 0


def test_nothing_that_decays_is_made_to_grow():
    """|R| at most 1 on the imaginary axis, where it is largest of the left half plane."""
    b, B = WEIGHTS["step"].astype(float), BETA.astype(float)
    for y in np.logspace(-3, 4, 200):
        R = 1.0 + 1j * y * b @ np.linalg.solve(np.eye(4) - 1j * y * B, np.ones(4))
        assert abs(R) <= 1.0 + 1e-12


# m = 1, k = 100: x at 0.1, 0.5, 1 and 2 s, from x = 1 at rest.
DAMPED = {
    0.0: [0.5403023058681398, 0.28366218546322625, -0.8390715290764524, 0.40808206181339196],
    2.0: [0.5689718909460997, 0.09855066761858593, -0.33685168059041337, 0.07911602361896251],
    20.0: [0.7357588823428847, 0.0404276819945128, 0.0004993992273873334, 4.3284226071209714e-08],
    40.0: [0.8222634239018094, 0.28217117397515307, 0.07390407190962292, 0.005069671397521481],
}


@pytest.mark.parametrize("c", DAMPED)
def test_damped_springs(c: float):
    for name, error in ((NAME, 5e-6), ("rk4", 1e-8), ("dormand-prince", 1e-10)):
        compiled, now = (
            program(name, spring(100.0, c), MotionState([1.0], [0.0], [0.0])),
            MotionState([1.0], [0.0], [0.0]),
        )
        result = run(compiled, name, now, 0.001, np.array([100.0, 500.0, 1000.0, 2000.0]))[0]
        np.testing.assert_allclose(result, DAMPED[c], atol=error)


def test_a_stiff_spring_at_steps_far_beyond_explicit_limits():
    """A damped spring of 1e6 N/m whose other end oscillates at 1 rad/s: RK4 needs steps below 1.4e-6 s."""
    k, c = 1e6, 2e6  # decays at 0.5 per s and at 2e6 per s

    def derivatives(t: float, q: list[float], v: list[float]) -> tuple[list[float], list[float]]:
        return [-k * (q[0] - sin(t)) - c * v[0]], []

    now = MotionState([0.0], [0.0])
    end = integrated(NAME, System(derivatives), now, 0.05, 40)
    slow = c / k  # q' = (sin t - q) / slow, once the fast part is gone
    exact = (np.sin(2.0) - slow * np.cos(2.0) + slow * np.exp(-2.0 / slow)) / (1.0 + slow * slow)
    assert end.q[0] == pytest.approx(exact, abs=2e-5)
    wild = integrated("rk4", System(derivatives), now, 0.05, 4)
    assert abs(wild.q[0]) > 1e10


def test_error_control_ignores_decayed_components():
    stiff = spring(1e6, 1e6 + 1.0)  # decays at 1 per s and at 1e6 per s
    control = StepControl(1e-3, (1e-6, 1e-6))
    end = integrate_to(INTEGRATORS[NAME], stiff, MotionState([1.0], [-1.0], [0.0]), (0.0, 1.0), control)
    assert end.state.q[0] == pytest.approx(np.exp(-1.0), abs=1e-4)
    assert end.accepted < 200  # an explicit method needs 1e6 / 3.3

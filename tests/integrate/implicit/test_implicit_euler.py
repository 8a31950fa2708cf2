"""Backward Euler and the implicit midpoint rule: decay, stiffness beyond explicit limits, and midpoint's invariants."""

import numpy as np
import pytest
from motions import SPUN, MotionState, body, double_energy, double_pendulum, integrated, pendulum, program, run, spring

STRETCHED = MotionState([1.0], [0.0], [0.0])


def test_an_oscillation_decays_by_the_root_of_one_plus_the_squared_step():
    h, steps = 0.1, 50
    now = integrated("implicit euler", spring(), STRETCHED, h, steps)
    assert np.hypot(now.q[0], now.v[0]) == pytest.approx((1.0 + h * h) ** (-steps / 2), rel=1e-12)


@pytest.mark.parametrize("k", [1e4, 1e8, 1e12])
def test_stiff_springs_come_to_rest(k: float):
    """L-stable: motion that is much faster than the step decays within a few steps."""
    now = integrated("implicit euler", spring(k=k, c=0.0), STRETCHED, 1.0, 10)
    assert abs(now.q[0]) <= (1.0 + k) ** -5 * 1.001


def test_the_midpoint_rule_conserves_the_energy_of_a_linear_spring():
    now = MotionState([1.0], [0.0], [0.0])
    rows = run(program("implicit midpoint", spring(k=100.0), now), "implicit midpoint", now, 0.3, 10000.0)[:2, 0]
    assert 0.5 * rows[1] ** 2 + 50.0 * rows[0] ** 2 == pytest.approx(50.0, rel=1e-9)


def test_the_midpoint_rule_is_reversible():
    there = integrated("implicit midpoint", body(gravity=9.81), SPUN, 0.05, 20)
    back = integrated("implicit midpoint", body(gravity=9.81), MotionState(there.q, there.v), -0.05, 20)
    np.testing.assert_allclose([*back.q, *back.v], [*SPUN.q, *SPUN.v], atol=1e-10)


def test_backward_euler_undoes_forward_euler():
    there = integrated("explicit euler", double_pendulum(), MotionState([1.0, 0.4], [0.2, -0.5]), 0.01, 1)
    back = integrated("implicit euler", double_pendulum(), there, -0.01, 1)
    np.testing.assert_allclose([*back.q, *back.v], [1.0, 0.4, 0.2, -0.5], atol=1e-13)


def test_the_midpoint_rule_holds_the_energy_of_a_pendulum_for_ten_thousand_steps():
    now = MotionState([2.0], [0.0])
    rows = run(
        program("implicit midpoint", pendulum(), now), "implicit midpoint", now, 0.01, np.arange(1e3, 1.01e4, 1e3)
    )
    energy = 0.5 * rows[1] ** 2 - 9.81 * np.cos(rows[0])
    np.testing.assert_allclose(energy, -9.81 * np.cos(2.0), atol=2e-3)


def test_backward_euler_takes_energy_from_a_double_pendulum():
    now = MotionState([1.0, 0.4], [0.0, 0.0])
    end = integrated("implicit euler", double_pendulum(), now, 0.02, 50)
    assert double_energy(end) < double_energy(now) - 0.1

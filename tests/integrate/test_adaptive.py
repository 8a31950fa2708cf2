"""Step size control: decisions, equal steps that fill a span, and a stiff spring integrated to a tolerance."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol.integrate import error_ratio, fitted_step, step_decision
from gambol.integrate.explicit.rkf45 import RKF45
from gambol.integrate.explicit.tableau import tableau_step


def test_the_worst_error_counts():
    assert error_ratio([1e-3, -4e-3, 2e-3], [1.0, 10.0, 1.0]) == pytest.approx(4e-2)


def test_a_step_is_kept_up_to_its_tolerance():
    assert step_decision(1.0, 0.1, 5).accept
    assert not step_decision(1.0001, 0.1, 5).accept


@given(st.floats(1e-12, 1e12))
def test_the_next_step_follows_the_error_within_bounds(ratio: float):
    expected = min(max(0.9 * ratio ** (-1 / 5), 0.2), 4.0)
    assert step_decision(ratio, 0.1, 5).next_step == pytest.approx(0.1 * expected, rel=1e-12)


@pytest.mark.parametrize("ratio", [math.inf, math.nan])
def test_an_error_without_a_number_is_thrown_away_and_shortens_most(ratio: float):
    decision = step_decision(ratio, 0.1, 5)
    assert not decision.accept
    assert decision.next_step == pytest.approx(0.02)


def test_every_lane_has_its_own_decision():
    decision = step_decision(np.array([0.5, 2.0, np.nan]), np.array([0.1, 0.1, 0.1]), 5)
    assert decision.accept.tolist() == [True, False, False]
    assert len(set(decision.next_step.tolist())) == 3


@given(rest=st.floats(1e-6, 1.0), h=st.floats(1e-7, 10.0))
def test_equal_parts_fill_what_is_left_without_a_crumb(rest: float, h: float):
    step = fitted_step(rest, h)
    parts = rest / step
    assert parts == pytest.approx(round(parts), abs=1e-6)
    assert step <= h * (1.0 + 2e-6)
    assert step == rest or step > 0.5 * h * (1.0 - 1e-6)


def test_fitted_steps_end_exactly_at_the_end_of_a_span():
    frame, gone, h, steps = 1.0 / 2400.0, 0.0, 3.7e-5, 0
    while gone < frame * (1.0 - 1e-5):
        gone += fitted_step(frame - gone, h)
        steps += 1
    assert steps == math.ceil(frame / h)
    assert gone == pytest.approx(frame, rel=1e-12)


def test_a_stiff_spring_is_followed_within_its_tolerance():
    """A mass dropped on the exponential ground of the thesis, against its initial energy."""
    m, alpha, beta, tolerance = 1.0, 17.5, 3000.0, 1e-9

    def rates(t: Any, y: Any) -> list[float]:
        return [
            y[1],
            -9.81 + alpha / m * math.expm1(min(beta * max(-y[0], 0.0), 50.0)),
        ]  # a try may go far too deep

    def energy(y: list[float]) -> float:
        d = max(-y[0], 0.0)
        return 0.5 * m * y[1] ** 2 + m * 9.81 * y[0] + alpha * (math.expm1(beta * d) / beta - d)

    y, t, h, steps, bounces = [0.01, 0.0], 0.0, 1e-3, [], 0
    before = energy(y)
    while t < 0.2:
        new, error = tableau_step(RKF45, rates, t, y, h)
        decision = step_decision(error_ratio(error, [1.0 / tolerance, 1e-3 / tolerance]), h, RKF45.order)
        if decision.accept:
            bounces += y[1] < 0.0 < new[1]
            y, t = new, t + h
            steps.append(h)
        h = decision.next_step
    assert bounces == 2  # every 2 sqrt(2 h / g) = 0.09 s, the first after half of that
    # Each step may err by 1e-9 m, against 300 N at most, and by 1e-6 m/s, of 0.45 m/s at most.
    assert energy(y) == pytest.approx(before, abs=len(steps) * (1e-9 * 300.0 + 1e-6 * 0.45))
    assert max(steps) > 20 * min(steps)

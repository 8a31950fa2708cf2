"""Roots of small systems: to rounding, over kinks, and failures without a root."""

from typing import Any

import numpy as np
import pytest

from gambol.integrate.solve import newton_root
from gambol.lanes import exp, sin, where


def test_newton_finds_a_root_to_rounding():
    result = newton_root(lambda z: [exp(z[0]) - 2.0 * z[1], z[0] + sin(z[1]) - 1.0], [0.0, 0.0])
    (x, y), residual = result.x, result.residual
    assert residual == 0.0
    assert (np.exp(x) - 2.0 * y, x + np.sin(y) - 1.0) == pytest.approx((0.0, 0.0), abs=1e-15)


def test_newton_converges_across_a_kink_where_whole_steps_oscillate():
    def push(z: Any) -> Any:
        return [where(z[0] > 0.0, 100.0 * z[0], 0.1 * z[0]) - 50.0 + 51.0 * sin(3.0 * z[0])]

    for guess in (-3.0, 0.2, 2.0):
        (x,) = newton_root(push, [guess]).x
        assert abs(push([x])[0]) < abs(push([guess])[0])


def test_newton_gives_up_where_there_is_no_root():
    result = newton_root(lambda z: [z[0] * z[0] + 1.0], [0.7])
    assert abs(result.x[0]) <= 0.7
    assert result.residual == result.x[0] ** 2 + 1.0


def test_a_guess_that_is_the_root_but_for_rounding_is_no_failure():
    result = newton_root(lambda z: [(z[0] - 1.0) + 1e-16 * sin(1e9 * z[0])], [1.0])
    assert result.residual == 0.0


def test_without_any_finite_iterate_the_residual_is_infinite():
    result = newton_root(lambda z: [z[0] - z[0] + float("nan")], [0.5])
    assert (result.x, result.residual) == ([0.5], float("inf"))

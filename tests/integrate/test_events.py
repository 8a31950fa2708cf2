"""Bracketed roots of smooth, steep and flat functions, within the guaranteed number of iterations."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol.integrate.events import MAX_ITERATIONS, bracketed_root, sign_changed
from gambol.lanes import exp, where

FUNCTIONS: dict[str, tuple[Callable[..., float], float]] = {
    "line": (lambda x: x - 0.3, 0.3),
    "ninth power": (lambda x: (x - 0.7) ** 9, 0.7),
    "steep": (lambda x: exp(50.0 * x) - exp(49.0), 0.98),
    "step": (lambda x: where(x < 0.123, -1.0, 1e-9), 0.123),
}


def counted(function: Callable[..., float], within: float) -> tuple[float, int]:
    calls = [0]

    def noted(x: float) -> float:
        calls[0] += 1
        return function(x)

    return bracketed_root(noted, (0.0, 1.0), within), calls[0] - 2


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("within", [1e-3, 1e-9, 1e-12])
def test_a_root_is_found_within_one_iteration_more_than_bisection(name: str, within: float):
    function, exact = FUNCTIONS[name]
    x, iterations = counted(function, within)
    assert 0.0 <= x - exact <= within + 1e-15
    assert iterations <= math.ceil(math.log2(1.0 / within)) + 1
    assert iterations <= MAX_ITERATIONS


def test_smooth_functions_take_far_fewer():
    assert counted(lambda x: math.cos(2.0 * x) - 0.5, 1e-12)[1] < 12


@given(st.floats(0.01, 0.99), st.floats(0.0, 3.0), st.sampled_from([-1.0, 1.0]))
def test_functions_that_rise_or_fall(root: float, rise: float, sign: float):
    x = bracketed_root(lambda x: sign * (np.exp(rise * x) - np.exp(rise * root) + (x - root)), (0.0, 1.0), 1e-10)
    assert -1e-15 <= x - root <= 2e-10


def test_arrays():
    roots = np.linspace(0.1, 0.9, 9)
    result = bracketed_root(lambda x: (x - roots) * (1.0 + x), (0.0 * roots, 0.0 * roots + 1.0), 1e-11)
    np.testing.assert_allclose(result, roots, atol=1e-11)


def test_signs():
    assert sign_changed(1.0, -1.0)
    assert sign_changed(-1.0, 0.0)
    assert not sign_changed(0.0, 1.0)
    assert not sign_changed(1.0, 2.0)

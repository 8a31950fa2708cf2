"""Roots of small systems: to rounding, over kinks, and where there are none."""

from typing import Any

import numpy as np
import pytest

from gambol.integrate.solve import root
from gambol.lanes import exp, sin, where


def test_newton_finds_a_root_to_rounding():
    x, y = root(lambda z: [exp(z[0]) - 2.0 * z[1], z[0] + sin(z[1]) - 1.0], [0.0, 0.0])
    assert (np.exp(x) - 2.0 * y, x + np.sin(y) - 1.0) == pytest.approx((0.0, 0.0), abs=1e-15)


def test_newton_gets_over_a_kink_that_whole_steps_jump_to_and_fro():
    def push(z: Any) -> Any:
        return [where(z[0] > 0.0, 100.0 * z[0], 0.1 * z[0]) - 50.0 + 51.0 * sin(3.0 * z[0])]

    for guess in (-3.0, 0.2, 2.0):
        (x,) = root(push, [guess])
        assert abs(push([x])[0]) < abs(push([guess])[0])


def test_newton_gives_up_where_there_is_no_root():
    (x,) = root(lambda z: [z[0] * z[0] + 1.0], [0.7])
    assert abs(x) <= 0.7

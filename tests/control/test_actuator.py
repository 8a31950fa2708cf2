"""Actuators: forces within their limits, and slopes that are those of the forces."""

import math
from typing import Any

import numpy as np
import pytest

from gambol.control import Actuator
from gambol.control.actuator import servo, target_of
from gambol.errors import WorldError

ACTUATOR = Actuator(-0.5, 1.0, stiffness=30.0, damping=0.7, strength=8.0, power=20.0)


def states(seed: int = 0, count: int = 2000) -> Any:
    """Angles, velocities and targets, of which about half ask for more than an actuator gives."""
    return np.random.default_rng(seed).normal(0.0, (0.3, 8.0, 0.3), (count, 3)).T


def test_the_force_is_that_of_a_spring_and_damper_within_both_limits():
    q, v, target = states()
    found = servo(ACTUATOR.numbers(), q, v, target)
    limit = np.minimum(8.0, 20.0 / np.abs(v))
    np.testing.assert_array_equal(found.tau, np.clip(30.0 * (target - q) - 0.7 * v, -limit, limit))
    assert 0.2 < np.mean(np.abs(found.tau) == limit) < 0.8
    assert (np.abs(found.tau * v) <= 20.0 * (1.0 + 1e-15)).all()


def test_slopes_are_those_of_the_force_and_none_at_its_limit():
    q, v, target = states(1)
    numbers = Actuator(-0.5, 1.0, stiffness=30.0, damping=0.7, strength=8.0).numbers()
    eps = 1e-6
    found = servo(numbers, q, v, target)

    def fall(dq: float, dv: float) -> Any:
        return (servo(numbers, q - dq, v - dv, target).tau - servo(numbers, q + dq, v + dv, target).tau) / (2.0 * eps)

    inside = np.abs(np.abs(30.0 * (target - q) - 0.7 * v) - 8.0) > 1e-4  # away from the corner
    np.testing.assert_allclose(found.stiffness[inside], fall(eps, 0.0)[inside], atol=1e-6)
    np.testing.assert_allclose(found.damping[inside], fall(0.0, eps)[inside], atol=1e-6)
    assert set(np.unique(found.stiffness)) == {0.0, 30.0}
    assert set(np.unique(found.damping)) == {0.0, 0.7}


def test_without_limits_it_is_linear():
    q, v, target = states(2)
    found = servo(Actuator(-1.0, 1.0, stiffness=30.0, damping=0.7).numbers(), q, v, target)
    np.testing.assert_array_equal(found.tau, 30.0 * (target - q) - 0.7 * v)


def test_a_joint_at_rest_meets_its_strength_alone():
    assert servo(ACTUATOR.numbers(), 0.0, 0.0, 9.0).tau == 8.0
    assert servo(ACTUATOR.numbers(), 0.0, 0.0, -9.0).tau == -8.0


@pytest.mark.parametrize(("signal", "target"), [(-1.0, -0.5), (0.0, 0.25), (1.0, 1.0), (0.5, 0.625)])
def test_signals_span_the_range(signal, target):
    assert target_of(ACTUATOR.numbers(), signal) == target


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"lower": 1.5}, "from 1.5 to 1.0"),
        ({"upper": math.inf}, "from -0.5 to inf"),
        ({"lower": math.nan}, "from nan"),
        ({"stiffness": 0.0}, "stiffness is 0.0"),
        ({"stiffness": math.inf}, "stiffness is inf"),
        ({"damping": -1.0}, "damping is -1.0"),
        ({"strength": 0.0}, "strength is 0.0"),
        ({"power": math.nan}, "power is nan"),
    ],
)
def test_numbers_that_cannot_be_are_refused(changes, said):
    with pytest.raises(WorldError, match=said):
        Actuator(**(ACTUATOR.numbers() | changes))

"""Servos: forces within their limits, at a moment and in large steps."""

import math
from typing import Any

import numpy as np
import pytest

from gambol.actuation import Servo
from gambol.actuation.implicit_force import ImplicitShares
from gambol.actuation.servo import implicit_servo, servo
from gambol.errors import WorldError

ACTUATOR = Servo(-0.5, 1.0, stiffness=30.0, damping=0.7, strength=8.0, power=20.0)


STEP = 4e-3  # s


def states(seed: int = 0, count: int = 2000) -> Any:
    """Return lags behind targets and velocities; about half of them exceed an actuator's limits."""
    return np.random.default_rng(seed).normal(0.0, (0.4, 8.0), (count, 2)).T


def test_the_force_is_that_of_a_spring_and_damper_within_both_limits():
    lag, v = states()
    tau = servo(ACTUATOR.numbers(), lag, v)
    limit = np.minimum(8.0, 20.0 / np.abs(v))
    np.testing.assert_array_equal(tau, np.clip(30.0 * lag - 0.7 * v, -limit, limit))
    assert 0.2 < np.mean(np.abs(tau) == limit) < 0.8
    assert (np.abs(tau * v) <= 20.0 * (1.0 + 1e-15)).all()


def test_without_limits_it_is_linear():
    lag, v = states(2)
    endless = Servo(-1.0, 1.0, stiffness=30.0, damping=0.7).numbers()
    np.testing.assert_array_equal(servo(endless, lag, v), 30.0 * lag - 0.7 * v)
    for inertia in (1e-4, 1e-2, 1.0):
        step = implicit_servo(endless, lag, v, inertia, STEP)
        np.testing.assert_array_equal(step.damping[0], STEP * 30.0 + 0.7)


def test_the_force_on_a_joint_at_rest_is_its_strength():
    assert servo(ACTUATOR.numbers(), 9.0, 0.0) == 8.0
    assert servo(ACTUATOR.numbers(), -9.0, 0.0) == -8.0


@pytest.mark.parametrize("shares", [(1.0, 1.0), (0.3, 0.7), (0.0, 0.5)])
@pytest.mark.parametrize("inertia", [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0])
def test_in_a_step_a_single_joint_moves_up_to_its_limits(inertia, shares):
    """v+ - v is the least of those by the servo without limits, by its strength, and by its power for a whole step.

    shares: the implicit ones of the servo's gains; the least of them are explicit.
    """
    lag, v = states(3)
    step = implicit_servo(ACTUATOR.numbers(), lag, v, inertia, STEP, ImplicitShares(*shares))
    change = STEP * step.tau[0] / (inertia + STEP * step.damping[0])
    force, mean = inertia * change / STEP, v + 0.5 * change
    expected = 30.0 * lag - 0.7 * v
    drives = expected * v >= 0.0
    free = np.abs(expected) / (inertia / STEP + shares[0] * STEP * 30.0 + shares[1] * 0.7)
    strong = STEP * np.minimum(8.0, 20.0 / np.abs(v)) / inertia
    powered = np.where(drives, np.sqrt(v * v + 2.0 * STEP * 20.0 / inertia) - np.abs(v), np.inf)
    assert (step.damping[0] >= 0.0).all()
    np.testing.assert_allclose(np.abs(change), np.minimum(np.minimum(free, strong), powered), rtol=1e-6)
    assert (np.abs(force) <= 8.0 * (1.0 + 1e-9)).all()
    assert ((force * mean)[drives] <= 20.0 * (1.0 + 1e-9)).all()


def test_a_heavy_joint_at_its_limit_is_pulled_evenly():
    lag, v = states(4)
    step = implicit_servo(ACTUATOR.numbers(), 100.0 * lag, 0.0 * v, 10.0, STEP)
    deep = np.abs(lag) > 0.01
    np.testing.assert_array_equal(step.damping[0][deep], 0.0)
    np.testing.assert_array_equal(np.abs(step.tau[0][deep]), 8.0)


@pytest.mark.parametrize(("signal", "target"), [(-1.0, -0.5), (0.0, 0.25), (1.0, 1.0), (0.5, 0.625)])
def test_signals_span_the_range(signal, target):
    assert ACTUATOR.command_values(ACTUATOR.numbers(), [signal]) == [target]


@pytest.mark.parametrize(
    ("changes", "message"),
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
def test_impossible_numbers_are_refused(changes, message):
    with pytest.raises(WorldError, match=message):
        Servo(**(ACTUATOR.numbers() | changes))

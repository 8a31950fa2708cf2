"""Torque motors: limits, the speed-torque line, and large steps of a light joint."""

import math
from typing import Any

import numpy as np
import pytest

from gambol.actuation import ActuatorInput, TorqueMotor
from gambol.errors import WorldError

MOTOR = TorqueMotor(-5.0, 8.0)
LINE = TorqueMotor(-8.0, 8.0, stall=10.0, no_load_speed=20.0)
STEP = 4e-3  # s


def at(torque: Any, v: Any) -> ActuatorInput:
    return ActuatorInput(0.0, [0.0 * v], [v], [torque])


def states(seed: int, count: int = 2000) -> Any:
    """Commanded torques beyond the range, and speeds up to twice the no-load speed."""
    random = np.random.default_rng(seed)
    return random.uniform(-12.0, 12.0, count), random.uniform(-40.0, 40.0, count)


def test_the_torque_is_the_command_within_the_range_at_any_speed():
    torque, v = states(1)
    (tau,) = MOTOR.force(MOTOR.numbers(), at(torque, v))
    np.testing.assert_array_equal(tau, np.clip(torque, -5.0, 8.0))
    step = MOTOR.implicit_force(MOTOR.numbers(), at(torque, v), [1e-3], STEP)
    np.testing.assert_array_equal(step.tau[0], tau)
    assert step.damping == [0.0]  # no damping is added


def test_a_speed_torque_line_limits_driving_and_never_brakes():
    torque, v = states(2)
    (tau,) = LINE.force(LINE.numbers(), at(torque, v))
    drives = torque * v > 0.0
    limit = np.maximum(10.0 * (1.0 - np.abs(v) / 20.0), 0.0)
    expected = np.where(drives, np.sign(torque) * np.minimum(np.abs(torque), limit), torque)
    np.testing.assert_allclose(tau, np.clip(expected, -8.0, 8.0), rtol=1e-14)
    assert (tau * v >= np.minimum(torque * v, 0.0)).all()


@pytest.mark.parametrize("inertia", [1e-5, 1e-4, 1e-3, 1e-2, 0.1])
def test_in_a_large_step_a_joint_alone_obeys_the_line_at_its_end(inertia: float):
    """It changes its speed by the torque's h / I, or until it meets the line: the smaller of both."""
    torque, v = states(3)
    torque = np.clip(torque, -8.0, 8.0)
    step = LINE.implicit_force(LINE.numbers(), at(torque, v), [inertia], STEP)
    change = STEP * step.tau[0] / (inertia + STEP * step.damping[0])
    by_torque = STEP * np.abs(torque) / inertia
    sign = np.sign(torque)
    by_line = np.maximum(1.0 - sign * v / 20.0, 0.0) * 10.0 / (inertia / STEP + 0.5)
    starts_below = np.abs(step.tau[0]) > 0.0
    np.testing.assert_allclose(np.abs(change), np.where(starts_below, np.minimum(by_torque, by_line), 0.0), rtol=1e-9)
    assert (step.damping[0] >= 0.0).all()
    drives = (torque * v > 0.0) & (np.abs(v) < 20.0)
    assert (np.abs(v + change)[drives] <= 20.0 * (1.0 + 1e-12)).all()


def test_signals_stand_for_its_range():
    assert MOTOR.command_values(MOTOR.numbers(), [-1.0]) == [-5.0]
    assert MOTOR.command_values(MOTOR.numbers(), [1.0]) == [8.0]
    assert MOTOR.structure() != LINE.structure()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1.0, math.inf), "torques from -1.0 to inf"),
        ((1.0, -1.0), "torques from 1.0 to -1.0"),
        ((math.nan, 1.0), "torques from nan"),
        ((-1.0, 1.0, 0.0, 10.0), "stall torque of 0.0"),
        ((-1.0, 1.0, 5.0, -2.0), "no-load speed of -2.0"),
        ((-1.0, 1.0, 5.0), "needs both a stall torque and a no-load speed"),
    ],
)
def test_impossible_numbers_are_refused(arguments: Any, message: str):
    with pytest.raises(WorldError, match=message):
        TorqueMotor(*arguments)

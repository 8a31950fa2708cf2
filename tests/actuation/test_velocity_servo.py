"""Velocity servos: a damper towards a target velocity, within limits."""

import math
from typing import Any

import numpy as np
import pytest

from gambol.actuation import ActuatorInput, VelocityServo
from gambol.errors import WorldError

SERVO = VelocityServo(-10.0, 10.0, gain=2.0, strength=8.0, power=20.0)
STEP = 4e-3  # s


def at(target: Any, v: Any) -> ActuatorInput:
    return ActuatorInput(0.0, [0.0 * v], [v], [target])


def states(seed: int, count: int = 2000) -> Any:
    return np.random.default_rng(seed).normal(0.0, 8.0, (2, count))


def test_the_force_is_that_of_a_damper_within_both_limits():
    target, v = states(1)
    (tau,) = SERVO.force(SERVO.numbers(), at(target, v))
    limit = np.minimum(8.0, 20.0 / np.abs(v))
    np.testing.assert_array_equal(tau, np.clip(2.0 * (target - v), -limit, limit))
    assert 0.2 < np.mean(np.abs(tau) == limit) < 0.95


@pytest.mark.parametrize("inertia", [1e-5, 1e-3, 1e-1])
def test_in_a_large_step_a_light_joint_does_not_overshoot_its_target(inertia: float):
    """Without limits it is the implicit Euler step of a damper: (v+ - target) / (v - target) = 1 / (1 + h g / I)."""
    free = VelocityServo(-10.0, 10.0, gain=2.0)
    target, v = states(2)
    for servo in (free, SERVO):
        step = servo.implicit_force(servo.numbers(), at(target, v), [inertia], STEP)
        change = STEP * step.tau[0] / (inertia + STEP * step.damping[0])
        left = (v + change - target) / (v - target)
        assert (left >= -1e-9).all()
        assert (left <= 1.0).all()
        if servo is free:
            np.testing.assert_allclose(left, 1.0 / (1.0 + STEP * 2.0 / inertia), rtol=1e-6, atol=1e-10)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1.0, math.inf, 1.0), "targets from -1.0 to inf"),
        ((2.0, 1.0, 1.0), "targets from 2.0 to 1.0"),
        ((-1.0, 1.0, 0.0), "gain is 0.0"),
        ((-1.0, 1.0, 1.0, -1.0), "strength is -1.0"),
        ((-1.0, 1.0, 1.0, 1.0, math.nan), "power is nan"),
    ],
)
def test_impossible_numbers_are_refused(arguments: Any, message: str):
    with pytest.raises(WorldError, match=message):
        VelocityServo(*arguments)

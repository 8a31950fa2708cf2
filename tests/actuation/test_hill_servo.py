"""Hill servos: Hill's hyperbola and its peak of power, and steps as accurate as fine ones."""

import math
from typing import Any

import numpy as np
import pytest

from gambol.actuation import HillServo, Servo
from gambol.actuation.actuator import ActuatorInput
from gambol.actuation.hill_servo import PEAK_POWER
from gambol.errors import WorldError

SERVO = HillServo(-1.0, 1.0, stiffness=1e4, damping=0.1, strength=8.0, max_speed=20.0)


def driven(v: Any, servo: HillServo = SERVO, sign: float = 1.0) -> Any:
    """Return the torque at velocities with a target far ahead in the direction of sign."""
    return servo.force(servo.numbers(), ActuatorInput(0.0, [0.0 * v], [v], [sign + 0.0 * v]))[0]


def test_while_it_drives_its_strength_is_a_hyperbola():
    """Hill: (F + a)(v + b) = (F0 + a) b, with a = F0 / 4 and b = v0 / 4."""
    v = np.linspace(0.0, 20.0, 41)
    a, b = 8.0 / 4.0, 20.0 / 4.0
    np.testing.assert_allclose((driven(v) + a) * (v + b), (8.0 + a) * b, rtol=1e-8)  # at rest, s is -1e-9
    np.testing.assert_allclose(driven(-v, sign=-1.0), -driven(v), rtol=1e-12)
    np.testing.assert_array_equal(driven(np.array([20.0, 25.0, 100.0])), 0.0)


def test_its_largest_power_is_where_the_derivative_of_the_hyperbola_says():
    v = np.linspace(0.0, 20.0, 20001)
    power = driven(v) * v
    assert power.max() == pytest.approx(PEAK_POWER * 8.0 * 20.0, rel=1e-6)
    assert v[power.argmax()] == pytest.approx(20.0 * (math.sqrt(5.0) - 1.0) / 4.0, abs=2e-3)


def test_a_brake_is_stronger_than_a_drive_and_at_most_one_and_a_half_times_as_strong_as_at_rest():
    v = np.linspace(1e-3, 20.0, 400)
    braking = driven(-v)
    assert (np.diff(braking) > 0.0).all()
    assert (braking > 8.0).all()
    assert braking[-1] == pytest.approx(1.5 * 8.0)
    assert driven(0.0) == pytest.approx(8.0, rel=1e-6)


def test_power_is_limited_while_it_drives_only():
    servo = HillServo(-1.0, 1.0, 1e4, 0.1, strength=8.0, max_speed=20.0, power=6.0)
    v = np.linspace(0.1, 20.0, 300)
    assert (driven(v, servo) * v <= 6.0 * (1.0 + 1e-12)).all()
    np.testing.assert_array_equal(driven(-v, servo), driven(-v))


def test_far_below_its_strength_it_is_a_servo():
    v = np.linspace(-3.0, 3.0, 13)
    strong = HillServo(-1.0, 1.0, 30.0, 1.0, strength=1e4, max_speed=50.0)
    servo = Servo(-1.0, 1.0, 30.0, 1.0, strength=1e4)
    at = ActuatorInput(0.0, [0.1 * v], [v], [0.3 + 0.0 * v])
    np.testing.assert_array_equal(strong.force(strong.numbers(), at)[0], servo.force(servo.numbers(), at)[0])
    inertias, h = [0.02], 1e-3
    mine, theirs = (s.implicit_force(s.numbers(), at, inertias, h) for s in (strong, servo))
    np.testing.assert_array_equal(mine.damping[0], theirs.damping[0])


def test_a_joint_in_large_steps_speeds_up_as_the_hyperbola_says():
    """I v' = F0 (1 - s) / (1 + 4 s), s = v / v0: t = I v0 / F0 (-4 s - 5 ln(1 - s)), by separation of variables."""
    inertia, F0, v0 = 0.05, 8.0, 20.0
    wanted = 0.6  # of v0
    time = inertia * v0 / F0 * (-4.0 * wanted - 5.0 * math.log(1.0 - wanted))
    errors: list[float] = []
    for steps in (50, 100):
        h, v, numbers = time / steps, 0.0, SERVO.numbers()
        for _ in range(steps):
            force = SERVO.implicit_force(numbers, ActuatorInput(0.0, [0.0], [v], [1e3]), [inertia], h)
            v += h * force.tau[0] / (inertia + h * force.damping[0])
        errors.append(v / v0 - wanted)
    assert abs(errors[0]) < 0.02
    assert errors[1] == pytest.approx(0.5 * errors[0], rel=0.15)  # of first order


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"max_speed": 0.0}, "max_speed is 0.0; it must be more than 0"),
        ({"max_speed": math.inf}, "max_speed is inf; it must be more than 0, and finite"),
        ({"strength": math.inf}, "strength is inf; it must be more than 0, and finite"),
        ({"power": -1.0}, "power is -1.0; it must be more than 0"),
        ({"stiffness": 0.0}, "stiffness is 0.0; it must be more than 0"),
        ({"lower": 2.0}, "cannot move its target from 2.0 to 1.0"),
    ],
)
def test_wrong_numbers_are_refused(changes: dict[str, float], message: str):
    numbers: dict[str, Any] = SERVO.numbers() | changes
    with pytest.raises(WorldError, match=message):
        HillServo(**numbers)

"""The rule by which an actuator is saturated and released from one attempt of a step to the next."""

import math

import pytest

from gambol.actuation import Servo, TorqueMotor
from gambol.actuation.actuator import Actuator, ActuatorInput
from gambol.world.actuator_forces import DrivenActuator
from gambol.world.step.saturation import EXCESS, RELEASE, Saturation

STRENGTH = 5.0  # N m


def driven(actuator: Actuator, fraction: float = 1.0) -> DrivenActuator:
    return DrivenActuator("motor", actuator, actuator.numbers(), [0], ActuatorInput(0.0, [0.0], [0.0]), fraction)


def servo(power: float = math.inf) -> DrivenActuator:
    return driven(Servo(-1.0, 1.0, 20.0, 0.5, strength=STRENGTH, power=power))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_force_beyond_its_limit_is_held_there(sign: float):
    held = Saturation().after_attempt(sign * 7.0, servo(), 0.0, stays=False)
    assert held == Saturation(sign, sign * STRENGTH)
    assert Saturation().after_attempt(sign * 3.0, servo(), 0.0, stays=False) == Saturation()


def test_a_cut_leaves_the_same_fraction_of_the_limit():
    cut = driven(servo().actuator, fraction=0.5)
    assert Saturation().after_attempt(3.0, cut, 0.0, stays=False) == Saturation(1.0, 0.5 * STRENGTH)


def test_rounding_neither_saturates_nor_releases():
    held = Saturation(1.0, STRENGTH)
    assert Saturation().after_attempt(STRENGTH * (1.0 + 0.5 * EXCESS), servo(), 0.0, stays=False) == Saturation()
    assert held.after_attempt(STRENGTH * (1.0 - 0.5 * RELEASE), servo(), 0.0, stays=False) == held


def test_a_saturated_force_within_its_limit_is_released_until_it_has_to_stay():
    held = Saturation(1.0, STRENGTH)
    assert held.after_attempt(3.0, servo(), 0.0, stays=False) == Saturation()
    assert held.after_attempt(3.0, servo(), 0.0, stays=True) == held
    assert held.after_attempt(-7.0, servo(), 0.0, stays=False) == Saturation(-1.0, -STRENGTH)
    assert held.after_attempt(-7.0, servo(), 0.0, stays=True) == held


def test_the_limit_of_a_saturated_force_never_rises():
    """A power of 6 W allows 3 N m at a mean velocity of 2 rad/s, and 4 N m at 1.5 rad/s."""
    first = Saturation().after_attempt(7.0, servo(power=6.0), 4.0, stays=False)
    assert first == Saturation(1.0, 3.0)
    assert first.after_attempt(7.0, servo(power=6.0), 3.0, stays=False) == first
    assert first.after_attempt(7.0, servo(power=6.0), 6.0, stays=False) == Saturation(1.0, 2.0)


def test_actuators_without_a_limit_have_an_infinite_one():
    motor = TorqueMotor(-1.0, 1.0)
    assert not motor.has_limit
    assert Actuator.force_limit(motor, motor.numbers(), ActuatorInput(0.0, [0.0], [0.0]), 1.0, 0.0) == math.inf

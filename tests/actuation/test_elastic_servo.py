"""Elastic servos: Hill's hyperbola at the tendon, springs in series, muscles that yield, and closed books."""

import math
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from drives import FEET, JOINTS, SINUSOID, hopper, joint_world, pendulum, wheel
from scipy.optimize import brentq
from worlds import energy_balance, moved

from gambol.actuation import ElasticServo
from gambol.actuation.actuator import ActuatorInput
from gambol.control import Drive
from gambol.errors import WorldError
from gambol.world import Engine, Timing, World, start

SERVO = ElasticServo(
    -1.0, 1.0, stiffness=20.0, damping=0.5, strength=8.0, max_speed=20.0, tendon_stiffness=40.0, rise=0.02
)


def rates(q: Any, motor: Any, goal: Any, servo: ElasticServo = SERVO) -> Any:
    """Return the rate of the motor side [rad/s]."""
    at = ActuatorInput(0.0, [q], [0.0], [0.0], {"motor": motor, "goal": goal})
    return servo.derivative(servo.numbers(), at)["motor"]


def test_a_muscle_shortens_as_hill_says():
    """(F + a)(v + b) = (F0 + a) b, with a = F0 / 4 and b = v0 / 4, for a goal far ahead; the same in the mirror."""
    load = np.linspace(0.0, 8.0, 41)
    far = replace(SERVO, stiffness=1e6)
    v = rates(-load / 40.0, 0.0 * load, 1.0 + 0.0 * load, far)
    np.testing.assert_allclose((load + 2.0) * (v + 5.0), 10.0 * 5.0, rtol=1e-12)
    np.testing.assert_allclose(rates(load / 40.0, 0.0 * load, -1.0 + 0.0 * load, far), -v, rtol=1e-12)


def test_a_muscle_yields_to_more_than_its_strength_by_the_curve_of_2003():
    """V = N + (N - 1)(s - 1) / (7.56 K s + 1) is the force at the speed s at which the muscle lengthens."""
    s = np.linspace(0.0, 1.0, 21)
    load = 8.0 * (1.5 + 0.5 * (s - 1.0) / (7.56 * 4.0 * s + 1.0))
    v = rates(-load / 40.0, 0.0 * s, 1.0 + 0.0 * s, replace(SERVO, stiffness=1e6))
    np.testing.assert_allclose(v, -20.0 * s, atol=1e-9)
    assert rates(-8.0 * 1.6 / 40.0, 0.0, 1.0) < -20.0  # beyond the curve it goes on along its tangent


def test_power_limits_the_shortening_only():
    weak = replace(SERVO, stiffness=1e6, power=6.0)
    load = np.linspace(0.5, 7.5, 30)
    v = rates(-load / 40.0, 0.0 * load, 1.0 + 0.0 * load, weak)
    assert (load * v <= 6.0 * (1.0 + 1e-12)).all()
    assert (load * v >= 6.0 * (1.0 - 1e-12)).any()
    np.testing.assert_array_equal(rates(-0.25, 0.0, 1.0, weak), rates(-0.25, 0.0, 1.0, replace(weak, power=1e9)))


EULER = "semi-implicit euler"
METHODS = {"penalty": "rk4", "constraint": "rk4", "stepping": EULER, "impulse": EULER}
methods = pytest.mark.parametrize("contact", sorted(METHODS))


def in_(world: World, contact: str, step: float = 1e-3) -> World:
    """Return the world with a contact method and its integrator."""
    return replace(world, contact=contact, timing=Timing(0.02, step, METHODS[contact]))


@methods
def test_servo_and_tendon_are_springs_in_series(contact: str):
    """(target - q) / (1/k + 1/K) = m g l sin q holds a pendulum that is raised to a side."""
    world = in_(joint_world(pendulum(), replace(SERVO, lower=0.2), 1.0), contact)
    state = moved(Engine(world), start(world), 40.0)  # the motor damps through its tendon: exp(-0.45 t)
    rest = brentq(lambda q: (1.0 - q) / (1.0 / 20.0 + 1.0 / 40.0) - 9.81 * 0.5 * math.sin(q), 0.0, 1.0)
    np.testing.assert_allclose(state.q, rest, rtol=1e-6)


def test_a_wheel_on_a_tendon_of_a_stiff_motor_oscillates_as_the_tendon_says():
    """I q'' = -K q: with a motor that hardly moves, q = v0 sqrt(I / K) sin(t sqrt(K / I)); the books are closed."""
    still = replace(SERVO, lower=0.0, upper=0.0, damping=1e7, stiffness=1.0)
    world = in_(joint_world(wheel(0.02), still, 0.0), "penalty")
    engine, state = Engine(world), start(world)
    state.v[:] = 1.0
    frequency = math.sqrt(40.0 / 0.02)
    begun = energy_balance(engine, state)
    for _ in range(5):
        state = moved(engine, state, 0.02)
        time = float(state.time[0])
        np.testing.assert_allclose(state.q[0, 0], math.sin(frequency * time) / frequency, atol=1e-6)
    np.testing.assert_allclose(energy_balance(engine, state), begun, atol=1e-8)


@cache
def flown(contact: str, step: float) -> tuple[Any, float]:
    """Return coordinates of a treading hopper after a second in the air, and the imbalance of the ledger [J]."""
    elastic = ElasticServo(-0.4, 0.4, 20.0, 1.0, 5.0, max_speed=12.0, tendon_stiffness=30.0, rise=0.03, power=10.0)
    drive = Drive(SINUSOID, dict.fromkeys(JOINTS, elastic), FEET)
    world = in_(World(hopper(), controller=drive), contact, step)
    engine, state = Engine(world), start(world)
    then = moved(engine, state, 1.0)
    return then.q[0], float(abs(energy_balance(engine, then) - energy_balance(engine, state))[0])


def test_large_steps_come_to_the_motion_of_small_ones_as_they_shrink():
    """Errors are of first order, and those of the ledger of second, since the loss of implicit tendons is in it."""
    exact, smooth = flown("penalty", 5e-4)
    assert smooth < 1e-6
    errors, balances = [], []
    for step in (4e-3, 2e-3, 1e-3):
        q, out = flown("stepping", step)
        errors.append(np.abs(q - exact)[7:].max())
        balances.append(out)
    assert errors[0] < 0.02
    assert all(1.6 < a / b < 2.5 for a, b in pairwise(errors))
    assert all(3.5 < a / b < 4.5 for a, b in pairwise(balances))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"damping": 0.0}, "damping is 0.0; it must be more than 0"),
        ({"tendon_stiffness": math.inf}, "tendon_stiffness is inf; it must be more than 0, and finite"),
        ({"rise": -1.0}, "rise is -1.0; it must be more than 0"),
        ({"max_speed": 0.0}, "max_speed is 0.0; it must be more than 0"),
        ({"lower": 2.0}, "cannot move its target from 2.0 to 1.0"),
    ],
)
def test_wrong_numbers_are_refused(changes: dict[str, float], message: str):
    with pytest.raises(WorldError, match=message):
        ElasticServo(**(SERVO.numbers() | changes))

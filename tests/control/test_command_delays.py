"""Delays of commands by name: what acts is what was commanded earlier, in worlds with delays of their own."""

from typing import Any

import numpy as np
import pytest

import gambol
from gambol.actuation import Servo, TorqueMotor
from gambol.collide import NoGround
from gambol.control import ConstantLaw, FeedbackController, with_delays
from gambol.errors import WorldError
from gambol.figure import Box, Figure, Joint, Link, Part
from gambol.sensing import JointTorque
from gambol.world import Engine, Timing, World, run, start

STEP = 0.001
CART = Figure("cart", (Link("cart", None, Joint("prismatic", axis=(1.0, 0.0, 0.0)), (Part(Box((0.1, 0.1, 0.1))),)),))


def cart(delay: float, **options: Any) -> World:
    """Return a cart of 1 kg with a motor whose commands a function gives."""
    controller = FeedbackController(ConstantLaw((0.0,)), {"cart": TorqueMotor(-9.0, 9.0)})
    controller = with_delays(controller, {"cart": delay}, STEP)
    sensors = {"force": JointTorque("cart")}
    options = {"ground": NoGround(), "gravity": 0.0, "timing": Timing(STEP, STEP, "rk4"), "sensors": sensors} | options
    return World(CART, controller=controller, **options)


def ramp(time: Any, q: Any, v: Any) -> Any:
    """Return a force that grows by 100 N/s, from 1 N."""
    return np.reshape(1.0 + 100.0 * time, (-1, 1)) if np.ndim(time) else [1.0 + 100.0 * time]


@pytest.mark.parametrize("delay", [0.0, 0.004, 0.0055])
def test_a_force_acts_later(delay: float):
    """At the end of a control step the force is that commanded at its start, a delay ago; before, the first one."""
    world = cart(delay)
    film = run(world, start(world), 0.02, control=ramp)
    decided = film.time[1:] - STEP
    expected = 1.0 + 100.0 * np.maximum(decided - delay, 0.0)
    np.testing.assert_allclose(film.signals["sensor force"][1:, 0, 0], expected, rtol=1e-12)


def test_worlds_may_have_shorter_delays():
    world, delays = cart(0.01), np.array([0.0, 0.005, 0.01])
    control = world.numbers()["control"] | {"delays": {"cart": delays}}
    film = run(world, start(world, 3), 0.02, control=ramp, numbers=Engine(world).numbers(control=control))
    expected = 1.0 + 100.0 * np.maximum(film.time[1:, None] - STEP - delays, 0.0)
    np.testing.assert_allclose(film.signals["sensor force"][1:, :, 0], expected, rtol=1e-12)


def test_delays_by_name_are_an_option_of_make_world():
    controller = FeedbackController(ConstantLaw((0.3,)), {"cart": Servo(-1.0, 1.0, 10.0, 1.0)})
    world = gambol.make_world(CART, ground=NoGround(), controller=controller, delays={"cart": 0.02})
    assert world.numbers()["control"]["delays"] == {"cart": 0.02}
    assert world.structure() != gambol.make_world(CART, ground=NoGround(), controller=controller).structure()


@pytest.mark.parametrize(
    ("delays", "text"),
    [
        ({"cat": 0.01}, 'no actuator "cat" to delay; did you mean "cart"'),
        ({"cart": -0.01}, 'the commands of "cart": a signal cannot be delayed by -0.01 s'),
        ({"cart": 10.0}, 'the commands of "cart": a delay of 10.0 s'),
    ],
)
def test_impossible_delays_are_refused(delays: dict[str, float], text: str):
    controller = FeedbackController(ConstantLaw((0.0,)), {"cart": TorqueMotor(-9.0, 9.0)})
    with pytest.raises(WorldError, match=text):
        with_delays(controller, delays, STEP)
    with pytest.raises(WorldError, match="can be delayed"):
        with_delays(None, delays, STEP)

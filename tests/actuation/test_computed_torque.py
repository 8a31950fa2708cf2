"""Computed torque: joints follow a motion exactly, errors obey a linear equation, free bodies keep their momentum."""

import math

import numpy as np
import pytest

from gambol.actuation import ComputedTorque
from gambol.collide import NoGround
from gambol.control import ConstantLaw, FeedbackController
from gambol.dynamics.bodies import STANDARD_GRAVITY
from gambol.dynamics.states import momentum
from gambol.errors import WorldError
from gambol.figure import Box, Capsule, Figure, Joint, Link, Part
from gambol.lanes import cos, sin
from gambol.world import InitialState, Timing, World, run, start

JOINTS = ("upper", "lower", "hand")


def reference(t):
    return [0.7 * sin(2.0 * t), 0.3 + 0.5 * cos(3.0 * t), 0.4 * sin(t) * sin(t)]


def state_of_reference(t=0.0):
    """Coordinates and velocities of the reference, in closed form."""
    q = [0.7 * math.sin(2.0 * t), 0.3 + 0.5 * math.cos(3.0 * t), 0.4 * math.sin(t) ** 2]
    return q, [1.4 * math.cos(2.0 * t), -1.5 * math.sin(3.0 * t), 0.4 * math.sin(2.0 * t)]


def arm(root=()):
    """An arm in space: three axes, not parallel; on a fixed base, or on a body."""
    segment = (Part(Capsule(0.03, 0.3), position=(0.0, 0.0, -0.15)),)
    parent = root[-1].name if root else None
    return Figure(
        "arm",
        (
            *root,
            Link("upper", parent, Joint("revolute", (0.0, 1.0, 0.0)), segment),
            Link("lower", "upper", Joint("revolute", (1.0, 0.0, 0.0), position=(0.0, 0.0, -0.3)), segment),
            Link("hand", "lower", Joint("revolute", (0.0, 0.6, 0.8), position=(0.0, 0.0, -0.3)), segment),
        ),
    )


def simulated(figure, q, v, seconds=1.0, *, follow=reference, timing=None, **gains):
    """Return coordinates and velocities after a motion without ground."""
    motors = ComputedTorque(JOINTS, follow, **gains)
    world = World(
        figure,
        ground=NoGround(),
        contact="penalty",
        controller=FeedbackController(ConstantLaw(()), {"motors": motors}),
        timing=timing or Timing(0.01, 0.01, "rkf45", tolerance=1e-10),
        initial=InitialState(tuple(q), tuple(v)),
    )
    state = start(world)
    run(world, state, seconds, rate=10.0)
    return np.array(state.q)[0], np.array(state.v)[0]


def test_an_arm_follows_its_reference():
    """Without gains, so that nothing corrects an error: the model alone is exact, to the error of integration."""
    q, v = simulated(arm(), *state_of_reference())
    expected = state_of_reference(1.0)
    np.testing.assert_allclose(q, expected[0], atol=1e-8)  # a hundred control steps of a tolerance of 1e-10
    np.testing.assert_allclose(v, expected[1], atol=1e-7)


def test_errors_decay_at_the_rate_of_the_gains():
    """Critical damping: e = (e0 + (e0' + w e0) t) exp(-w t), for each joint by itself, in spite of their coupling."""
    (q0, v0), w, t = state_of_reference(), 4.0, 0.5
    off, faster = np.array([0.2, -0.3, 0.1]), np.array([0.5, 0.0, -1.0])
    q, v = simulated(arm(), q0 + off, v0 + faster, t, stiffness=w * w, damping=2.0 * w)
    slope = faster + w * off
    error, rate = (off + slope * t) * math.exp(-w * t), (slope - w * (off + slope * t)) * math.exp(-w * t)
    expected = state_of_reference(t)
    np.testing.assert_allclose(q - expected[0], error, atol=1e-8)
    np.testing.assert_allclose(v - expected[1], rate, atol=1e-7)


def test_a_falling_body_moves_its_arm_exactly_and_conserves_momentum():
    """Only the arm is driven. Weight is the one outer force, so the centre of mass falls freely without a turn."""
    figure = arm((Link("body", None, Joint("free"), (Part(Box((0.3, 0.2, 0.1))),)),))
    q0, v0 = state_of_reference()
    pose, motion = [1.0, *6 * [0.0]], [0.5, -0.3, 0.2, 0.1, 0.2, 0.3]
    q, v = simulated(figure, pose + q0, motion + v0)
    np.testing.assert_allclose(q[7:], state_of_reference(1.0)[0], atol=1e-8)
    before, after = momentum(figure, pose + q0, motion + v0), momentum(figure, q, v)
    mass, g = figure.mass, STANDARD_GRAVITY
    np.testing.assert_allclose(after.linear, before.linear - np.array([0.0, 0.0, mass * g]), atol=1e-6)
    np.testing.assert_allclose(after.angular, before.angular, atol=1e-7)


def test_two_references_do_not_share_a_program():
    q, _ = simulated(arm(), [0.0, 0.0, 0.0], [1.0, 2.0, 3.0], follow=lambda t: [t, 2.0 * t, 3.0 * t])
    np.testing.assert_allclose(q, [1.0, 2.0, 3.0], atol=1e-8)
    q, _ = simulated(arm(), [0.0, 0.0, 0.0], [3.0, 2.0, 1.0], follow=lambda t: [3.0 * t, 2.0 * t, 1.0 * t])
    np.testing.assert_allclose(q, [3.0, 2.0, 1.0], atol=1e-8)


def test_large_steps_converge_to_the_reference():
    """Steps of 2 and 1 ms: an error of first order at most, which the gains keep small."""
    errors = []
    for h in (2e-3, 1e-3):
        timing = Timing(h, h, "semi-implicit euler")
        q, _ = simulated_in_large_steps(arm(), *state_of_reference(), timing)
        errors.append(abs(q - state_of_reference(0.5)[0]).max())
    assert errors[0] < 0.01
    assert errors[1] < 0.6 * errors[0]


def simulated_in_large_steps(figure, q, v, timing):
    motors = ComputedTorque(JOINTS, reference, stiffness=400.0, damping=40.0)
    controller = FeedbackController(ConstantLaw(()), {"motors": motors})
    world = World(figure, ground=NoGround(), contact="stepping", controller=controller, timing=timing,
                  initial=InitialState(tuple(q), tuple(v)))  # fmt: skip
    state = start(world)
    run(world, state, 0.5, rate=10.0)
    return np.array(state.q)[0], np.array(state.v)[0]


def test_impossible_motors_are_refused():
    with pytest.raises(WorldError, match="has no joints"):
        ComputedTorque((), reference)
    with pytest.raises(WorldError, match="stiffness"):
        ComputedTorque(JOINTS, reference, stiffness=-1.0)
    with pytest.raises(WorldError, match="2 coordinates for 3 joints"):
        simulated(arm(), *state_of_reference(), follow=lambda t: [t, t])
    free = arm((Link("body", None, Joint("free"), (Part(Box((0.3, 0.2, 0.1))),)),))
    motors = ComputedTorque(("body",), lambda t: [t])
    with pytest.raises(WorldError, match="one degree of freedom"):
        World(free, ground=NoGround(), controller=FeedbackController(ConstantLaw(()), {"motors": motors}))

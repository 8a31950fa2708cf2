"""One control step at a time: the same motion as in a run, and actions that actuators follow."""

import copy

import numpy as np
import pytest

from gambol.actuation import Servo
from gambol.collide import NoGround
from gambol.contact import Stepping
from gambol.control import Drive
from gambol.control.patterns import Commanded, FunctionPattern
from gambol.creatures.make_world import make_world
from gambol.errors import WorldError
from gambol.figure import Box, Capsule, Figure, Joint, Link, Part
from gambol.lanes import sin
from gambol.world import Engine, run, start, step

ROD = Figure("rod", (Link("rod", None, Joint("revolute", axis=(0.0, 1.0, 0.0)), (Part(Capsule(0.02, 0.3)),)),))
ACTUATORS = {"rod": Servo(-1.0, 1.0, stiffness=5.0, damping=0.1)}
WORLD = make_world(ROD, ground=NoGround(), gravity=0.0, controller=Drive(Commanded(1), ACTUATORS))


def test_steps_are_those_of_an_engine_and_leave_the_given_state_as_it_was():
    state = start(WORLD, 3, jitter=0.3)
    before, engine, other = state.rows.copy(), Engine(WORLD), state.copied()
    after = step(WORLD, step(WORLD, state))
    engine.advance(other, 2)
    np.testing.assert_array_equal(after.rows, other.rows)
    np.testing.assert_array_equal(state.rows, before)


def test_steps_with_more_contacts_than_the_capacity_are_those_of_a_run():
    box = Figure("box", (Link("box", None, Joint("free"), (Part(Box((0.2, 0.2, 0.2))),)),))
    world = make_world(box, contact=Stepping(max_contacts=1))
    state = start(world, on_ground=[0.0, 0.0], drop=0.05)
    after_run = state.copied()
    run(world, after_run, 0.2)
    while state.time[0] < after_run.time[0]:
        state = step(world, state)
    np.testing.assert_array_equal(state.rows, after_run.rows)


def test_actuators_follow_the_action_of_their_own_world():
    state = start(WORLD, 2)
    for _ in range(600):  # 2.5 s; the motion decays by exp(-t d / (2 I)), I = 0.0037 kg m2, that is exp(-34)
        state = step(WORLD, state, [[0.5], [-0.25]])
    np.testing.assert_allclose(state.q[:, 0], [0.5, -0.25], atol=1e-6)


def test_a_function_is_a_controller():
    world = make_world(
        ROD, ground=NoGround(), controller=Drive(FunctionPattern(lambda senses, time: [sin(6.0 * time)]), ACTUATORS)
    )
    state = step(world, start(world))
    target = state.step_state.memory.control.targets[0]
    np.testing.assert_allclose(target, np.sin(6.0 * world.timing.control_step), rtol=1e-12)
    with pytest.raises(WorldError, match="takes actions"):
        step(world, state, [0.1])


def test_an_action_of_another_shape_is_refused():
    with pytest.raises(WorldError, match=r"an action has shape \(1,\), or \(2, 1\) for 2 worlds, not \(2,\)"):
        step(WORLD, start(WORLD, 2), [0.1, 0.2])


def test_a_world_with_compiled_programs_can_be_copied():
    step(WORLD, start(WORLD))
    assert copy.deepcopy(WORLD) == WORLD
    assert "engines" not in copy.copy(WORLD).__dict__

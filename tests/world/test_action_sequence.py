"""Actions of many control steps as inputs of one call: the bits of one call for each, and closed forms."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from drives import wheel
from sprung_figures import above_ground, stander
from worlds import touch

from gambol.actuation import Servo, TorqueMotor
from gambol.collide import NoGround
from gambol.contact import Stepping, SurfaceProperties
from gambol.control import Drive, with_delays
from gambol.control.patterns import Commanded, CommandSequence
from gambol.errors import WorldError
from gambol.figure import Box, Capsule, Figure, Joint, Link, Part
from gambol.lanes import Precision
from gambol.world import Engine, State, Timing, World, start, step, steps
from gambol.world.action_sequence import set_actions, with_command_sequence
from gambol.world.control_step import SEQUENCE_LENGTH

ROD = Figure("rod", (Link("rod", None, Joint("revolute", axis=(0.0, 1.0, 0.0)), (Part(Capsule(0.02, 0.3)),)),))
SERVOS = {"rod": Servo(-1.0, 1.0, stiffness=5.0, damping=0.1)}
ROD_WORLD = World(ROD, ground=NoGround(), controller=Drive(Commanded(1), SERVOS), timing=Timing(0.02, 2e-3, "rk4"))


def motor_world(**options: Any) -> World:
    """Return the world of a trunk on two legs that land; motors turn hips and knees, with held torques for 50 ms."""
    figure, springs = stander()
    motors = {link.name: TorqueMotor(-3.0, 3.0) for link in figure.links[1:]}
    method = Stepping(**({"second_order_landings": True, "landing_steps": 3} | options))
    return World(
        figure,
        springs,
        surface=SurfaceProperties(touch(restitution=0.0, friction=0.8)),
        contact=method,
        controller=Drive(Commanded(len(motors)), motors),
        timing=Timing(0.05, 0.01),
    )


def landing(world: World, worlds: int, precision: Precision = "float64") -> State:
    """Return the states of standers just above the ground."""
    state, first = start(world, worlds, precision=precision), above_ground(world, worlds)
    state.q[:], state.v[:] = first.q, first.v
    return state


def actions_for(world: World, worlds: int, count: int) -> Any:
    """Return random actions (W, k, n); some are beyond the range."""
    return np.random.default_rng(5).uniform(-1.2, 1.2, (worlds, count, len(world.actuators)))


def step_by_step(world: World, state: State, actions: Any, **options: Any) -> State:
    """Return the state after one call for each control step."""
    for k in range(actions.shape[-2]):
        state = step(world, state, actions[..., k, :], **options)
    return state


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_landings_with_divided_steps_have_the_bits_of_single_calls(precision: Precision) -> None:
    """Worlds take different numbers of steps, so they wait for each other at the end of each single call."""
    world = motor_world()
    state, actions = landing(world, 40, precision), actions_for(world, 40, 10)
    before = state.rows.copy()
    expected, found = step_by_step(world, state, actions), steps(world, state, actions)
    assert len(np.unique(expected.step_state.clock.taken)) > 5
    np.testing.assert_array_equal(found.rows, expected.rows)
    np.testing.assert_array_equal(state.rows, before)
    assert np.abs(found.q - state.q)[:, 7:].max() > 0.3  # the motors have moved the legs


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_more_actions_than_a_call_takes_are_divided_among_calls(precision: Precision) -> None:
    """Servos, whose targets move within a control step; a run that is continued at a later control step."""
    count = 2 * SEQUENCE_LENGTH + 5
    state, actions = start(ROD_WORLD, 3, jitter=0.3, precision=precision), actions_for(ROD_WORLD, 3, count)
    expected = step_by_step(ROD_WORLD, state, actions)
    assert expected.time == pytest.approx(count * 0.02)
    np.testing.assert_array_equal(steps(ROD_WORLD, state, actions).rows, expected.rows)
    middle = steps(ROD_WORLD, state, actions[:, :7])
    np.testing.assert_array_equal(steps(ROD_WORLD, middle, actions[:, 7:]).rows, expected.rows)


def test_all_worlds_may_have_the_same_actions_and_a_world_may_be_alone() -> None:
    actions = actions_for(ROD_WORLD, 1, 4)[0]
    for worlds in (1, 3):
        state = start(ROD_WORLD, worlds, jitter=0.3)
        expected = step_by_step(ROD_WORLD, state, actions)
        np.testing.assert_array_equal(steps(ROD_WORLD, state, actions).rows, expected.rows)


def test_inputs_of_worlds_are_those_of_single_calls() -> None:
    """Gravity comes before the commands, servos come after them, so that their rows are moved."""
    servo = ROD_WORLD.numbers()["actuators"]["rod"] | {"stiffness": np.array([5.0, 8.0, 2.0])}
    numbers = Engine(ROD_WORLD).numbers(gravity=np.array([9.81, 1.0, -3.0]), actuators={"rod": servo})
    state, actions = start(ROD_WORLD, 3), actions_for(ROD_WORLD, 3, 4)
    expected = step_by_step(ROD_WORLD, state, actions, numbers=numbers)
    found = steps(ROD_WORLD, state, actions, numbers=numbers)
    np.testing.assert_array_equal(found.rows, expected.rows)
    assert np.all((found.q != steps(ROD_WORLD, state, actions).q)[1:])


def test_delayed_commands_are_those_of_single_calls() -> None:
    world = replace(ROD_WORLD, controller=with_delays(ROD_WORLD.controller, {"rod": 0.05}, 0.02))
    state, actions = start(world, 2, jitter=0.3), actions_for(world, 2, 6)
    found = steps(world, state, actions)
    np.testing.assert_array_equal(found.rows, step_by_step(world, state, actions).rows)
    assert np.all(found.q != steps(ROD_WORLD, start(ROD_WORLD, 2, jitter=0.3), actions).q)


def test_control_steps_with_more_contacts_than_the_capacity_are_repeated_alike() -> None:
    """The boxes begin to land on an edge or a corner, with one contact or two, and lie on four."""
    box = Link("box", None, Joint("free"), (Part(Box((0.2, 0.2, 0.2))),))
    arm = Link("arm", "box", Joint("revolute", (0.0, 1.0, 0.0)), (Part(Capsule(0.02, 0.2), colliding=False),))
    drive = Drive(Commanded(1), {"arm": TorqueMotor(-0.2, 0.2)})
    contact, timing = Stepping(max_contacts=1), Timing(0.02, 0.005)
    surface = SurfaceProperties(touch(restitution=0.0, friction=0.8))
    world = World(Figure("box", (box, arm)), surface=surface, contact=contact, controller=drive, timing=timing)
    state, actions = start(world, 4, on_ground=[0.0, 0.0], drop=0.02, jitter=0.05), actions_for(world, 4, 12)
    found = steps(world, state, actions)
    np.testing.assert_array_equal(found.rows, step_by_step(world, state, actions).rows)
    Engine(world).advance(crowded := state.copied(), 12)
    assert np.all(crowded.step_state.memory.contact_cache.over_capacity[0] > 0)  # without repetition


@pytest.mark.parametrize(("contact", "method"), [("penalty", "rk4"), ("stepping", "rk4")])
def test_torques_of_a_sequence_have_the_closed_form_of_a_wheel(contact: str, method: str) -> None:
    """v = sum tau_k dt / I; q = sum (v_k + v_k+1) dt / 2: each torque acts for one control step and no longer."""
    dt, inertia, torque = 0.01, 0.02, 3.0
    drive = Drive(Commanded(1), {"wheel": TorqueMotor(-torque, torque)})
    world = World(wheel(inertia), controller=drive, contact=contact, timing=Timing(dt, 2e-3, method))
    actions = np.array([1.0, -0.5, 0.25, 0.0, -1.0, 0.75])
    state = steps(world, start(world), actions[:, None])
    v = np.cumsum([0.0, *actions]) * torque * dt / inertia
    q = np.sum(0.5 * dt * (v[:-1] + v[1:]))
    np.testing.assert_allclose([state.q[0, 0], state.v[0, 0]], [q, v[-1]], rtol=0, atol=1e-13)


def test_the_last_commands_of_a_sequence_are_kept() -> None:
    engine = Engine(with_command_sequence(ROD_WORLD, 3))
    assert engine.world.controller.pattern == CommandSequence(1, 3)
    state, numbers = start(engine.world), engine.numbers()
    set_actions(engine, numbers, np.array([[[0.4]], [[-0.7]]]), first=0)
    engine.advance(state, 5, numbers)
    expected = steps(ROD_WORLD, start(ROD_WORLD), [[0.4], [-0.7], [-0.7], [-0.7], [-0.7]])
    np.testing.assert_array_equal(state.rows, expected.rows)


def test_a_sequence_of_one_action_is_the_world_itself() -> None:
    assert with_command_sequence(ROD_WORLD, 1) is ROD_WORLD
    engine, state = Engine(ROD_WORLD), start(ROD_WORLD)
    numbers = engine.numbers()
    for k, action in enumerate((0.4, -0.7)):
        set_actions(engine, numbers, np.full((1, 1, 1), action), first=k)
        engine.advance(state, k + 1, numbers)
    np.testing.assert_array_equal(state.rows, steps(ROD_WORLD, start(ROD_WORLD), [[0.4], [-0.7]]).rows)


@pytest.mark.parametrize("shape", [(4,), (4, 2), (3, 4, 1), (1, 2, 4, 1)])
def test_actions_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    expected = r"actions of k control steps have shape \(k, 1\), or \(2, k, 1\) for 2 worlds, not \("
    with pytest.raises(WorldError, match=expected):
        steps(ROD_WORLD, start(ROD_WORLD, 2), np.zeros(shape))


@pytest.mark.parametrize("shape", [(0, 1, 1), (4, 1, 1), (2, 2, 1), (2, 1)])
def test_more_actions_than_a_sequence_are_refused(shape: tuple[int, ...]) -> None:
    engine = Engine(with_command_sequence(ROD_WORLD, 3))
    with pytest.raises(WorldError, match=r"shape \(k, 1, worlds\) for 1 actuators and up to 3 control steps"):
        set_actions(engine, engine.numbers(), np.zeros(shape), first=0)


def test_a_world_that_takes_no_actions_is_refused() -> None:
    world = World(ROD, ground=NoGround())
    for make in (lambda: steps(world, start(world), [[0.1]]), lambda: with_command_sequence(world, 3)):
        with pytest.raises(WorldError, match="takes actions"):
            make()

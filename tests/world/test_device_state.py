"""Worlds on a graphics processor, by a stand-in for its driver: they have the bits of the processor."""

from dataclasses import replace

import numpy as np
import pytest
from driver_stand_in import ForeignArray, HostProgram, use_stand_in

from gambol.actuation import Servo
from gambol.collide import NoGround
from gambol.contact import Stepping
from gambol.control import Drive
from gambol.control.patterns import Commanded
from gambol.creatures.make_world import make_world
from gambol.errors import GambolError, WorldError
from gambol.figure import Box, Capsule, Figure, Joint, Link, Part
from gambol.world import Engine, ZeroCrossing, run, start, step, steps, to_device

ROD = Figure("rod", (Link("rod", None, Joint("revolute", axis=(0.0, 1.0, 0.0)), (Part(Capsule(0.02, 0.3)),)),))
SERVOS = {"rod": Servo(-1.0, 1.0, stiffness=5.0, damping=0.1)}
EXACT = make_world(ROD, ground=NoGround(), gravity=0.0, controller=Drive(Commanded(1), SERVOS))
WORLD = replace(EXACT, timing=replace(EXACT.timing, tolerance=1e-4))
LOWER = Link("lower", "rod", Joint("revolute", axis=(0.0, 1.0, 0.0)), ROD.given_links[0].parts)
TWO_RODS = replace(
    make_world(
        Figure("rods", (*ROD.given_links, LOWER)),
        ground=NoGround(),
        gravity=0.0,
        controller=Drive(Commanded(2), dict.fromkeys(("rod", "lower"), SERVOS["rod"])),
    ),
    timing=WORLD.timing,
)
BOX = Figure("box", (Link("box", None, Joint("free"), (Part(Box((0.2, 0.2, 0.2))),)),))


@pytest.fixture(autouse=True)
def stand_in(monkeypatch):
    return use_stand_in(monkeypatch, 20_000_000)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_steps_have_the_bits_of_the_processor_and_the_given_state_stays(precision):
    state = start(WORLD, 3, jitter=0.3, precision=precision)
    on_device, expected = to_device(state), step(WORLD, step(WORLD, state))
    after = step(WORLD, step(WORLD, on_device))
    np.testing.assert_array_equal(after.to_cpu().rows, expected.rows)
    np.testing.assert_array_equal(on_device.to_cpu().rows, state.rows)
    np.testing.assert_array_equal(after.q, expected.q)
    np.testing.assert_array_equal(after.v, expected.v)
    assert repr(after) == f'<DeviceState of "rod" on Stand-In 9: worlds: 3, {precision}>'


@pytest.mark.parametrize("action", [[0.5], [[0.5], [-0.25]]])
def test_actuators_follow_actions(action):
    state = start(WORLD, 2)
    on_device = to_device(state)
    for _ in range(2):
        state, on_device = step(WORLD, state, action), step(WORLD, on_device, action)
    np.testing.assert_array_equal(on_device.to_cpu().rows, state.rows)
    with pytest.raises(WorldError, match=r"an action has shape \(1,\), or \(2, 1\) for 2 worlds, not \(2,\)"):
        step(WORLD, on_device, [0.1, 0.2])


@pytest.mark.parametrize("shape", [(5, 1), (2, 5, 1)])
def test_actions_of_many_control_steps_have_the_bits_of_the_processor(shape):
    actions = np.random.default_rng(2).uniform(-1.0, 1.0, shape)
    state = start(WORLD, 2, jitter=0.3)
    found, expected = steps(WORLD, to_device(state), actions), steps(WORLD, state, actions)
    np.testing.assert_array_equal(found.to_cpu().rows, expected.rows)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_actuators_follow_actions_of_another_library_there(precision, order):
    """Kernels wait for what computes them: DLPack names the default stream. Inputs of the host take them, too."""
    actions = np.random.default_rng(1).uniform(-1.0, 1.0, (3, 2)).astype(precision)
    state = start(TWO_RODS, 3, precision=precision)
    on_device = to_device(state)
    given = ForeignArray(on_device.rows.device, actions, order)
    for _ in range(2):
        state, on_device = step(TWO_RODS, state, actions), step(TWO_RODS, on_device, given)
    np.testing.assert_array_equal(on_device.to_cpu().rows, state.rows)
    assert given.streams
    assert set(given.streams) == {1}
    inputs = Engine(TWO_RODS, precision).numbers()
    expected, found = (step(TWO_RODS, s, a, numbers=inputs) for s, a in ((state, actions), (on_device, given)))
    np.testing.assert_array_equal(found.to_cpu().rows, expected.rows)


def test_actions_there_that_do_not_fit_are_refused():
    on_device = to_device(start(TWO_RODS, 3))

    def refused(array, message, error=WorldError):
        with pytest.raises(error, match=message):
            step(TWO_RODS, on_device, ForeignArray(on_device.rows.device, array))

    refused(np.zeros((3, 1)), r"an action on a graphics processor has shape \(W, 2\), not \(3, 1\)")
    refused(np.zeros((2, 2)), "an action of 2 worlds was given for 3 worlds")
    refused(np.zeros((3, 2), np.float32), r"must be float64 of shape \(2, worlds\), not float32", GambolError)
    refused(np.zeros(2), r"must have the shape \(worlds, numbers\) without gaps, not \(2,\)", GambolError)


def test_steps_with_more_contacts_than_the_capacity_are_repeated(monkeypatch):
    """One box lands on its four corners, the other falls freely."""
    monkeypatch.setattr("gambol.lanes.gpu.GpuProgram", HostProgram)
    world = make_world(BOX, contact=Stepping(max_contacts=1))
    state = start(world, 2, position=[[0.0, 0.0, 0.1001], [0.0, 0.0, 0.5]])
    on_device = to_device(state)
    for _ in range(3):
        state, on_device = step(world, state), step(world, on_device)
    np.testing.assert_array_equal(on_device.to_cpu().rows, state.rows)
    assert on_device.v[0, 5] > -1e-6  # it lies on the ground
    assert on_device.v[1, 5] < -0.1


def test_a_film_of_a_run_is_the_one_of_the_processor_and_the_state_goes_on():
    state = start(WORLD, 2, jitter=0.3)
    on_device = to_device(state)
    expected, found = run(WORLD, state, 0.02, rate=240.0), run(WORLD, on_device, 0.02, rate=240.0)
    np.testing.assert_array_equal(found.position, expected.position)
    np.testing.assert_array_equal(found.signals["kinetic"], expected.signals["kinetic"])
    np.testing.assert_array_equal(on_device.to_cpu().rows, state.rows)
    with pytest.raises(WorldError, match="events are found on the processor of this machine only"):
        run(WORLD, on_device, 0.02, rate=240.0, events={"turn": ZeroCrossing(lambda sensed: sensed.q[0])})


def test_unknown_devices_and_lost_processors_are_told(stand_in):
    state = start(WORLD, 1)
    for name in ("gpu", "cuda:", "cuda:x"):
        with pytest.raises(WorldError, match=f'there is no device "{name}"; give "cuda"'):
            to_device(state, name)
    on_device = to_device(state, "cuda:0")
    stand_in.lost = True
    with pytest.raises(GambolError, match="the graphics processor failed in cuCtxSynchronize"):
        step(WORLD, on_device)


def test_all_memory_is_freed(stand_in):
    on_device = step(WORLD, to_device(start(WORLD, 4)))
    assert stand_in.sizes
    del on_device
    assert not stand_in.sizes

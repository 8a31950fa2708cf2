"""Settings that meet an accuracy: against exact motions, and against much shorter steps from other initial states."""

import math
from dataclasses import replace

import numpy as np
import pytest
from drives import ConstantPattern, SinusoidPattern
from scipy.integrate import solve_ivp
from standers import quadruped

import gambol
from gambol import (
    Capsule,
    Drive,
    Engine,
    Figure,
    Joint,
    Link,
    Part,
    Servo,
    Sphere,
    Stepping,
    Timing,
    TorqueMotor,
    World,
    WorldError,
)
from gambol.collide import NoGround
from gambol.control.patterns import Commanded
from gambol.creatures.accuracy import fit_accuracy
from gambol.creatures.compared_motions import DURATION, JITTER
from gambol.world import start

LENGTH = 0.5
Y = (0.0, 1.0, 0.0)


def pendulum(contact: str) -> World:
    """A pendulum that falls from 2.5 rad, so that its rod (the figure's size) moves by more than its length."""
    bob = Part(Sphere(0.02), position=(0.0, 0.0, -LENGTH), density=3e4)
    figure = Figure("pendulum", (Link("rod", None, Joint("revolute", Y), (bob,)),))
    world = gambol.make_world(figure, ground=NoGround(), contact=contact)
    return replace(world, initial=replace(world.initial, q=(2.5,)))


def crawler() -> Figure:
    """A trunk on two legs that falls over."""
    trunk = Link("trunk", None, Joint("free"), (Part(Capsule(0.05, 0.3), density=400.0),))
    legs = (
        Link(name, "trunk", Joint("revolute", Y, position=(0.0, 0.0, z)), (Part(Capsule(0.02, 0.2), (0.1, 0.0, 0.0)),))
        for name, z in (("fore", 0.15), ("hind", -0.15))
    )
    return Figure("crawler", (trunk, *legs))


@pytest.mark.parametrize("contact", ["penalty", "stepping"])
@pytest.mark.parametrize("accuracy", [1e-2, 1e-4])
def test_a_pendulum_is_as_near_to_its_exact_motion_as_asked(contact: str, accuracy: float):
    fit = fit_accuracy(pendulum(contact), accuracy)
    world = fit.world
    (link,) = world.figure.links
    inertia = link.mass_properties.mass * LENGTH**2 + 0.4 * link.mass_properties.mass * 0.02**2
    frequency = math.sqrt(link.mass_properties.mass * 9.81 * LENGTH / inertia)
    state = start(world, 16, jitter=JITTER, seed=7)
    ends = [
        solve_ivp(lambda _, y: [y[1], -(frequency**2) * math.sin(y[0])], (0.0, DURATION), [q, 0.0], "DOP853", None,
                  rtol=1e-12, atol=1e-12).y[0, -1]
        for q in state.q[:, 0]
    ]  # fmt: skip
    assert getattr(world.method, "landing_steps", 1) == 1  # there is nothing to land on
    Engine(world).advance(state, round(DURATION / world.timing.control_step))
    np.testing.assert_allclose(state.time, DURATION)
    distances = 2.0 * LENGTH * np.abs(np.sin(0.5 * (state.q[:, 0] - ends))) / float(world.size)  # of the bob
    assert np.median(distances) <= accuracy


def median_error(world: World, exact: World) -> float:
    """The median distance of links from those of an exact world, in sizes of the figure, from 32 other states."""
    ends = []
    for each in (world, exact):
        state, engine = start(each, 32, jitter=JITTER, seed=5), Engine(each)
        engine.advance(state, round(DURATION / each.timing.control_step))
        ends.append(np.array(engine.observe(state).positions).reshape(-1, 3, 32))
    distance = np.linalg.norm(ends[0] - ends[1], axis=1).mean(axis=0) / float(world.size)
    return float(np.median(distance))


@pytest.mark.parametrize("accuracy", [1e-2, pytest.param(2e-3, marks=pytest.mark.slow)])
def test_falls_from_other_states_are_as_near_to_those_of_short_steps(accuracy: float):
    """With 32 other states, each median is uncertain by a fifth, so that one is below twice the accuracy."""
    world = gambol.make_world(crawler(), contact="stepping", accuracy=accuracy)
    exact = gambol.make_world(crawler(), contact="stepping", timing=Timing(1 / 30, 1 / 15360))
    assert median_error(world, exact) <= 2.0 * accuracy
    assert world.method.second_order_landings
    assert (world.method.landing_steps > 1) == (accuracy < 1e-2)  # legs and trunk land one after the other
    assert world.method.iterations < exact.method.iterations
    assert world.timing.tolerance > exact.timing.tolerance


@pytest.mark.slow
def test_commanded_actuators_are_tried_with_random_commands():
    """With other random torques and angles, the median of 32 errors is below twice the accuracy, as above."""
    accuracy, control_step = 1e-2, 1 / 20
    motor = TorqueMotor(-3.0, 3.0)
    drive = Drive(Commanded(2), {"fore": motor, "hind": motor})
    options = {"controller": drive, "contact": "stepping", "timing": Timing(control_step, control_step)}
    world = gambol.make_world(crawler(), accuracy=accuracy, **options)
    calm = fit_accuracy(gambol.make_world(crawler(), **options), accuracy, commands=0.0).world
    assert world.timing.step < calm.timing.step
    assert world.timing.tolerance > Timing().tolerance
    exact = replace(world, timing=Timing(control_step, control_step / 1024), contact=Stepping(iterations=20))
    ends, torques = [], np.random.default_rng(3).uniform(-1.0, 1.0, (round(DURATION / control_step), 32, 2))
    for each in (world, exact):
        state = start(each, 32, jitter=JITTER, seed=5)
        for torque in torques:
            state = gambol.step(each, state, torque)
        ends.append(np.array(Engine(each).observe(state).positions).reshape(-1, 3, 32))
    distance = np.linalg.norm(ends[0] - ends[1], axis=1).mean(axis=0) / float(world.size)
    assert np.median(distance) <= 2.0 * accuracy


@pytest.mark.slow
def test_springs_act_by_the_midpoint_rule_where_that_allows_longer_steps():
    """Legs with springs that are too stiff to be explicit in steps of 4 ms, against short steps, where they are."""
    accuracy = 1e-2
    springs = {name: gambol.JointSpring(stiffness=200.0, damping=0.5) for name in ("fore", "hind")}
    options = {"springs": springs, "contact": "stepping"}
    world = gambol.make_world(crawler(), accuracy=accuracy, **options)
    assert world.method.midpoint_springs
    exact = gambol.make_world(crawler(), timing=Timing(1 / 30, 1 / 15360), **options)
    assert not exact.method.midpoint_springs
    assert median_error(world, exact) <= 2.0 * accuracy


@pytest.mark.filterwarnings("ignore:.*did not solve")  # landings in long steps; energy and capacity are tested here
def test_a_higher_accuracy_takes_shorter_steps_and_room_for_contacts_suffices():
    worlds = [gambol.make_world(crawler(), contact="stepping", accuracy=x) for x in (3e-2, 1e-3)]
    assert worlds[0].timing.step > worlds[1].timing.step
    for world in worlds:
        gambol.run(world, start(world, 32, jitter=JITTER), DURATION)  # without a warning of contacts or energy
    assert worlds[0].timing.control_step == worlds[0].timing.step <= 1 / 30
    count = worlds[1].timing.control_step / worlds[1].timing.step
    assert count == pytest.approx(round(count))
    assert round(count) >= 4  # room for divided steps
    assert 1 / 240 <= worlds[1].timing.control_step <= 1 / 30


@pytest.mark.slow
def test_steps_divide_the_control_step_of_a_controller():
    servo = Servo(lower=-1.0, upper=1.0, stiffness=20.0, damping=0.5, strength=20.0)
    drive = Drive(ConstantPattern((0.6, -0.6)), {"fore": servo, "hind": servo})
    options = {"controller": drive, "contact": "stepping", "timing": Timing(1 / 50, 1 / 50)}
    fit = fit_accuracy(gambol.make_world(crawler(), **options), 1e-3)
    count = fit.world.timing.control_step / fit.world.timing.step
    assert fit.world.timing.control_step == 1 / 50
    assert count == pytest.approx(round(count))
    assert fit.error <= 1e-3
    assert list(fit.tried) == sorted(fit.tried, reverse=True)
    assert 1 / 50 in fit.tried


@pytest.mark.parametrize("accuracy", [0.0, 0.5, math.nan])
def test_impossible_accuracies_are_refused(accuracy: float):
    with pytest.raises(WorldError, match=r"give 1e-6 to 0\.1 of the figure's size"):
        gambol.make_world(crawler(), accuracy=accuracy)


@pytest.mark.slow
def test_an_accuracy_that_is_not_met_says_what_can_be_met():
    """Landings are of first order: a millionth of the size would take steps of some microseconds."""
    with pytest.raises(WorldError, match="is not met: the smallest error is"):
        gambol.make_world(crawler(), contact="stepping", accuracy=1e-6)


@pytest.mark.parametrize(("stiffness", "damping", "explicit"), [(8.0, 0.1, True), (20.0, 0.4, False)])
def test_servos_become_explicit_where_that_allows_longer_steps(stiffness: float, damping: float, explicit: bool):
    """Soft servos of a treading quadruped allow longer steps if they are explicit; stiff ones do not."""
    accuracy, model = 1e-2, quadruped()
    angles = zip([link.name for link in model.figure.links[1:]], model.q[7:], strict=True)
    servos = {name: Servo(angle - 0.3, angle + 0.3, stiffness, damping, 60.0) for name, angle in angles}
    drive = Drive(SinusoidPattern((0.0, 0.5, 3.0, 3.5, 3.0, 3.5, 0.0, 0.5), 3.0), servos)
    options = {"controller": drive, "timing": Timing(1 / 50, 1 / 50)}
    world = gambol.make_world(model, contact=Stepping(), accuracy=accuracy, **options)
    assert world.method.explicit_servos is explicit
    assert world.method.limited_servos
    if explicit:
        exact = gambol.make_world(model, contact=Stepping(), timing=Timing(1 / 50, 1 / 6400), controller=drive)
        ends = []
        for each in (world, exact):
            state, engine = start(each, 32, jitter=JITTER, seed=5), Engine(each)
            engine.advance(state, round(DURATION * 50))
            ends.append(np.array(engine.observe(state).positions).reshape(-1, 3, 32))
        distance = np.linalg.norm(ends[0] - ends[1], axis=1).mean(axis=0) / float(world.size)
        assert np.median(distance) <= 2.0 * accuracy  # other states: as above
    else:
        given = gambol.make_world(model, contact=Stepping(explicit_servos=True), accuracy=accuracy, **options)
        assert given.method.explicit_servos  # they remain explicit where that is asked for

"""Actuators in worlds: droop, limits of strength and power, and the balance of energy, in every contact method."""

import math
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from drives import (
    CROUCHED,
    FEET,
    JOINTS,
    SERVO,
    SINUSOID,
    ConstantPattern,
    hopper,
    hopper_world,
    joint_world,
    pendulum,
    rail_world,
    wheel,
)
from scipy.optimize import brentq
from worlds import diagonal, energy_balance, moved

from gambol.actuation import HillServo, Servo
from gambol.control import Drive
from gambol.creatures.gait_metrics import measure
from gambol.errors import FigureError, GambolError, WorldError
from gambol.figure import Figure, Joint, JointSpring, Link
from gambol.figure.parameters import varying
from gambol.world import Engine, State, Timing, World, run, start

EULER = "semi-implicit euler"
METHODS = {
    "penalty": Timing(0.01, 1e-3, "rk4"),
    "constraint": Timing(0.01, 1e-3, "rk4"),
    "stepping": Timing(0.01, 1e-3, EULER),
    "impulse": Timing(0.01, 1e-3, EULER),
}
methods = pytest.mark.parametrize("contact", sorted(METHODS))


def in_(world: World, contact: str) -> World:
    return replace(world, contact=contact, timing=METHODS[contact])


def after(world: World, seconds: float, v: float = 0.0) -> tuple[Engine, State, State]:
    """Return the engine of a world of one joint, its initial state with a velocity, and its state some time later."""
    engine, state = Engine(world), start(world)
    state.v[:] = v
    return engine, state, moved(engine, state, seconds)


@methods
def test_a_loaded_joint_droops_by_the_torque_over_the_stiffness(contact):
    """k (target - q) = m g l sin q holds a pendulum that is raised to a side."""
    actuator = Servo(0.2, 1.0, stiffness=20.0, damping=2.0)
    _, _, state = after(in_(joint_world(pendulum(), actuator, 1.0), contact), 10.0)
    torque = 1.0 * 9.81 * 0.5
    rest = brentq(lambda q: 20.0 * (1.0 - q) - torque * math.sin(q), 0.0, 1.0)
    assert rest < 0.9
    np.testing.assert_allclose(state.q, rest, rtol=1e-9)
    np.testing.assert_allclose(state.v, 0.0, atol=1e-9)


@methods
def test_at_its_strength_it_accelerates_evenly(contact):
    """With a demand of 100 times its strength, it turns a wheel at strength / I."""
    actuator = Servo(-50.0, 50.0, stiffness=100.0, strength=4.0)
    _, _, state = after(in_(joint_world(wheel(0.02), actuator, 1.0), contact), 0.1)
    # targets move from the middle within the first frame; from k x = strength on, in its first 8 %, it is at its limit
    late = 0.01 * 4.0 / (100.0 * 50.0)
    speed = 4.0 / 0.02 * 0.1
    np.testing.assert_allclose(state.v, speed, rtol=2.0 * max(late, 1e-3) / 0.1)
    exactly = 1e-12 if contact in ("stepping", "impulse") else 1e-5  # as far as rk4 sees the corner at the limit
    np.testing.assert_allclose(state.step_state.ledger.motors, 0.5 * 0.02 * state.v[:, 0] ** 2, rtol=exactly)


@methods
def test_at_its_power_energy_grows_evenly(contact):
    """I v^2 / 2 = P t: speed grows with the root of time. From v0 on, errors of steps are h P / (I v^2) or less."""
    actuator = Servo(-500.0, 500.0, stiffness=100.0, power=10.0)
    world = in_(joint_world(wheel(0.02), actuator, 1.0), contact)
    engine, state = Engine(world), start(world)
    state.v[:] = 5.0
    state = moved(engine, state, 0.01)  # until the target is out of reach
    energies, times = [], np.arange(5) * 0.1
    for _ in times:
        energies.append(0.5 * 0.02 * float(state.v[0, 0]) ** 2)
        state = moved(engine, state, 0.1)
    gained = np.array(energies) - energies[0]
    large = contact in ("stepping", "impulse")
    np.testing.assert_allclose(gained, 10.0 * times, rtol=2e-2 if large else 1e-4, atol=1e-12)


@methods
def test_the_work_of_brakes_is_that_of_the_ledger(contact):
    """A spinning wheel is stopped by its damping, and the motors' work is all its energy."""
    actuator = Servo(0.0, 0.0, stiffness=1e-6, damping=0.5, strength=3.0)
    engine, begun, state = after(in_(joint_world(wheel(0.02), actuator, 0.0), contact), 2.0, v=20.0)
    np.testing.assert_allclose(state.v, 0.0, atol=1e-4)
    np.testing.assert_allclose(state.step_state.ledger.motors, -0.5 * 0.02 * 20.0**2, rtol=1e-5)
    np.testing.assert_allclose(energy_balance(engine, state), energy_balance(engine, begun), atol=1e-4)


def swinging(contact: str, step: float) -> World:
    """Return the world of a hopper in the air, whose legs tread; there is no ground."""
    drive = Drive(SINUSOID, dict.fromkeys(JOINTS, SERVO), FEET)
    method = EULER if contact in ("stepping", "impulse") else "rk4"
    return World(hopper(), controller=drive, contact=contact, timing=Timing(0.02, step, method))


@cache
def flown(contact: str, step: float) -> tuple[Any, Any]:
    """Return coordinates after a second in the air, and the imbalance of the ledger [J]."""
    world = swinging(contact, step)
    engine, state = Engine(world), start(world)
    then = moved(engine, state, 1.0)
    return then.q[0], float(abs(energy_balance(engine, then) - energy_balance(engine, state))[0])


def test_large_steps_come_to_the_motion_of_small_ones_as_they_shrink():
    """The error of large steps is proportional to the step, as servos are implicit; of the ledger, to its square."""
    exact, _ = flown("penalty", 5e-4)
    errors, balances = [], []
    for step in (4e-3, 2e-3, 1e-3):
        q, out = flown("stepping", step)
        errors.append(np.abs(q - exact)[7:].max())
        balances.append(out)
    assert errors[0] < 0.005
    assert all(1.6 < a / b < 2.5 for a, b in pairwise(errors))
    assert all(3.5 < a / b < 4.5 for a, b in pairwise(balances))


def test_smooth_steps_leave_nothing_unaccounted():
    """The torque has corners at its limits, at which a fourth-order step is of second order."""
    _, coarse = flown("penalty", 2e-3)
    _, fine = flown("penalty", 5e-4)
    assert fine < 1e-6
    assert fine < 0.2 * coarse


@cache
def hopped(contact: str, step: float) -> Any:
    """Return heights of a trunk on a rail whose leg treads the ground, 50 a second for a second and a half [m]."""
    world = rail_world(contact, step)
    engine, state = Engine(world), start(world, angles=CROUCHED)
    heights: list[float] = []
    for _ in range(75):
        state = moved(engine, state, 0.02)
        heights.append(float(state.q[0, 0]))
    return np.array(heights)


def test_on_the_ground_large_steps_come_to_the_motion_of_springs_and_small_steps():
    """Under a treading leg the spring of the ground yields by the weight over its stiffness, 0.4 mm."""
    soft = hopped("penalty", 1e-4)
    assert np.ptp(soft[25:]) > 0.05
    gives = 4.0 * 9.81 / 1e5
    lower, coarser = ((hopped("stepping", step) - soft) for step in (2.5e-4, 4e-3))
    assert abs(lower.mean() - gives) < 0.1 * gives
    assert np.abs(coarser - lower).max() < 1e-3


def test_springs_hold_limits_where_an_actuator_pulls():
    """A joint may have both: the actuator asks for 1 rad, the spring's hard limit is at 0.5."""
    actuator = Servo(-1.0, 1.0, stiffness=20.0, damping=2.0)
    for contact in ("stepping", "penalty"):
        stiff = {} if contact == "stepping" else {"limit_stiffness": 1e4, "limit_damping": 10.0}
        spring = JointSpring(lower=-0.5, upper=0.5, **stiff)
        world = replace(in_(joint_world(wheel(), actuator, 1.0), contact), springs={"wheel": spring})
        state = after(world, 2.0)[2]
        np.testing.assert_allclose(state.q, 0.5, atol=1e-5 if contact == "stepping" else 10.0 / 1e4 * 1.01)


def test_worlds_of_one_program_have_actuators_of_their_own():
    """Each lane is the same as the world made for it alone, to the last bit."""
    stiffness = np.array([5.0, 20.0, 80.0])
    for contact in ("stepping", "penalty"):
        world = in_(joint_world(pendulum(), Servo(0.2, 1.0, 20.0, 2.0, 8.0, 30.0), 1.0), contact)
        engine, state = Engine(world), start(world, 3)
        given = {"rod": world.numbers()["actuators"]["rod"] | {"stiffness": stiffness, "upper": stiffness / 10.0}}
        together = moved(engine, state, 1.0, engine.numbers(actuators=given))
        for lane, k in enumerate(stiffness):
            own = joint_world(pendulum(), Servo(0.2, k / 10.0, k, 2.0, 8.0, 30.0), 1.0)
            alone = moved(Engine(in_(own, contact)), start(in_(own, contact)), 1.0)
            assert (alone.rows[:2, 0] == together.rows[:2, lane]).all()
            assert alone.step_state.ledger.motors[0] == together.step_state.ledger.motors[lane]


def test_numbers_are_given_by_name_in_any_order():
    world = joint_world(pendulum(), HillServo(0.2, 1.0, 20.0, 2.0, 8.0, 30.0, 40.0), 1.0)
    engine, rod = Engine(world), world.numbers()["actuators"]["rod"]
    reversed_rod = dict(reversed(rod.items()))
    assert list(reversed_rod) != list(rod)
    assert (engine.numbers(actuators={"rod": reversed_rod}) == engine.numbers()).all()
    with pytest.raises(WorldError, match=r"the structure of the numbers \['actuators'\] is not that of"):
        engine.numbers(actuators={"rod": {**rod, "strange": rod["power"]}})
    with pytest.raises(WorldError, match="the structure of the numbers"):
        engine.numbers(actuators={"rod": {name.replace("power", "speed"): x for name, x in rod.items()}})


@pytest.mark.parametrize("contact", ["stepping", "penalty"])
def test_lanes_are_alike_and_one_that_breaks_disturbs_none(contact):
    world = hopper_world(contact, 2e-3 if contact == "stepping" else 5e-4, 0.02)
    starts = start(world, 5, position=(0.0, 0.0, 0.45), jitter=0.1, seed=3)
    engine = Engine(world)
    full = moved(engine, starts, 0.4)
    restored = moved(Engine(world, lanes=1), starts, 0.4)
    assert (restored.rows == full.rows).all()
    stiffness = np.array([20.0, 20.0, np.nan, 20.0, 20.0])
    numbers = world.numbers()["actuators"]
    broken = engine.numbers(actuators=numbers | {"left shank": numbers["left shank"] | {"stiffness": stiffness}})
    state = starts.copied()
    engine.advance(state, 20, broken)
    assert list(state.step_state.clock.status > 0.5) == [False, False, True, False, False]
    others = [0, 1, 3, 4]
    assert (state.rows[:, others] == full.rows[:, others]).all()


def test_what_an_actuator_cannot_pull_at_is_refused():
    mass = diagonal(1.0, 1.0, 1.0, 1.0)
    links = Link("one", None, Joint("free"), (), mass), Link("other", "one", Joint("spherical"), (), mass)
    with pytest.raises(WorldError, match='one degree of freedom at "other", not a spherical one'):
        World(Figure("two", links), controller=Drive(ConstantPattern((0.0,)), {"other": SERVO}))
    with pytest.raises(FigureError, match='"left thigh"'):
        World(hopper(), controller=Drive(ConstantPattern((0.0,)), {"left thig": SERVO}))
    with pytest.raises(FigureError, match='"left shank"'):
        World(hopper(), controller=Drive(SINUSOID, dict.fromkeys(JOINTS, SERVO), ("left shan",)))
    with pytest.raises(WorldError, match=r'requests an unknown sense "angle".*"angles"'):
        World(hopper(), controller=Drive(replace(SINUSOID, required_senses=("angle",)), dict.fromkeys(JOINTS, SERVO)))


@pytest.mark.filterwarnings("ignore:energy does not balance:gambol.world.events.ledger.LedgerWarning")  # of first order
def test_a_drive_is_filmed_and_is_no_walk():
    world = hopper_world("stepping", 4e-3, 4e-3)
    film = run(world, start(world, 2, position=(0.0, 0.0, 0.45)), 0.2, rate=50.0)
    assert film.limb_names == ()
    assert "stepping" not in film.signals
    assert np.abs(film.signals["motors"][-1]).min() > 0.0
    with pytest.raises(GambolError, match="shows no walk"):
        measure(film, world)


def test_programs_of_custom_patterns_are_distinguished_by_their_formulas():
    """Two kinds that are equal except for their formulas, including names and structure."""

    def world_of_level(level: float) -> World:
        class Own(ConstantPattern):
            def signals(self, *given: Any) -> Any:
                return [level], given[1]

        return replace(joint_world(wheel(), SERVO, 0.0), controller=Drive(Own((0.0,)), {"wheel": SERVO}))

    up, down = world_of_level(0.5), world_of_level(-0.5)
    assert up.structure() == down.structure()
    assert after(up, 1.0)[2].q > 0.1
    assert after(down, 1.0)[2].q < -0.1


@pytest.mark.parametrize("contact", ["stepping", "penalty"])
def test_figures_of_other_parameters_are_driven_by_one_program(contact):
    """Wheels of two inertias, each turned as by the program of its own world."""
    worlds = [in_(joint_world(wheel(inertia), replace(SERVO, lower=-4.0), -1.0), contact) for inertia in (0.02, 0.05)]
    shared = worlds[0].parametrised_by(varying([world.figure for world in worlds]))
    engine, state = Engine(shared), start(shared, 2)
    state = moved(engine, state, 0.5, engine.numbers_of(worlds))
    for lane, world in enumerate(worlds):
        alone = moved(Engine(world), start(world), 0.5)
        np.testing.assert_allclose(state.rows[:2, lane], alone.rows[:2, 0], rtol=1e-12)

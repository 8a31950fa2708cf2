"""Limits of servos within large steps: closed forms, momentum balances, short steps, and unchanged results."""

from typing import Any

import numpy as np
import pytest
from drives import ConstantPattern
from sprung_figures import falls, stander, train
from worlds import point, touch

from gambol.actuation import HillServo, Servo, TorqueMotor, VelocityServo
from gambol.actuation.actuator import Actuator
from gambol.collide import NoGround
from gambol.contact import Stepping, SurfaceProperties
from gambol.control import Drive
from gambol.figure import Figure, Joint, JointSpring, Link, Part, Sphere
from gambol.world import Engine, State, Timing, World, start
from gambol.world.step.saturation import EXCESS

Array = np.ndarray[Any, Any]

G, H = 9.81, 5e-3
TRUNK, FOOT, RADIUS = 2.0, 1.0, 0.02  # kg, kg, m
OPTIONS = ({}, {"explicit_servos": True}, {"explicit_servos": True, "midpoint_springs": True})


def leg(servo: Actuator, step: float = H, **options: Any) -> World:
    """Return a trunk on a vertical rail, above a foot that a servo holds at a distance of 0."""
    up = Joint("prismatic", (0.0, 0.0, 1.0))
    sole = Part(Sphere(RADIUS), (0.0, 0.0, 0.0), inertial=False)
    links = (
        Link("trunk", None, up, (), point(TRUNK, (0.0, 0.0, 0.0))),
        Link("foot", "trunk", up, (sole,), point(FOOT, (0.0, 0.0, 0.0))),
    )
    return World(
        Figure("leg", links),
        gravity=G,
        surface=SurfaceProperties(touch(restitution=0.0)),
        contact=Stepping(**options),
        controller=Drive(ConstantPattern((0.0,)), {"foot": servo}),
        timing=Timing(step, step),
    )


def landing_leg(world: World, speed: float) -> tuple[Engine, State]:
    """Return a leg that falls at a speed [m/s], one millimetre above the ground."""
    state = start(world)
    state.q[0], state.v[0] = [RADIUS + 1e-3, 0.0], [-speed, 0.0]
    return Engine(world, lanes=1), state


def forces_on_trunk(world: World, speed: float, steps: int) -> tuple[Array, Array, Array]:
    """Return the mean force on the trunk in each step, from its momentum, the velocities of the foot relative to it
    before the first step and after each, and the motors' work in each.
    """
    (engine, state), h = landing_leg(world, speed), world.timing.step
    v, work = [state.v[0].copy()], [0.0]
    for step in range(1, steps + 1):
        engine.advance(state, step)
        v.append(state.v[0].copy())
        work.append(float(np.asarray(state.step_state.ledger.motors).item()))
    trunk, foot = np.array(v).T
    return TRUNK * (np.diff(trunk) / h + G), foot, np.diff(work)


@pytest.mark.parametrize("options", OPTIONS)
def test_a_landing_trunk_is_braked_by_the_strength_of_its_servo(options: Any):
    """It stops after v^2 / (2 (S / M - g)), and the servo absorbs S times this distance.

    The servo is far too stiff for the step. Without the option it brakes by a multiple of its strength.
    """
    servo, speed = Servo(-1.0, 1.0, 2e4, 200.0, strength=60.0), 1.5
    pressed, _, _ = forces_on_trunk(leg(servo, **options), speed, 12)
    assert np.abs(pressed).max() > 2.0 * servo.strength
    world = leg(servo, limited_servos=True, **options)
    force, foot, work = forces_on_trunk(world, speed, 12)
    assert np.abs(force).max() < servo.strength * (1.0 + 1e-9)
    yields = force > servo.strength * (1.0 - 1e-9)
    assert yields.sum() > 5
    # The foot stands while the trunk sinks: the distance grows by the mean velocity of each step.
    sunk = H * 0.5 * (foot[:-1] + foot[1:])
    np.testing.assert_allclose(work[yields], -servo.strength * sunk[yields], rtol=1e-9)
    (engine, state), seen = landing_leg(world, speed), list[tuple[float, float]]()
    for step in range(1, 13):
        engine.advance(state, step)
        seen.append((state.q[0, 0], state.v[0, 0]))
    z, v = np.array(seen).T
    a = servo.strength / TRUNK - G
    last = 6
    assert z[1] - z[last] == pytest.approx((v[1] ** 2 - v[last] ** 2) / (2.0 * a), rel=1e-9)


@pytest.mark.parametrize("options", OPTIONS)
def test_a_servo_that_drives_a_wagon_onto_a_stop_keeps_its_strength(options: Any):
    """The momentum of the wagon is that of the stop's impulses and a force within the strength.

    It moves at the speed of its servo, which asks for twenty times its strength as soon as the stop holds the wagon.
    """
    strength, mass, speed = 5.0, 1.0, 1.0
    figure = train(np.array([mass]))
    forces: list[float] = []
    for limited in (False, True):
        world = World(
            figure,
            {"wagon0": JointSpring(lower=-1.0, upper=0.1)},
            contact=Stepping(limited_servos=limited, **options),
            gravity=0.0,
            ground=NoGround(),
            controller=Drive(ConstantPattern((1.0,)), {"wagon0": VelocityServo(-speed, speed, 100.0, strength)}),
            timing=Timing(H, H),
        )
        engine, state = Engine(world, lanes=1), start(world)
        state.q[0], state.v[0] = 0.085, speed
        found: list[float] = []
        for step in range(1, 10):
            before = state.v[0, 0]
            engine.advance(state, step)
            cache = state.step_state.memory.contact_cache
            assert cache is not None
            stop = sum(float(np.asarray(p).item()) for (p,) in cache.impulses)
            found.append((mass * (state.v[0, 0] - before) + stop) / H)
        forces.append(float(np.abs(found).max()))
        assert state.v[0, 0] == pytest.approx(0.0, abs=1e-9)
    assert forces[0] > 4.0 * strength
    assert forces[1] < strength * (1.0 + 1e-9)


def test_the_power_of_a_braking_servo_holds_in_steps():
    servo = Servo(-1.0, 1.0, 2e4, 200.0, strength=200.0, power=60.0)
    force, foot, _ = forces_on_trunk(leg(servo, limited_servos=True), 2.0, 20)
    powers = np.abs(force * 0.5 * (foot[:-1] + foot[1:]))
    assert powers.max() < 60.0 * (1.0 + EXCESS) * (1.0 + 1e-9)
    force, foot, _ = forces_on_trunk(leg(servo), 2.0, 20)
    assert np.abs(force * 0.5 * (foot[:-1] + foot[1:])).max() > 120.0


@pytest.mark.parametrize(
    "actuator",
    [
        VelocityServo(-1.0, 1.0, 500.0, strength=60.0),
        HillServo(-1.0, 1.0, 2e4, 200.0, strength=60.0, max_speed=3.0),
        TorqueMotor(-120.0, 0.0, stall=60.0, no_load_speed=4.0),  # brakes with 60 N
    ],
)
def test_other_actuators_keep_their_limits(actuator: Actuator):
    """Their force in a step is at most the largest that their curves have between the velocities of the step.

    Without the option it exceeds this limit where the trunk lands.
    """
    excesses: list[float] = []
    for limited in (False, True):
        force, foot, _ = forces_on_trunk(leg(actuator, limited_servos=limited), 2.0, 20)
        if isinstance(actuator, HillServo):
            limit = np.full(len(force), 1.5 * 60.0)  # of a lengthening muscle
        elif isinstance(actuator, TorqueMotor):
            limit = 60.0 * np.minimum(1.0 + np.maximum(foot[:-1], foot[1:]) / 4.0, 1.0)
        else:
            limit = np.full(len(force), 60.0)
        excesses.append(float((np.abs(force) - limit).max()))
    assert excesses[0] > 1.0
    assert excesses[1] <= 60.0 * 1e-9


def standers(strength: float, **options: Any) -> World:
    figure, _ = stander()
    servos = {
        name: Servo(rest - 0.1, rest + 0.1, 40.0, 0.8, strength)
        for side in ("front", "hind")
        for name, rest in ((f"{side} thigh", 0.4), (f"{side} shank", -0.8))
    }
    return World(
        figure,
        surface=SurfaceProperties(touch(restitution=0.0, friction=0.8)),
        contact=Stepping(iterations=20, **options),
        controller=Drive(ConstantPattern((0.0,) * 4), servos),
        timing=Timing(0.2, 0.2),
    )


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS[:2])
def test_figures_that_fall_on_weak_legs_are_nearer_to_short_steps(options: Any):
    worlds, strength = 16, 1.5
    (reference,) = falls(standers(strength, **options), worlds, (1000,))
    errors = []
    for limited in (False, True):
        (coarse,) = falls(standers(strength, limited_servos=limited, **options), worlds, (40,))
        errors.append(np.median(np.abs(coarse - reference).max(axis=1)))
    assert errors[1] < 0.4 * errors[0]


def test_results_are_the_same_to_the_bit_where_no_limit_is_exceeded():
    (given,), (limited,) = (falls(standers(1e3, limited_servos=x), 32, (40,)) for x in (False, True))
    np.testing.assert_array_equal(given, limited)

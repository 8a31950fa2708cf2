"""Landings leave errors of second order, wherever in a step they occur."""

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from sprung_figures import above_ground, falls, stander
from worlds import touch

from gambol.collide import NoGround
from gambol.contact import Stepping, SurfaceProperties
from gambol.contact.stepping import step_near_landings
from gambol.contact.stepping.bounce import HORIZON
from gambol.contact.stepping.landing import APPROACH
from gambol.contact.stepping.softness import Softness
from gambol.errors import WorldError
from gambol.figure import Figure, Joint, JointSpring, Link, MassProperties, Part, Sphere, make_forest
from gambol.world import Engine, State, Timing, World, start

G = 9.81
DROPS = 32  # times of the landing within a step
LENGTH, MASS, MOMENT, TIP = 0.5, 1.0, 0.05, 1e-6  # m, kg, kg m2, m
LEAN, SPIN, FALL = 0.3, -1.5, -1.0  # rad, rad/s, m/s: the rod lands and falls over towards its lean


def rod() -> Figure:
    """Return a rod with its centre of mass at LENGTH above its tip."""
    inertia = ((MOMENT, 0.0, 0.0), (0.0, MOMENT, 0.0), (0.0, 0.0, MOMENT))
    body = MassProperties(MASS, (0.0, 0.0, LENGTH), inertia)
    tip = Part(Sphere(TIP), (0.0, 0.0, 0.0), inertial=False)
    return Figure("rod", (Link("rod", None, Joint("free"), (tip,), body),))


def vaulted(height: float, seconds: float) -> tuple[float, float]:
    """Return angle and rate of a rod that lands on its tip, which sticks, by the laws of impact and a pendulum.

    height: of the tip at the start [m]. The centre of mass falls along a parabola; the moment of momentum about the tip
    is the same before and after the landing.
    """

    def tip_height(t: float) -> float:
        centre = height + LENGTH * np.cos(LEAN) + (FALL - SPIN * LENGTH * np.sin(LEAN)) * t - 0.5 * G * t * t
        return centre - LENGTH * np.cos(LEAN + SPIN * t)

    t: Any = brentq(tip_height, 0.0, seconds)
    angle = LEAN + SPIN * t
    sideways = SPIN * LENGTH * np.cos(LEAN)  # of the centre of mass, whose tip starts without a sideways speed
    down = FALL - SPIN * LENGTH * np.sin(LEAN) - G * t
    about_tip = MOMENT * SPIN + MASS * LENGTH * (np.cos(angle) * sideways - np.sin(angle) * down)
    inertia = MOMENT + MASS * LENGTH**2

    def falls(_: float, y: np.ndarray) -> list[float]:
        return [y[1], MASS * G * LENGTH * np.sin(y[0]) / inertia]

    end = solve_ivp(falls, (t, seconds), [angle, about_tip / inertia], rtol=1e-11, atol=1e-12)
    return end.y[0, -1], end.y[1, -1]


def rod_errors(h: float, heights: np.ndarray, seconds: float) -> np.ndarray:
    """Return errors of angle and rate (2, DROPS) of rods that land in steps of h [s]."""
    rough = touch(restitution=0.0, friction=5.0)
    world = World(
        rod(),
        surface=SurfaceProperties(rough),
        contact=Stepping(iterations=20, second_order_landings=True),
        timing=Timing(seconds, h),
    )
    state = start(world, DROPS)
    state.q[:] = 0.0
    state.q[:, 0], state.q[:, 2], state.q[:, 6] = np.cos(LEAN / 2), np.sin(LEAN / 2), heights + TIP
    state.v[:] = 0.0
    state.v[:, 1] = SPIN
    state.v[:, 3], state.v[:, 5] = -FALL * np.sin(LEAN), FALL * np.cos(LEAN)
    Engine(world).advance(state, 1)
    angles = 2.0 * np.arctan2(state.q[:, 2], state.q[:, 0])
    exact = np.array([vaulted(x, seconds) for x in heights])
    return np.abs([angles - exact[:, 0], state.v[:, 1] - exact[:, 1]])


def test_a_rod_lands_on_its_tip_to_second_order():
    """Impact and fall follow from closed forms; before, the errors were proportional to the step."""
    h, seconds = 4e-3, 0.256
    heights = 0.08 + h * abs(FALL) * np.arange(DROPS) / DROPS
    errors = [np.median(rod_errors(step, heights, seconds), axis=1) for step in (h, h / 2.0)]
    assert errors[0][1] < 1e-3
    orders = np.log2(errors[0] / errors[1])
    assert orders.min() > 1.7


def test_landings_on_legs_with_springs_and_dampers_are_of_second_order():
    """Several landings with friction, of 64 random worlds: contacts that stand are opened by impacts at others."""
    worlds, seconds, coarse = 64, 0.3, 60
    figure, springs = stander()
    rough = SurfaceProperties(touch(restitution=0.0, friction=0.8))
    world = World(
        figure,
        springs,
        surface=rough,
        contact=Stepping(iterations=20, second_order_landings=True),
        timing=Timing(seconds, seconds),
    )
    ends = falls(world, worlds, (coarse, 8 * coarse, 80 * coarse))
    errors = [np.median(np.abs(q - ends[-1]).max(axis=1)) for q in ends[:-1]]
    assert np.log2(errors[0] / errors[1]) / 3.0 > 1.6


def test_landings_of_second_order_are_refused_for_forests_and_soft_contacts():
    with pytest.raises(WorldError, match="second_order_landings is for rigid contacts"):
        Stepping(second_order_landings=True, softness=Softness())
    forest = make_forest("rods", [rod(), rod()])
    with pytest.raises(WorldError, match="second_order_landings is for figures of one tree"):
        start(World(forest, contact=Stepping(second_order_landings=True), timing=Timing(0.01, 0.01)))


ARM, CENTRE, TURN, STOP = 0.4, 0.2, 0.01, 0.9  # m, m, kg m2, rad: two equal arms of 1 kg, and the stop between them
RATES = (6.0, 9.0)  # rad/s: of the first arm, and of the second one relative to it


def stopped_arms(h: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the unaccounted energy and the error of the loss at the stop [J] of two arms without weight (DROPS each).

    The second arm reaches its stop and stays there, pressed by its centrifugal force. The moment of momentum about the
    first hinge is constant, so the loss is the energy before minus that of a rigid body with this moment of momentum.
    """
    body = MassProperties(1.0, (0.0, 0.0, -CENTRE), tuple(map(tuple, TURN * np.eye(3))))  # type: ignore[arg-type]
    hinge = {"kind": "revolute", "axis": (0.0, 1.0, 0.0)}
    arms = (
        Link("first", None, Joint(**hinge), (), body),
        Link("second", "first", Joint(**hinge, position=(0.0, 0.0, -ARM)), (), body),
    )
    seconds = 0.192
    world = World(
        Figure("arms", arms),
        {"second": JointSpring(lower=-3.0, upper=-STOP)},
        gravity=0.0,
        ground=NoGround(),
        contact=Stepping(iterations=20, second_order_landings=True),
        timing=Timing(seconds, h),
    )
    state, engine = start(world, DROPS), Engine(world)
    state.q[:, 0], state.q[:, 1] = 0.0, -STOP - 0.6 - h * RATES[1] * np.arange(DROPS) / DROPS
    state.v[:] = RATES
    first, second, coupling = TURN + CENTRE**2 + ARM**2, TURN + CENTRE**2, ARM * CENTRE * np.cos(state.q[:, 1])
    moment = (first + 2.0 * coupling + second) * RATES[0] + (second + coupling) * RATES[1]
    before = np.array(engine.observe(state).kinetic, float)
    loss = before - 0.5 * moment**2 / (first + second + 2.0 * ARM * CENTRE * np.cos(STOP))
    engine.advance(state, 1)
    after, impact = np.array(engine.observe(state).kinetic, float), np.array(state.step_state.ledger.impact, float)
    np.testing.assert_allclose(state.q[:, 1], -STOP, atol=1e-2)
    return np.abs(before - after - impact), np.abs(impact - loss)


def test_the_energy_of_a_joint_that_reaches_its_stop_is_in_the_books():
    """The error of the loss is of second order, and smaller than that of the energy of the free motion.

    With all velocity-dependent forces at the positions of the landing it was five to ten times as large.
    """
    (free, coarse), (_, fine) = (np.median(stopped_arms(h), axis=1) for h in (4e-3, 2e-3))
    assert coarse < free
    assert fine < coarse / 2.0**1.8


RADIUS = 0.1  # m


def ball_world(parts: int) -> World:
    """Return the world of a ball that does not bounce, in steps of 10 ms; near landings they have some parts."""
    ball = Figure("ball", (Link("ball", None, Joint("free"), (Part(Sphere(RADIUS)),)),))
    return World(
        ball,
        surface=SurfaceProperties(touch(restitution=0.0, friction=0.5)),
        contact=Stepping(second_order_landings=True, landing_steps=parts),
        timing=Timing(0.4, 0.01),
    )


def lengths_until(landing: float, count: int) -> list[float]:
    """Return the lengths of steps, each of 1 at most, until a landing is within a step.

    landing: its time from the start [steps]. count: number of parts. Each step is evaluated before the landing, which
    is otherwise expected in it.
    """
    lengths = [float(step_near_landings(1.0, landing, 0.0, count))]
    while (left := landing - sum(lengths)) > 0.0:
        assert left + lengths[-1] >= HORIZON * lengths[-1] or lengths[-1] == 1.0 / count
        lengths.append(float(step_near_landings(1.0, left, 0.0, count)))
    return lengths


def test_steps_before_a_landing_get_shorter():
    """Each takes three fifths of the time that is left, so that two fifths are left after it, down to an eighth."""
    assert step_near_landings(1.0, 0.0, 0.0, 8) == 1.0  # no landing
    assert step_near_landings(1.0, 0.01, 0.0, 8) == 0.125
    assert step_near_landings(1.0, 2.0, 0.0, 8) == 1.0  # not before 0.6 of the time to the landing
    assert step_near_landings(1.0, 2.0, 1.0, 8) == 0.125  # after an event
    np.testing.assert_allclose(lengths_until(1.5, 8), [0.9, 0.36, 0.144, 0.125])
    for landing in np.linspace(0.2, 1.0 / APPROACH, 50):
        assert lengths_until(landing, 6)[-1] == 1.0 / 6.0


def test_only_steps_near_a_landing_are_divided():
    """A ball falls for 0.1 to 0.3 s, in a few shorter steps at the end, and one part follows the landing."""
    parts, heights, taken = 4, np.linspace(0.05, 0.45, 16), list[np.ndarray]()
    for count in (1, parts):
        world = ball_world(count)
        state = start(world, len(heights))
        state.q[:, 6] = RADIUS + heights
        Engine(world).advance(state, 1)
        np.testing.assert_allclose(state.q[:, 6], RADIUS, atol=1e-4)
        taken.append(np.array(state.step_state.clock.taken))
    assert np.all(taken[0] == 40)
    shorter = np.ceil(np.log(parts) / -np.log(1.0 - APPROACH))  # steps until the time left is that of a part
    most = shorter + 2.0 + 1.0  # two parts until the landing, since it is within 1 / APPROACH parts, one after it
    assert np.all(taken[1] > 40)
    assert np.all(taken[1] <= 40 + most + 1.0)  # the rest of the control step has at most one step more


def landed(parts: int, count: int, worlds: int = 32, lanes: int | None = None, threads: int = 1) -> State:
    """Return the state of random worlds of a body on two legs that lands, in `count` steps and divided ones."""
    seconds = 0.3
    figure, springs = stander()
    world = World(
        figure,
        springs,
        surface=SurfaceProperties(touch(restitution=0.0, friction=0.8)),
        contact=Stepping(iterations=20, second_order_landings=True, landing_steps=parts),
        timing=Timing(seconds, seconds / count),
    )
    state, first = start(world, worlds), above_ground(world, 32)
    state.q[:], state.v[:] = first.q[:worlds], first.v[:worlds]
    Engine(world, lanes=lanes).advance(state, 1, threads=threads)
    return state


def test_divided_steps_are_more_accurate_than_as_many_equal_ones():
    """Legs of two capsules land one after the other. Equal steps are as many as the divided ones, or more."""
    exact = np.array(landed(1, 4800).q)
    divided = landed(4, 60)
    equal = landed(1, int(np.ceil(np.mean(divided.step_state.clock.taken))))
    errors = [np.median(np.abs(np.array(state.q) - exact).max(axis=1)) for state in (divided, equal)]
    assert errors[0] < errors[1]


@pytest.mark.parametrize(("worlds", "lanes", "threads"), [(3, None, 1), (5, 1, 1), (32, None, 2)])
def test_divided_steps_of_a_world_do_not_depend_on_other_worlds(worlds: int, lanes: int | None, threads: int):
    other = landed(4, 60, worlds, lanes, threads)
    assert np.array_equal(landed(4, 60).rows[:, :worlds], other.rows)


def test_divided_steps_need_landings_of_second_order():
    with pytest.raises(WorldError, match="landing_steps is 2; it needs second_order_landings=True"):
        Stepping(landing_steps=2)
    with pytest.raises(WorldError, match="landing_steps"):
        Stepping(second_order_landings=True, landing_steps=0)

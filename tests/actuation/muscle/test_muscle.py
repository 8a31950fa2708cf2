"""Invalid muscles, the activation of a muscle, and the arms of its pulleys."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from drives import ConstantPattern, pendulum
from scipy.integrate import solve_ivp

from gambol.actuation.actuator import ActuatorInput
from gambol.actuation.muscle import (
    ACTIVATIONS,
    Muscle,
    PathPoint,
    PneumaticMuscle,
    PointPath,
    Pulley,
    PulleyPath,
    WrapSphere,
    add_activation,
)
from gambol.actuation.muscle.activation import ActivationDynamics, activation_named
from gambol.control import Drive
from gambol.errors import WorldError
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.world import World, start

PATH = PulleyPath((Pulley(0.05),))
SOL = Muscle(("rod",), PATH, max_force=4000.0, optimal_length=0.04, slack_length=0.26, max_velocity=6.0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"optimal_length": 0.0}, "optimal_length is 0.0; it must be more than 0"),
        ({"max_force": math.nan}, "max_force is nan"),
        ({"slack_length": -0.1}, "slack_length is -0.1; it must be more than 0"),
        ({"pennation": 1.5}, "pennation is 1.5 rad"),
        ({"damping": -1.0}, "damping is -1.0"),
        ({"curves": "geyer-her 2010"}, 'no muscle curves "geyer-her 2010"; did you mean "geyer-herr 2010"'),
        ({"curves": "mujoco"}, "have no tendon; give rigid_tendon=True"),
        ({"curve_numbers": {"widht": 0.5}}, 'no number "widht"; did you mean "width"'),
        ({"curve_numbers": {"width": math.inf}}, '"width".* must be finite'),
        ({"activation_dynamics": "thelen"}, 'no activation dynamics "thelen"; did you mean "thelen 2003"'),
        ({"activation_numbers": {"rise": 0.1}}, 'no number "rise"'),
        ({"initial_activation": 1.2}, "initial_activation is 1.2; it must be from 0 to 1"),
        ({"joints": ()}, "needs the joints"),
    ],
)
def test_impossible_muscles_are_refused(changes: dict[str, Any], message: str):
    with pytest.raises(WorldError, match=message):
        replace(SOL, **changes)


@pytest.mark.parametrize(
    ("elements", "message"),
    [
        ((), "two or more points"),
        ((PathPoint("rod"),), "two or more points"),
        ((PathPoint("rod"), WrapSphere("rod", (0, 0, 0), 0.1)), "two or more points"),
        ((PathPoint(None), WrapSphere("rod", (0, 0, 0), 0.0), PathPoint("rod")), "radius .* is 0.0"),
        ((PathPoint(None), "rod"), "no element 'rod'"),
        (
            (PathPoint(None), WrapSphere("rod", (0, 0, 0), 0.1, PathPoint("rod", (0.05, 0, 0))), PathPoint("rod")),
            "side point of a shape lies inside",
        ),
    ],
)
def test_paths_through_no_points_are_refused(elements: Any, message: str):
    with pytest.raises(WorldError, match=message):
        PointPath(elements)


def world_of(muscle: Any) -> World:
    return World(pendulum(), controller=Drive(ConstantPattern((0.0,) * len(muscle.commands)), {"m": muscle}))


def test_muscles_that_do_not_fit_their_joints_are_refused():
    with pytest.raises(WorldError, match="1 joints and 2 pulleys"):
        world_of(replace(SOL, path=PulleyPath((Pulley(0.05), Pulley(0.05)))))
    shank = Link("shank", "rod", Joint("revolute", (0.0, 1.0, 0.0)), (), MassProperties(1.0, (0.0, 0.0, -0.2)))
    leg, path = Figure("leg", (*pendulum_links(), shank)), PointPath((PathPoint(None), PathPoint("shank")))
    with pytest.raises(WorldError, match=r'path spans the joint of "shank", .* joints \[\'rod\'\]; add it'):
        World(leg, controller=Drive(ConstantPattern((0.0,)), {"m": replace(SOL, path=path)}))


def pendulum_links() -> tuple[Link, ...]:
    mass = MassProperties(1.0, (0.0, 0.0, -0.5))
    return (Link("rod", None, Joint("revolute", (0.0, 1.0, 0.0)), (), mass),)


def test_a_start_with_an_overstretched_tendon_or_without_length_is_refused():
    """At q = -2 the pulley adds 0.1 m, more than twice the optimal length and 0.2 of the tendon."""
    world = world_of(SOL)
    start(world, q=[-0.3])
    with pytest.raises(WorldError, match=r'"m" begins with its tendon at a strain of 0\..* longer slack_length'):
        start(world, q=[-2.0])
    with pytest.raises(WorldError, match='"m" begins with the length -0'):
        start(world, q=[8.0])
    one_place = PointPath((PathPoint("rod"), PathPoint("rod")))
    with pytest.raises(WorldError, match='"m" begins with the length 1e-15 m; move its points'):
        start(world_of(replace(SOL, path=one_place)))


@pytest.mark.parametrize("name", sorted(ACTIVATIONS))
@pytest.mark.parametrize(("u", "a"), [(1.0, 0.05), (0.1, 0.9)])
def test_activation_in_large_steps_comes_to_the_solution_of_its_equation(name: str, u: float, a: float):
    """The rate is integrated by SciPy's Radau; implicit Euler steps approach it with the first order."""
    row = ACTIVATIONS[name]
    exact = solve_ivp(lambda _, y: [row.rate(row.numbers, u, y[0])], (0.0, 0.02), [a], "Radau", rtol=1e-10, atol=1e-12)
    errors = []
    for steps in (40, 80):
        x = a
        for _ in range(steps):
            x = row.after(row.numbers, u, x, 0.02 / steps)
        errors.append(abs(x - exact.y[0, -1]))
    assert errors[0] < 0.02
    assert 1.7 < errors[0] / errors[1] < 2.3


@pytest.mark.parametrize("name", sorted(ACTIVATIONS))
def test_activation_stays_between_itself_and_the_excitation_in_any_step(name: str):
    row = ACTIVATIONS[name]
    for u in (0.0, 0.3, 1.0):
        for a in (0.0, 0.5, 1.0):
            for h in (1e-4, 1e-2, 10.0):
                assert min(u, a) <= row.after(row.numbers, u, a, h) <= max(u, a)


def test_activation_has_the_times_of_its_sources():
    """From rest, at full excitation: 1 / T; Thelen's rises with T (0.5 + 1.5 a), and falls with T / (0.5 + 1.5 a)."""
    rates = {
        name: (row.rate(row.numbers, 1.0, 0.2), row.rate(row.numbers, 0.0, 0.8)) for name, row in ACTIVATIONS.items()
    }
    assert rates["first order"] == pytest.approx((80.0, -80.0))
    assert rates["thelen 2003"] == pytest.approx((0.8 / (0.015 * 0.8), -0.8 * 1.7 / 0.05))
    assert rates["mujoco"] == pytest.approx((0.8 / (0.01 * 0.8), -0.8 * 1.7 / 0.04))
    f = 0.5 * math.tanh(0.08)
    expected = ((f + 0.5) / (0.015 * 0.8) + (0.5 - f) * 0.8 / 0.06) * 0.8
    assert rates["de groote-fregly 2016"][0] == pytest.approx(expected, rel=1e-12)


def test_own_activation_is_added_once():
    row = ActivationDynamics("mylab", {"time": 0.2}, ACTIVATIONS["first order"].rate)
    add_activation(row)
    try:
        assert activation_named("mylab") is row
        with pytest.raises(WorldError, match="already"):
            add_activation(replace(row, numbers={"time": 0.3}))
    finally:
        del ACTIVATIONS["mylab"]


def test_pulleys_have_geyers_length_and_arm():
    """Ankle of Geyer and Herr 2010, with phi = q: dl = rho r (sin(phi_ref - phi_max) - sin(phi - phi_max))."""
    r, best, reference, rho = 0.05, math.radians(110), math.radians(80), 0.5
    path = PulleyPath((Pulley(r, reference, best, rho), Pulley(-0.1, 0.3, None, 0.7)))
    q, v = [1.7, 0.9], [2.0, -3.0]
    at, numbers = ActuatorInput(0.0, q, v), path.numbers()
    length, rate = path.motion(numbers, at)
    first = rho * r * (math.sin(reference - best) - math.sin(q[0] - best))
    assert length == pytest.approx(first - 0.7 * -0.1 * (q[1] - 0.3), rel=1e-12)
    assert rate == pytest.approx(-rho * r * math.cos(q[0] - best) * v[0] + 0.07 * v[1], rel=1e-12)
    np.testing.assert_allclose(path.arms(numbers, at), [r * math.cos(q[0] - best), -0.1], rtol=1e-12)


def test_a_mckibben_muscle_pulls_as_in_tondu_and_lopez():
    """F = pi r^2 p (a (1 - e)^2 - b): at e = 0, and 0 from the largest contraction on."""
    path = PulleyPath((Pulley(1.0),), length=0.3)
    muscle, w = PneumaticMuscle(("slide",), path, 0.3, 0.01, math.radians(20)), math.radians(20)
    a, b, numbers = 3.0 / math.tan(w) ** 2, 1.0 / math.sin(w) ** 2, muscle.numbers()
    greatest = 1.0 - math.sqrt(b / a)
    for e in (0.0, 0.1, greatest, 0.5):
        at = ActuatorInput(0.0, [0.3 * e], [0.0], [0.0], {"pressure": 3e5})
        expected = math.pi * 1e-4 * 3e5 * max(a * (1.0 - e) ** 2 - b, 0.0)
        assert muscle.tension(numbers, at) == pytest.approx(expected, rel=1e-12, abs=1e-9)
    with pytest.raises(WorldError, match="pulls only below 0"):
        PneumaticMuscle(("slide",), path, 0.3, 0.01, 1.0)

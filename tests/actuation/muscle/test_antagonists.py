"""Antagonists: rest angle, stiffness and damping of a joint, against differences of forces and a free oscillation."""

import math

import numpy as np
import pytest

from gambol.actuation.actuator import ActuatorInput
from gambol.actuation.muscle import Antagonists
from gambol.collide import NoGround
from gambol.control import FeedbackController
from gambol.control.constant_law import ConstantLaw
from gambol.errors import WorldError
from gambol.figure import Figure, Joint, Link, Part, Sphere
from gambol.world import World, run, start

NUMBERS = {"stiffness": 30.0, "middle": 0.2, "reach": 0.5, "radius": 0.03}  # N m/rad, rad, rad, m


def pair(**changes):
    return Antagonists("arm", **{**NUMBERS, **changes})


def torque(antagonists, rest, q, v=0.0):
    """Return the torque of both muscles at q and v with the activations for a rest angle [N m]."""
    numbers = antagonists.numbers()
    given = zip(antagonists.excitations(numbers, rest), ("positive", "negative"), strict=True)
    return sum(
        getattr(antagonists, name).force(numbers[name], ActuatorInput(0.0, [q], [v], [a], {"activation": a}))[0]
        for a, name in given
    )


@pytest.mark.parametrize("curves", ["mujoco", "geyer 2003", "geyer-herr 2010"])
@pytest.mark.parametrize("rest", [0.0, 0.1, 0.2, 0.35])
def test_a_joint_rests_at_the_requested_angle_with_the_requested_stiffness(curves, rest):
    antagonists, step = pair(curves=curves, co_contraction=0.1), 1e-5
    largest = antagonists.positive.max_force * antagonists.radius
    assert torque(antagonists, rest, rest) == pytest.approx(0.0, abs=1e-14 * largest)
    slope = (torque(antagonists, rest, rest + step) - torque(antagonists, rest, rest - step)) / (2.0 * step)
    # error of the difference: step^2 / 6 of a third derivative of order K / reach^2, and a jump of A'' (MuJoCo)
    assert -slope == pytest.approx(NUMBERS["stiffness"], rel=1e-4)


def test_muscles_follow_from_stiffness_and_reach_as_derived_for_mujocos_curve():
    antagonists = pair(co_contraction=0.2, max_velocity=12.0)
    muscle, a, r = antagonists.positive, 0.2, NUMBERS["radius"]
    assert muscle.optimal_length == pytest.approx(8.0 * r * NUMBERS["reach"])
    assert muscle.max_force == pytest.approx(NUMBERS["stiffness"] * muscle.optimal_length / (8.0 * a * r * r))
    assert antagonists.damping == pytest.approx(NUMBERS["stiffness"] / (4.0 * 12.0))
    # the share of the agonist is the active force at its antagonist's length: 0.5 + 4 y - 8 y |y|, y = r q / l0
    for y in (-0.1, 0.0, 0.06):
        u, w = antagonists.excitations(antagonists.numbers(), NUMBERS["middle"] + y * muscle.optimal_length / r)
        assert u / (u + w) == pytest.approx(0.5 + 4.0 * y - 8.0 * y * abs(y))


def test_damping_is_the_slope_of_the_torque_over_velocity():
    antagonists, v = pair(), 1e-6
    slope = (torque(antagonists, 0.2, 0.2, v) - torque(antagonists, 0.2, 0.2, -v)) / (2.0 * v)
    assert -slope == pytest.approx(antagonists.damping, rel=1e-5)


def test_an_arm_oscillates_about_the_rest_angle_at_the_frequency_of_a_spring():
    arm = Link("arm", None, Joint("revolute", (0.0, 1.0, 0.0)), (Part(Sphere(0.1), (0.0, 0.0, -0.5)),))
    figure, rest = Figure("arm", (arm,)), 0.3
    antagonists = pair(max_velocity=1000.0)  # almost undamped
    muscles = dict(zip(("positive", "negative"), antagonists.starting_at(rest), strict=True))
    law = ConstantLaw(antagonists.excitations(antagonists.numbers(), rest))
    world = World(figure, ground=NoGround(), gravity=0.0, controller=FeedbackController(law, muscles))
    film = run(world, start(world, angles={"arm": rest + 0.01}), 1.5, rate=2400.0)
    angle = 2.0 * np.arctan2(film.quaternion[:, 0, 0, 2], film.quaternion[:, 0, 0, 0]) - rest
    crossings = np.flatnonzero((angle[:-1] > 0.0) & (angle[1:] <= 0.0))
    times = film.time[crossings] + angle[crossings] / (angle[crossings] - angle[crossings + 1]) / 2400.0
    mass = 1000.0 * 4.0 / 3.0 * math.pi * 0.1**3
    inertia = mass * (0.4 * 0.1**2 + 0.5**2)
    period = 2.0 * math.pi * math.sqrt(inertia / NUMBERS["stiffness"])
    assert np.diff(times) == pytest.approx(period, rel=2e-3)  # A'' bends the torque by amplitude / reach, 0.02


def test_what_cannot_hold_a_joint_is_refused():
    with pytest.raises(WorldError, match="need the excitation"):
        pair(co_contraction=0.6)
    with pytest.raises(WorldError, match="does not rise at the fibre length"):
        pair(working_length=1.2)
    with pytest.raises(WorldError, match=r"reach -0\.1; it must be more than 0"):
        pair(reach=-0.1)

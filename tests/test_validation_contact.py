"""Contact problems with known answers: errors of every method are within its tolerance or its bound."""

import math

import numpy as np
import pytest

from validation.contact.answer import ContactProblem
from validation.contact.problems import PROBLEMS
from validation.contact.wheels import G, wheel_trajectory


@pytest.mark.slow
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.title)
def test_errors_of_contact_methods_are_within_bounds(problem: ContactProblem):
    answers = problem.solve()
    assert answers
    assert [answer for answer in answers if not answer.holds] == []


@pytest.mark.parametrize(
    "title",
    ["Sliding to rolling", "Oblique impact in a world", "A double pendulum strikes the floor", "Light spokes, penalty"],
)
def test_errors_in_short_contact_problems_are_within_bounds(title: str):
    (problem,) = (problem for problem in PROBLEMS if problem.title == title)
    assert [answer for answer in problem.solve() if not answer.holds] == []


@pytest.mark.parametrize("step", [1e-3, 1e-4])
def test_constraints_conserve_a_wheels_angular_momentum_about_its_new_foot(step: float):
    J, slope, a = 0.5, 0.08, math.pi / 8
    trajectory = wheel_trajectory("constraint", step, slope, J, 0.8, 1.3)
    turned, turning = -trajectory.q[:, 0], -trajectory.v[:, 0]
    landed = int(np.flatnonzero(turned > 2 * a)[0])
    # Conservation of energy gives the angular velocity at the landing from frames a few milliseconds before and after.
    per, middle = 2.0 * G / (1.0 + J), a - slope
    before, after = (
        math.sqrt(turning[k] ** 2 + per * (math.cos(turned[k] - middle - leg) - math.cos(2 * a - middle - leg)))
        for k, leg in ((landed - 3, 0.0), (landed + 3, 2 * a))
    )
    # Tips are balls of 1e-6 m that roll; a millisecond at speeds of 1 rad/s and accelerations of 5 rad/s2 adds h^2.
    assert after == pytest.approx(before * (J + math.cos(2 * a)) / (J + 1.0), abs=1e-6 + 5.0 * step**2)

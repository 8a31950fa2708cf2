"""Trajectories between their times, against closed forms that the polynomials hold exactly."""

from dataclasses import replace

import numpy as np
import pytest
from tracked import pendulum, trajectory_of

from gambol.errors import PlanError
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.plan.track.interpolation import differences, sampled
from gambol.spatial import Quaternion, Vector

UNIT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
BODY = Figure("body", (Link("body", None, Joint("free"), (), MassProperties(1.0, (0.0,) * 3, UNIT)),))
TIMES = np.array([0.0, 0.5, 1.0, 1.75, 2.5])  # two intervals with their middles
BETWEEN = np.linspace(0.0, 2.5, 37)


def test_a_cubic_with_a_quadratic_speed_is_held_exactly():
    q, v, u = (np.polynomial.Polynomial(c) for c in ((1.0, -2.0, 0.7, 0.3), (-2.0, 1.4, 0.9), (3.0, 1.0, -4.0)))
    motion = trajectory_of(pendulum(), TIMES, q(TIMES)[:, None], v(TIMES)[:, None], u(TIMES)[:, None])
    found = sampled(motion, BETWEEN)
    np.testing.assert_allclose(found.q[:, 0], q(BETWEEN), atol=1e-14)
    np.testing.assert_allclose(found.v[:, 0], v(BETWEEN), atol=1e-14)
    np.testing.assert_allclose(found.torques[:, 0], u(BETWEEN), atol=1e-13)


def test_degree_one_holds_straight_lines_between_neighbours():
    u = np.array([0.0, 1.0, -1.0, 2.0, 5.0])
    motion = replace(trajectory_of(pendulum(), TIMES, *(u[:, None],) * 3), degree=1)
    np.testing.assert_allclose(sampled(motion, BETWEEN).torques[:, 0], np.interp(BETWEEN, TIMES, u), atol=1e-14)


def test_a_body_that_turns_evenly_turns_evenly_between_the_times():
    """At a constant angular velocity the rotation vector grows evenly: the cubic is a line."""
    omega = Vector(1.0, -0.8, 0.5)

    def poses(t: np.ndarray) -> np.ndarray:
        turns = [Quaternion.exponential(omega * float(x)).components() for x in t]
        return np.hstack([turns, np.outer(t, (1.0, 2.0, 3.0))])

    R = [np.array(Quaternion(*row[:4]).rotation().rows) for row in poses(TIMES)]
    v = np.array([[*omega, *(r.T @ (1.0, 2.0, 3.0))] for r in R])  # the linear velocity is along the body's axes
    found = sampled(trajectory_of(BODY, TIMES, poses(TIMES), v, v), BETWEEN)
    np.testing.assert_allclose(differences(BODY, poses(BETWEEN), found.q), 0.0, atol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(found.q[:, :4], axis=1), 1.0, atol=1e-15)


def test_at_the_border_of_phases_the_later_one_counts():
    """A time that comes twice: speeds jump there, and neither side is mixed with the other."""
    times = np.array([0.0, 0.5, 1.0, 1.0, 1.5, 2.0])
    v = np.array([1.0, 1.0, 1.0, -2.0, -2.0, -2.0])[:, None]
    q = np.array([0.0, 0.5, 1.0, 1.0, 0.0, -1.0])[:, None]
    found = sampled(trajectory_of(pendulum(), times, q, v, v), [0.25, 0.999, 1.0, 1.25, 2.0, 3.0])
    np.testing.assert_allclose(found.v[:, 0], [1.0, 1.0, -2.0, -2.0, -2.0, -2.0], atol=1e-14)
    np.testing.assert_allclose(found.q[:, 0], [0.25, 0.999, 1.0, 0.5, -1.0, -1.0], atol=1e-14)


def test_half_an_interval_and_a_single_time_are_errors():
    ones = np.ones((4, 1))
    with pytest.raises(PlanError, match="has 4 times, which is not a whole number of intervals"):
        sampled(trajectory_of(pendulum(), TIMES[:4], ones, ones, ones), [0.1])
    with pytest.raises(PlanError, match="fewer than two times"):
        sampled(trajectory_of(pendulum(), TIMES[:1], ones[:1], ones[:1], ones[:1]), [0.0])

"""Only contacts that can close within a step count."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol.collide.broad import Ball
from gambol.collide.gap import FAR
from gambol.contact.generation.lookahead import (
    LOOKAHEAD_STEPS,
    MIN_CONTACT_GAP,
    ball_motion,
    contact_distance,
    link_motion,
    within_lookahead,
)
from gambol.contact.stepping import Axis, Candidate
from gambol.dynamics import kinematics
from gambol.figure import Figure, Joint, Link, Part, Sphere
from gambol.spatial import Vector

SIZE, H = 1.3, 0.004


def tumbling(seed: int):
    """Return a free body in some pose and motion, and random numbers for further values."""
    random = np.random.default_rng(seed)
    body = Figure("body", (Link("body", None, Joint("free"), (Part(Sphere(0.1), density=1e3),)),))
    turn = random.normal(size=4)
    q = [*(turn / np.linalg.norm(turn)), *random.normal(size=3)]
    return kinematics(body, list(map(float, q)), list(map(float, random.normal(size=6)))), random


@given(st.integers(0, 10_000))
def test_no_point_of_a_ball_moves_farther_than_is_looked(seed: int):
    state, random = tumbling(seed)
    ball = Ball(Vector(*random.normal(size=3)), float(random.uniform(0.01, 1.0)))
    out = random.normal(size=3)
    point = Vector(*(np.array([*ball.centre]) + out / np.linalg.norm(out) * ball.radius))
    speed = float(state.point_velocity(1, state.poses[1].inverse @ point).length())
    assert contact_distance(
        SIZE, ball_motion(link_motion(state, 1), ball), H
    ) >= LOOKAHEAD_STEPS * H * speed + MIN_CONTACT_GAP * SIZE * (1.0 - 1e-12)


@given(st.integers(0, 10_000))
def test_the_motion_of_a_link_is_that_of_its_points(seed: int):
    state, random = tumbling(seed)
    point = Vector(*random.normal(size=3))
    expected = state.point_velocity(1, state.poses[1].inverse @ point)
    np.testing.assert_allclose([*link_motion(state, 1).point_velocity(point)], [*expected], atol=1e-12)


def falling(speed: float) -> Axis:
    return Axis(Vector(0.0, 0.0, 0.0), Vector(0.3, 0.0, -speed), Vector(0.0, 0.0, 0.0))


@pytest.mark.parametrize("speed", [0.0, 2.0, 5.0])
@pytest.mark.parametrize("floor", [0.0, 1.0])
def test_a_gap_counts_if_it_would_close_within_two_steps(speed: float, floor: float):
    """floor: speed at which the other side rises; separating bodies look no further ahead than resting ones."""
    least = LOOKAHEAD_STEPS * H * max(speed + floor, 0.0) + MIN_CONTACT_GAP * SIZE
    for gap, counts in ((least * 0.99, True), (least * 1.01, False)):
        candidate = Candidate(0.0, 1.0, gap, Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 1.0), 0.5)
        seen = within_lookahead(candidate, [falling(speed), falling(-floor)], SIZE, H)
        assert seen.gap == (gap if counts else FAR)
    parting = Candidate(0.0, 1.0, MIN_CONTACT_GAP * SIZE * 1.01, Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 1.0), 0.5)
    assert within_lookahead(parting, [falling(-1.0)], SIZE, H).gap == FAR

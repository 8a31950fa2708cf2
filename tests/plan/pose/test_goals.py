"""Rows of goals: speeds, accelerations and Jacobians are the derivatives of gaps, on random figures and motions."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.dynamics import kinematics
from gambol.dynamics.loops import jacobian_row
from gambol.dynamics.tangent import figure_q_dot, integrate_configuration, normalised, tangent_rates
from gambol.figure import JOINTS
from gambol.figure.generator import random_figure
from gambol.lanes import jvp
from gambol.plan.pose import AxisGoal, BalanceGoal, GazeGoal, JointGoal, OrientationGoal, PointGoal
from gambol.plan.pose.relations import direction_residual
from gambol.spatial import Vector


def sample(seed: int) -> tuple[Any, list[float], list[float], list[float]]:
    figure, rng = random_figure(seed, 4), np.random.default_rng(seed)
    q = normalised(figure, rng.normal(size=figure.nq).tolist())
    v, a = rng.normal(size=(2, figure.nv))
    return figure, q, v.tolist(), a.tolist()


def goals_of(figure: Any, rng: np.random.Generator) -> list[Any]:
    """A goal of every kind with random numbers, relative to the world and to another link."""
    last, first = figure.links[-1].name, figure.links[0].name
    triple = lambda: tuple(rng.normal(size=3))  # noqa: E731
    rest = [x for link in figure.links for x in JOINTS[link.joint.kind].rest]
    moved = normalised(figure, integrate_configuration(figure, rest, rng.normal(size=figure.nv).tolist()))
    joints = [JointGoal(link.name, moved[link.q]) for link in figure.links if not link.is_fixed]
    pairs = [(last, None), (last, first)]
    return [
        *(PointGoal(link, triple(), triple(), other, axes="xz") for link, other in pairs),
        *(OrientationGoal(link, tuple(rng.normal(size=4)), other) for link, other in pairs),
        *(AxisGoal(link, triple(), triple(), other) for link, other in pairs),
        *(GazeGoal(link, triple(), triple(), triple(), other) for link, other in pairs),
        BalanceGoal(tuple(rng.normal(size=2))),
        BalanceGoal([(-9.0, -9.0), (-9.0, -8.0), (-8.0, -8.0)]),
        *joints,
    ]


@settings(deadline=None, max_examples=6)
@given(st.integers(0, 200))
def test_speeds_and_accelerations_are_derivatives_of_gaps(seed: int):
    """Both by dual numbers through the kinematics, which know nothing of forces on links."""
    figure, q, v, a = sample(seed)
    state = kinematics(figure, q, v)
    links = state.accelerations(a)
    n = figure.nq
    for goal in goals_of(figure, np.random.default_rng(seed)):
        numbers = goal.numbers().tolist()

        def gaps(x: Any, goal: Any = goal, numbers: Any = numbers) -> Any:
            return [row.gap for row in goal.rows(kinematics(figure, x, [0.0] * figure.nv), numbers)]

        def speeds(y: Any, goal: Any = goal, numbers: Any = numbers) -> Any:
            return [row.speed for row in goal.rows(kinematics(figure, y[:n], y[n:]), numbers)]

        rows, rates = goal.rows(state, numbers), figure_q_dot(figure, q, v)
        scale = 1.0 + max(abs(row.speed) for row in rows)
        np.testing.assert_allclose([row.speed for row in rows], jvp(gaps, q, rates)[1], atol=1e-10 * scale)
        found = [row.acceleration(links, a) for row in rows]
        expected = jvp(speeds, [*q, *v], [*rates, *a])[1]
        np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8 * (1.0 + max(map(abs, expected))))


@settings(deadline=None, max_examples=6)
@given(st.integers(0, 200))
def test_jacobians_are_finite_differences_of_gaps(seed: int):
    """Central differences with h = 1e-6: their error is about 1e-10, that of the third derivative 1e-12."""
    figure, q, _, _ = sample(seed)
    zero, h = [0.0] * figure.nv, 1e-6
    for goal in goals_of(figure, np.random.default_rng(seed)):
        numbers = goal.numbers().tolist()
        state = kinematics(figure, q, zero)
        J = np.array([jacobian_row(state, row) for row in goal.rows(state, numbers)], float)
        for k in range(figure.nv):
            step = np.array(tangent_rates(figure, q, zero, np.eye(figure.nv)[k].tolist()), float)
            ends = [
                np.array([r.gap for r in goal.rows(kinematics(figure, at, zero), numbers)])
                for at in (integrate_configuration(figure, q, (s * h * step).tolist()) for s in (1.0, -1.0))
            ]
            np.testing.assert_allclose((ends[0] - ends[1]) / (2.0 * h), J[:, k], atol=1e-7)


def test_residuals_are_distances_and_angles():
    """The residual of a direction is its angle, up to opposite ones, against atan2 of products of vectors."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        a, b = (x / np.linalg.norm(x) for x in rng.normal(size=(2, 3)))
        found = np.linalg.norm(direction_residual(Vector(*a), Vector(*b)))
        assert found == pytest.approx(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b), rel=1e-12)
    assert np.linalg.norm(direction_residual(Vector(0.0, 0.0, -1.0), Vector(0.0, 0.0, 1.0))) == pytest.approx(np.pi)
    assert direction_residual(Vector(0.0, 0.6, 0.8), Vector(0.0, 0.6, 0.8)) == [0.0, 0.0]
    assert PointGoal("a", (0, 0, 0)).residual(np.array([[3.0], [4.0]]))[0] == 5.0

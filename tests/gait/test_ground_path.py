"""Paths on the ground, against circles, lines and the linear motion of a point that follows one."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gambol.errors import WorldError
from gambol.gait import GroundPath
from gambol.gait.ground_path import arc_length_beside, following_turn, path_errors, path_point, wrapped

RADIUS = 0.2
ANGLES = np.linspace(0.0, 2.0 * math.pi, 25)
CIRCLE = np.column_stack([RADIUS * np.cos(ANGLES), RADIUS * np.sin(ANGLES)])
CIRCLE[-1] = CIRCLE[0]
GAINS = {"speed": 0.1, "reach": 0.03, "lag": 0.2, "turn": 2.0}


def test_a_circle_has_its_length_curvature_and_heading():
    path = GroundPath.through(CIRCLE)
    # a periodic spline through points h apart is right to h^4 / 384 of its fourth derivative, its second to h^2 / 12
    h = 2.0 * math.pi / 24
    assert path.length == pytest.approx(2.0 * math.pi * RADIUS, rel=h**4 / 100)
    np.testing.assert_allclose(path.curvature, 1.0 / RADIUS, rtol=h**2 / 6)
    assert path.heading[-1] - path.heading[0] == pytest.approx(2.0 * math.pi, rel=1e-9)
    assert np.hypot(*path.points().T) == pytest.approx(RADIUS, rel=h**4 / 100)


def test_two_points_make_a_straight_line():
    path = GroundPath.through([[0.1, 0.2, 0.5], [0.4, 0.6, 1.0]])
    assert path.length == pytest.approx(0.5)
    np.testing.assert_allclose(path.curvature, 0.0, atol=1e-9)
    half = path_point(path.numbers(), 0.25)
    assert (half.x, half.y, half.speed) == pytest.approx((0.25, 0.4, 0.75))
    assert half.heading == pytest.approx(math.atan2(0.4, 0.3))


def test_the_nearest_point_is_found_step_by_step():
    path = GroundPath.through(CIRCLE)
    numbers, s = path.numbers(), 0.0
    for angle in np.linspace(0.0, 5.0, 200):
        x, y = 1.1 * RADIUS * math.cos(angle), 1.1 * RADIUS * math.sin(angle)
        for _ in range(3):
            s = arc_length_beside(numbers, s, x, y)
    assert s == pytest.approx(RADIUS * 5.0, abs=path.length / 64 / 8)  # between samples the path is a chord
    left, turned = path_errors(path_point(numbers, s), x, y, 5.0 + 0.5 * math.pi + 0.3)
    assert left == pytest.approx(-0.1 * RADIUS, abs=RADIUS * (2 * math.pi / 64) ** 2 / 8 + 1e-6)
    assert turned == pytest.approx(0.3, abs=0.5 * 2 * math.pi / 64)


def test_a_point_beside_a_line_approaches_it_as_the_linear_equations_predict():
    """For small errors e' = v a and a' = -(a + e / L) / tau."""
    numbers = GroundPath.through([[0.0, 0.0], [2.0, 0.0]]).numbers()
    v, e, a, x, dt = GAINS["speed"], 2e-4, 0.0, 0.01, 1e-4
    trace = []
    for _ in range(20000):
        near = path_point(numbers, x)
        turn = following_turn(near, path_errors(near, x, e, a), GAINS)
        a, x, e = a + turn * dt, x + v * math.cos(a) * dt, e + v * math.sin(a) * dt
        trace.append(e)
    exact = solve_ivp(
        lambda _, y: [v * y[1], -(y[1] + y[0] / GAINS["reach"]) / GAINS["lag"]], (0.0, 2.0), [2e-4, 0.0],
        t_eval=dt * np.arange(1, 20001), rtol=1e-9, atol=1e-12,
    ).y[0]  # fmt: skip
    np.testing.assert_allclose(trace, exact, atol=2e-3 * 2e-4)  # Euler's steps: dt / lag = 5e-4 of the error
    assert abs(trace[-1]) < 0.02 * 2e-4


def test_a_curve_is_turned_with_its_curvature_and_no_faster_than_the_limit():
    near = path_point(GroundPath.through(CIRCLE).numbers(), 0.3)
    assert following_turn(near, (0.0, 0.0), GAINS) == pytest.approx(0.1 / RADIUS, rel=0.02)
    assert following_turn(near, (-1.0, -1.0), GAINS) == GAINS["turn"]
    assert following_turn(near, (1.0, 1.0), GAINS) == -GAINS["turn"]


def test_angles_are_wrapped():
    np.testing.assert_allclose([wrapped(x) for x in (3.0, 4.0, -4.0, 20.0)], [3.0, 4 - 2 * math.pi, 2 * math.pi - 4,
                                                                            20 - 6 * math.pi])  # fmt: skip


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([[0.0, 0.0]], "at least two"),
        ([0.0, 1.0], "at least two"),
        ([[0.0, 0.0], [math.nan, 1.0]], "point 1 of the path is not finite"),
        ([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]], "points 0 and 1"),
        ([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], "speed at point 1"),
    ],
)
def test_points_that_are_no_path_are_refused(points, message):
    with pytest.raises(WorldError, match=message):
        GroundPath.through(points)

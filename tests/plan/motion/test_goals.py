"""Goals, windows, meshes and starts of plans."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from gambol.dynamics import kinematics
from gambol.errors import PlanError
from gambol.figure import Figure
from gambol.plan import Cost, Mesh, Phase, PhaseTime, Plan, Point, PointPath, PointTarget, Pose, Window, solve
from gambol.plan.motion.guesses.film_motion import trajectory_of_film
from gambol.plan.problems import block_move, cart_pole, pendulum
from gambol.plan.problems.rods import hinge, rod
from gambol.plan.track import trajectory_film


def arm(**changes):
    """Return the plan of an arm of two rods that hangs, and moves in two seconds to a reach."""
    figure = Figure(
        "arm", (hinge("upper", None, rod(1.0, 0.4), ()), hinge("lower", "upper", rod(0.5, 0.4), (), (0.0, 0.0, -0.4)))
    )
    plan = Plan(
        figure,
        (Phase("reach", 1.0),),
        torques={"upper": math.inf, "lower": math.inf},
        points=(Point("hand", "lower", (0.0, 0.0, -0.4)),),
        start=Pose(positions={"upper": 0.0, "lower": 0.4}, velocities={"upper": 0.0, "lower": 0.0}),
        goal=Pose(positions={"upper": 1.0, "lower": 0.6}, velocities={"upper": 0.0, "lower": 0.0}),
        mesh=Mesh(intervals=8),
    )
    return replace(plan, **changes)


def hand(result):
    """Return the places of the hand at all nodes, by the figure's geometry: (nodes, 2), x and z."""
    a, b = result.trajectory.q.T
    return 0.4 * np.stack([np.sin(a) + np.sin(a + b), -np.cos(a) - np.cos(a + b)], axis=1)


def test_a_key_pose_is_passed_at_its_time():
    result = solve(arm(poses=(Pose(0.4, {"lower": 1.2}, {"upper": -0.5}),)))
    k = int(np.flatnonzero(np.isclose(result.trajectory.times, 0.4))[0])
    assert result.trajectory.q[k, 1] == pytest.approx(1.2, abs=1e-7)
    assert result.trajectory.v[k, 0] == pytest.approx(-0.5, abs=1e-7)


def test_a_hand_is_at_within_and_above_its_places():
    result = solve(
        arm(
            targets=(
                PointTarget("hand", (0.3, None, -0.6), PhaseTime("reach", 0.25)),
                PointTarget("hand", (0.5, 0.0, -0.45), 0.5, relation="within", radius=0.05),
                PointTarget("hand", (None, None, -0.35), 0.75, relation="below", until=0.875),
            )
        )
    )
    t, places = result.trajectory.times, hand(result)
    np.testing.assert_allclose(places[np.isclose(t, 0.25)][0], [0.3, -0.6], atol=1e-6)
    assert np.linalg.norm(places[np.isclose(t, 0.5)][0] - [0.5, -0.45]) <= 0.05 + 1e-6
    assert places[(t >= 0.749) & (t <= 0.876), 1].max() <= -0.35 + 1e-6


@pytest.mark.parametrize("pace", ["time", "free"])
def test_a_hand_follows_a_curve(pace):
    """A quadratic Bezier curve within reach, by its closed form."""
    points = ((0.15, 0.0, -0.65), (0.3, 0.0, -0.7), (0.5, 0.0, -0.5))
    result = solve(
        arm(
            start=Pose(),
            goal=Pose(),
            paths=(PointPath("hand", points, 0.0, 1.0, pace),),
            costs=(Cost("acceleration"),),
            guess=(Pose(0.0, {"upper": -0.2, "lower": 1.0}),),
        )
    )
    assert result.solved
    a, b, c = (np.array(p)[[0, 2]] for p in points)
    fine = np.linspace(0.0, 1.0, 4001)[:, None]
    curve = (1 - fine) ** 2 * a + 2 * fine * (1 - fine) * b + fine**2 * c
    places = hand(result)[::2]  # at the ends of intervals
    distance = np.linalg.norm(places[:, None] - curve[None], axis=2)
    assert distance.min(axis=1).max() < 1e-4  # the spacing of the fine curve
    if pace == "time":
        s = result.trajectory.times[::2, None]
        np.testing.assert_allclose(places, (1 - s) ** 2 * a + 2 * s * (1 - s) * b + s**2 * c, atol=1e-6)
    else:
        assert (np.diff(distance.argmin(axis=1)) >= 0).all()


def test_a_free_pace_costs_no_more_than_a_given_one():
    points = ((0.15, 0.0, -0.65), (0.3, 0.0, -0.7), (0.5, 0.0, -0.5))
    plans = [
        arm(
            start=Pose(),
            goal=Pose(),
            paths=(PointPath("hand", points, 0.0, 1.0, pace),),
            costs=(Cost("acceleration"),),
            guess=(Pose(0.0, {"upper": -0.2, "lower": 1.0}),),
        )
        for pace in ("time", "free")
    ]
    given, free = (solve(plan).cost for plan in plans)
    assert free <= given * (1 + 1e-6)


def test_a_window_changes_nothing_outside_and_reaches_a_new_goal():
    before = solve(arm())
    plan = arm(poses=(Pose(0.5, {"lower": 0.9}),))
    after = solve(plan, start_from=before, window=Window(0.25, 0.75))
    assert after.solved
    t = before.trajectory.times
    outside = (t <= 0.25 + 1e-9) | (t >= 0.75 - 1e-9)
    for name in ("q", "v", "torques"):
        np.testing.assert_allclose(
            getattr(after.trajectory, name)[outside], getattr(before.trajectory, name)[outside], atol=1e-9
        )
    assert after.trajectory.q[np.isclose(t, 0.5), 1][0] == pytest.approx(0.9, abs=1e-8)


def test_a_key_pose_between_the_knots_of_a_window_has_a_knot():
    before = solve(arm())  # with knots at eighths
    plan = arm(poses=(Pose(0.55, {"lower": 0.9}),))
    after = solve(plan, start_from=before, window=Window(0.25, 0.75))
    assert after.solved
    ours, old = after.trajectory, before.trajectory
    assert ours.q[np.isclose(ours.times, 0.55), 1][0] == pytest.approx(0.9, abs=1e-8)
    outside = (old.times <= 0.25) | (old.times >= 0.75)
    rows = [int(np.abs(ours.times - time).argmin()) for time in old.times[outside]]
    np.testing.assert_allclose(ours.times[rows], old.times[outside], atol=1e-12)
    np.testing.assert_allclose(ours.q[rows], old.q[outside], atol=1e-9)
    with pytest.raises(PlanError, match=r"a goal at 0\.8 s lies in the interval from 0\.75 to 0\.875 s"):
        solve(arm(poses=(Pose(0.8, {"lower": 0.9}),)), start_from=before, window=Window(0.25, 0.75))


def test_a_window_of_one_joint_does_not_change_the_other():
    before = solve(arm())
    plan = arm(poses=(Pose(0.5, {"lower": 0.9}),))
    after = solve(plan, start_from=before, window=Window(0.1, 0.9, ("lower",)))
    assert after.solved
    np.testing.assert_allclose(after.trajectory.q[:, 0], before.trajectory.q[:, 0], atol=1e-9)
    assert not np.allclose(after.trajectory.torques[:, 0], before.trajectory.torques[:, 0], atol=1e-3)


def test_refinement_brings_the_estimated_error_below_the_tolerance():
    plan = replace(pendulum(), mesh=Mesh(intervals=12, tolerance=1e-4, refinements=5))
    result = solve(plan)
    errors = [step.error for step in result.refinements]
    assert errors == sorted(errors, reverse=True)
    assert result.error <= 1e-4
    assert result.refinements[-1].intervals > 12


def test_the_estimated_error_bounds_the_error_of_a_simulation():
    """Fly every interval by Runge-Kutta steps of its torque: it misses its end by no more than the told error.

    In natural units the integral of a defect over an interval is at most (w + 1) eps, with w the largest rate of the
    motion [Betts 2010, eq. 4.151]. In the interval it grows by exp(h |A|) at most, with the norm 1 of
    A = ((0, 1), (-cos q, 0)).
    """
    result = solve(replace(pendulum(), mesh=Mesh(intervals=60)))
    t, u = result.trajectory.times, result.trajectory.torques[:, 0]
    states, natural = np.hstack([result.trajectory.q, result.trajectory.v]), math.sqrt(0.5 / 9.81)
    missed, steepest = 0.0, 0.0
    for k in range(0, len(t) - 2, 2):
        torque = np.polynomial.Polynomial.fit(t[k : k + 3], u[k : k + 3], 2)

        def rate(time, x, torque=torque):
            return np.array([x[1], (torque(time) - 9.81 * 0.5 * np.sin(x[0])) / (0.25 + 1e-9)])

        x, h = states[k], (t[k + 2] - t[k]) / 20
        for s in t[k] + h * np.arange(20):
            a = rate(s, x)
            b = rate(s + h / 2, x + h / 2 * a)
            c = rate(s + h / 2, x + h / 2 * b)
            x = x + h / 6 * (a + 2 * b + 2 * c + rate(s + h, x + h * c))
        off = np.abs(x - states[k + 2]) * (1.0, natural)
        missed, steepest = max(missed, off.max()), max(steepest, abs(rate(t[k], states[k])[1]))
    w = max(np.abs(states[:, 0]).max(), np.abs(states[:, 1]).max() * natural, steepest * natural**2)
    growth = math.exp(3.5 / 60 / natural)
    assert 0.0 < missed <= (w + 1.0) * result.error * growth
    assert result.error < 1e-3


def test_a_start_from_the_solution_needs_few_iterations():
    cold = solve(replace(cart_pole(), mesh=Mesh(intervals=20)))
    warm = solve(replace(cart_pole(), mesh=Mesh(intervals=40)), start_from=cold)
    assert warm.solved
    again = solve(replace(cart_pole(), mesh=Mesh(intervals=40)))
    assert warm.iterations <= again.iterations
    assert warm.cost == pytest.approx(again.cost, rel=1e-8)


def test_a_film_of_a_motion_starts_a_plan_with_its_torques():
    """Coordinates come back from poses of links; torques follow by inverse dynamics."""
    result = solve(replace(cart_pole(), mesh=Mesh(intervals=30)))
    film = trajectory_film(result.trajectory, 500.0)
    motion = trajectory_of_film(result.plan.figure, film)
    places = np.interp(motion.times, result.trajectory.times, result.trajectory.q[:, 0])
    np.testing.assert_allclose(motion.q[:, 0], places, atol=2e-3)  # linear between nodes against the film's cubic
    again = solve(replace(cart_pole(), mesh=Mesh(intervals=30)), start_from=film)
    assert again.cost == pytest.approx(result.cost, rel=1e-8)


def test_an_infeasible_plan_names_the_violation_and_returns_the_best():
    plan = replace(block_move(), torques={"block": 3.0})  # 1 m in 1 s takes 4 N
    result = solve(plan)
    assert not result.solved
    reported = re.fullmatch(r'collocation of velocities of "block" is off by (\S+) m/s at \S+ s', result.message)
    assert reported, result.message
    v, u, h = result.trajectory.v[::2, 0], result.trajectory.torques[:, 0], 1.0 / (len(result.fractions[0]) - 1)
    gained = h / 6 * (u[:-2:2] + 4 * u[1::2] + u[2::2])  # of 1 kg
    assert float(reported[1]) >= 0.9 * np.abs(np.diff(v) - gained).max()
    assert result.violation > 1e-3
    assert np.isfinite(result.trajectory.q).all()


def test_progress_can_stop_a_plan():
    seen: list[int] = []

    def stop(iteration, cost, violation, unknowns):
        seen.append(iteration)
        return iteration < 3

    result = solve(replace(cart_pole(), mesh=Mesh(intervals=20)), progress=stop)
    assert result.interrupted
    assert not result.solved
    assert max(seen) <= 4


def test_progress_tells_the_cost_in_the_units_of_the_plan():
    told: list[float] = []
    result = solve(replace(cart_pole(), mesh=Mesh(intervals=20)), progress=lambda _, cost, *rest: told.append(cost))
    assert told[-1] == pytest.approx(result.cost, rel=1e-7)
    assert result.cost > 58.0  # N2 s; in natural units it is another number


def test_an_own_cost_is_minimised():
    """The cost v^2 of a block that moves 1 m in 1 s from any speed to any speed is 1, at constant speed."""
    plan = replace(
        block_move(),
        start=Pose(positions={"block": 0.0}),
        goal=Pose(positions={"block": 1.0}),
        costs=(Cost("function", 1.0, function=lambda q, v, a, torques: v[0] * v[0]), Cost("effort", 1e-9)),
    )
    assert solve(plan).cost == pytest.approx(1.0, rel=1e-6)


def test_the_states_of_a_trajectory_are_its_figure_s():
    result = solve(arm())
    state = kinematics(result.plan.figure, list(result.trajectory.q[-1]), [0.0, 0.0])
    place = state.point_position(2, type(state.poses[0].position)(0.0, 0.0, -0.4))
    np.testing.assert_allclose([float(place.x), float(place.z)], hand(result)[-1], atol=1e-12)

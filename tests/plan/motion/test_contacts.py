"""Plans with contacts: friction, impacts, cycles, contacts that are found."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.dynamics import centre_of_mass, kinematics, momentum
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.plan import Cost, Cycle, Mesh, Phase, Plan, Point, PointTarget, Pose, solve
from gambol.plan.problems import hopper_leap
from gambol.plan.problems.rods import diagonal, hinge, planar_base, point_mass, rod

G = 9.81


def puck(friction, start, intervals=20):
    """Return a puck of 2 kg that moves along x and z, with nothing that drives it."""
    mass = MassProperties(2.0, (0.0, 0.0, 0.0), diagonal(0.01, 0.01, 0.01))
    along = Link("along", None, Joint("prismatic", (1.0, 0.0, 0.0)))
    figure = Figure("puck", (along, Link("puck", "along", Joint("prismatic", (0.0, 0.0, 1.0)), (), mass)))
    return Plan(
        figure,
        (Phase(duration=1.0, may_touch=("puck",)),),
        friction=friction,
        start=start,
        costs=(Cost("velocity", 1e-9),),
        mesh=Mesh("backward euler", intervals=intervals),
    )


def test_a_puck_that_finds_its_contact_slides_to_a_stop():
    """Backward Euler steps of v' = -mu g, by hand, and the closed form v^2 / (2 mu g) to their order."""
    mu, speed, n = 0.3, 2.0, 20
    start = Pose(positions={"along": 0.0, "puck": 0.0}, velocities={"along": speed, "puck": 0.0})
    result = solve(puck(mu, start, n))
    h, v, x = 1.0 / n, speed, [0.0]
    for _ in range(n):
        v = max(0.0, v - mu * G * h)
        x.append(x[-1] + h * v)
    assert result.solved
    np.testing.assert_allclose(result.trajectory.q[:, 0], x, atol=1e-5)  # products are relaxed to 1e-6
    assert x[-1] == pytest.approx(speed**2 / (2 * mu * G), abs=0.5 * h * speed)
    np.testing.assert_allclose(result.trajectory.contact_forces[1:10, 0, 2], 2.0 * G, rtol=1e-4)


def test_a_puck_that_falls_lands_and_stays():
    start = Pose(positions={"along": 0.0, "puck": 0.5}, velocities={"along": 0.0, "puck": 0.0})
    result = solve(puck(0.3, start))
    height = result.trajectory.q[:, 1]
    h = 1.0 / 20
    steps = np.arange(7)
    fall = 0.5 - G * h * h * steps * (steps + 1) / 2  # backward Euler
    np.testing.assert_allclose(height[:6], fall[:6], atol=1e-5)
    assert fall[6] < 0.0
    np.testing.assert_allclose(height[6:], 0.0, atol=1e-5)


@pytest.fixture(scope="module")
def leap():
    plan = hopper_leap(0.4)
    phases = tuple(replace(phase, intervals=8) for phase in plan.phases)
    return solve(replace(plan, phases=phases))


def phase_rows(result):
    """Return the rows of each phase: a time that comes twice divides them."""
    border = np.flatnonzero(np.diff(result.trajectory.times) <= 0.0) + 1
    return np.split(np.arange(len(result.trajectory.times)), border)


def test_a_hopper_leaps_and_its_foot_satisfies_the_contact_conditions(leap):
    assert leap.solved
    push, flight, landing = phase_rows(leap)
    foot, force = leap.trajectory.contact_points[:, 0], leap.trajectory.contact_forces[:, 0]
    for rows in (push, landing):
        np.testing.assert_allclose(foot[rows], np.tile(foot[rows[0]], (len(rows), 1)), atol=2e-3)  # drift of the mesh
        assert (force[rows, 2] >= -1e-6).all()
        assert (np.abs(force[rows, 0]) <= 0.8 * force[rows, 2] + 1e-5).all()
    assert (force[flight] == 0.0).all()
    assert foot[flight, 2].max() >= 0.05 - 1e-6  # the plan's clearance in the middle of the flight
    assert foot[flight, 2].min() > -1e-6
    assert foot[landing[0], 0] - foot[push[0], 0] == pytest.approx(0.4, abs=0.2)


def test_a_hopper_flies_on_a_parabola(leap):
    _, flight, _ = phase_rows(leap)
    centres, speeds = list[list[float]](), list[float]()
    for k in flight:
        state = kinematics(leap.plan.figure, list(leap.trajectory.q[k]), list(leap.trajectory.v[k]))
        centres.append([float(x) for x in centre_of_mass(state)])
        speeds.append(float(momentum(state).f.z) / leap.plan.figure.mass)
    t = leap.trajectory.times[flight] - leap.trajectory.times[flight[0]]
    height = centres[0][2] + speeds[0] * t - 0.5 * 9.8 * t**2
    np.testing.assert_allclose([c[2] for c in centres], height, atol=1e-3)  # the mesh's error


def test_the_impact_of_a_hopper_changes_its_momentum_by_the_foots_impulse_only(leap):
    """Impulse and change of momentum agree about the foot: angular momentum about the landing point is kept."""
    _, flight, landing = phase_rows(leap)
    before, after = (
        momentum(kinematics(leap.plan.figure, list(leap.trajectory.q[k]), list(leap.trajectory.v[k])))
        for k in (flight[-1], landing[0])
    )
    x, _, z = leap.trajectory.contact_points[landing[0], 0]
    about_foot = [float(p.n.y - (z * p.f.x - x * p.f.z)) for p in (before, after)]
    assert about_foot[0] == pytest.approx(about_foot[1], abs=1e-5)
    jump = float(after.f.z - before.f.z)
    assert jump > 0.1  # the ground pushes up


def monopod():
    """Return a planar trunk on a leg of two rods."""
    return Figure(
        "monopod",
        (
            planar_base("trunk", MassProperties(4.0, (0.0, 0.0, 0.0), diagonal(0.05, 0.05, 0.05)), ()),
            hinge("thigh", "trunk", rod(0.5, 0.25), ()),
            hinge("shank", "thigh", rod(0.5, 0.25), (), (0.0, 0.0, -0.25)),
        ),
    )


def hopping(**changes):
    """Return the plan of a monopod that hops forward for ever: stance, then flight."""
    height = 2 * 0.25 * np.cos(0.5)
    posture = {"trunk": (0.0, 0.0, height), "thigh": 0.5, "shank": -1.0}
    plan = Plan(
        monopod(),
        (Phase("stance", 0.25, ("toe",), intervals=6), Phase("flight", 0.2, intervals=4)),
        torques={"thigh": 80.0, "shank": 80.0},
        limits={"thigh": (-1.0, 1.5), "shank": (-2.2, -0.2)},
        points=(Point("toe", "shank", (0.0, 0.0, -0.25)),),
        start=Pose(positions={"trunk": (None, 0.0, None)}),
        guess=(Pose(0.0, posture), Pose(0.45, posture)),
        cycle=Cycle(0.3),
        costs=(Cost(), Cost("acceleration", 1e-4)),
    )
    return replace(plan, **changes)


def test_a_cycle_repeats_after_its_travel_with_an_impact_at_the_border():
    result = solve(hopping())
    assert result.solved
    q, v = result.trajectory.q, result.trajectory.v
    np.testing.assert_allclose(q[-1] - q[0], [0.0, 0.3, 0.0, 0.0, 0.0], atol=1e-7)
    states = [kinematics(result.plan.figure, list(q[0]), list(x)) for x in (v[-1], v[0])]
    toe = result.trajectory.contact_points[0, 0]
    spins = [float(p.n.y - (toe[2] * p.f.x - toe[0] * p.f.z)) for p in map(momentum, states)]
    assert spins[0] == pytest.approx(spins[1], abs=1e-6)  # an impact at the toe has no moment about it
    impulse = momentum(states[1]).f - momentum(states[0]).f
    assert float(impulse.z) >= -1e-7
    assert abs(float(impulse.x)) <= 0.8 * float(impulse.z) + 1e-6


def test_the_mean_force_of_a_cycle_is_the_weight():
    """Over a cycle momentum is unchanged: forces and the impulse of landing together bear the weight."""
    result = solve(
        hopping(
            phases=(Phase("stance", 0.25, ("toe",), landing="smooth", intervals=8), Phase("flight", 0.2, intervals=4))
        )
    )
    assert result.solved
    stance = phase_rows(result)[0]
    t, f = result.trajectory.times[stance], result.trajectory.contact_forces[stance, 0, 2]
    h = np.diff(t)[::2] * 2
    simpson = float(np.sum(h / 6 * (f[:-2:2] + 4 * f[1::2] + f[2::2])))
    assert simpson == pytest.approx(result.plan.figure.mass * G * 0.45, rel=1e-3)


def test_a_target_above_a_wall_lifts_the_toe():
    target = PointTarget("toe", (None, None, 0.1), time=0.35, relation="above")
    result = solve(hopping(targets=(target,)))
    k = int(np.abs(result.trajectory.times - 0.35).argmin())
    assert result.trajectory.contact_points[k, 0, 2] >= 0.1 - 1e-6


def test_redundant_corners_of_a_foot_share_the_weight():
    """A box that stands on four corners: twelve coordinates, six freedoms, and forces that still add up."""
    figure = Figure("box", (Link("box", None, Joint("free"), (), point_mass(3.0, (0.0, 0.0, 0.1))),))
    corners = tuple(Point(f"c{k}", "box", (x, y, 0.0)) for k, (x, y) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1))))
    plan = Plan(
        figure,
        (Phase(duration=0.5, contacts=tuple(p.name for p in corners)),),
        points=corners,
        start=Pose(positions={"box": (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)}, velocities={"box": (0.0,) * 6}),
        costs=(Cost("velocity"),),
        mesh=Mesh(intervals=3),
    )
    result = solve(plan)
    assert result.solved
    forces = result.trajectory.contact_forces
    np.testing.assert_allclose(forces[:, :, 2].sum(axis=1), 3.0 * G, rtol=1e-6)
    np.testing.assert_allclose(forces[:, :, 2], 3.0 * G / 4, rtol=1e-3)

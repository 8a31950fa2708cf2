"""The parts of a transcription: ranks, mirrors, schemes, curves, independent equations."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.dynamics import kinematics
from gambol.lanes import jacobian
from gambol.plan import Mesh, PlanResult, solve
from gambol.plan.motion.guesses.film_motion import trajectory_of_film
from gambol.plan.motion.mesh_refinement.refinement import refined
from gambol.plan.motion.transcription.defects import rotation_between
from gambol.plan.motion.transcription.mirror import state_map
from gambol.plan.motion.transcription.rank import independent_rows
from gambol.plan.motion.transcription.schemes import SCHEMES
from gambol.plan.problems import PROBLEMS, hopper_leap, quadruped_trot
from gambol.plan.solver.evaluation import element_inputs
from gambol.plan.track import trajectory_film
from gambol.plan.trajectory import Trajectory
from gambol.spatial import bezier_point


@pytest.mark.parametrize("name", SCHEMES)
def test_rows_of_a_scheme_integrate_polynomials_up_to_its_order(name):
    """sum_j A_ij c_j^(k-1) = c_i^k / k, for each node. [Hairer, Lubich and Wanner 2006, II.1.2]"""
    scheme = SCHEMES[name]
    exact_to = {"hermite-simpson": 3, "trapezoid": 2}.get(name, 1)
    for rows in (scheme.position, scheme.velocity):
        for row, c in zip(rows, scheme.nodes[1:], strict=True):
            for k in range(1, exact_to + 1):
                powers = [x ** (k - 1) if k > 1 else 1.0 for x in scheme.nodes]
                assert np.dot(row, powers) == pytest.approx(c**k / k, abs=1e-15)
    assert sum(scheme.quadrature) == pytest.approx(1.0)


def test_independent_rows_are_as_many_as_the_rank():
    random = np.random.default_rng(0)
    basis = random.normal(size=(4, 9))
    rows = random.normal(size=(12, 4)) @ basis
    chosen = independent_rows(np.zeros((0, 9)), [(range(12), rows)])
    assert len(chosen) == 4
    assert np.linalg.matrix_rank(rows[chosen]) == 4
    kept = rows[:2]
    more = independent_rows(kept, [(range(12), rows)])
    assert len(more) == 2
    assert np.linalg.matrix_rank(np.vstack([kept, rows[more]])) == 4


def test_the_mirror_image_of_a_state_is_a_mirror_image_twice_over():
    plan = quadruped_trot()
    assert plan.cycle is not None
    mapped, random = state_map(plan.figure, plan.cycle), np.random.default_rng(1)
    q = random.normal(size=plan.figure.nq)
    q[:4] /= np.linalg.norm(q[:4])
    v = random.normal(size=plan.figure.nv)
    np.testing.assert_allclose(mapped.positions(mapped.positions(list(q))), q)
    here = kinematics(plan.figure, list(q), list(v))
    there = kinematics(plan.figure, mapped.positions(list(q)), mapped.velocities(list(v)))
    M = np.array([1.0, -1.0, 1.0])
    for link in plan.figure.links:
        other = plan.figure.link(mapped.links[link.name]).index
        here_p, there_p = here.poses[link.index].position, there.poses[other].position
        np.testing.assert_allclose([*there_p], M * [*here_p], atol=1e-12)
        here_v = here.poses[link.index].rotation @ here.velocities[link.index].v
        there_v = there.poses[other].rotation @ there.velocities[other].v
        np.testing.assert_allclose([*there_v], M * [*here_v], atol=1e-12)


def test_the_vector_part_between_quaternions_is_half_the_angle():
    p, angle = np.array([0.5, 0.5, -0.5, 0.5]), 1e-3
    turn = np.array([np.cos(angle / 2), 0.0, np.sin(angle / 2), 0.0])
    w, x, y, z = p
    left = np.array([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]])
    np.testing.assert_allclose(rotation_between(p, left @ turn), [0.0, angle / 2, 0.0], atol=1e-9)


def test_a_bezier_curve_is_its_bernstein_sum():
    points = ((0.0, 0.0, 0.0), (1.0, 2.0, 0.0), (3.0, 1.0, 1.0), (4.0, 0.0, 2.0))
    s = 0.3
    weights = [(1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s**2 * (1 - s), s**3]
    np.testing.assert_allclose(bezier_point(points, s), np.dot(weights, points), atol=1e-15)


def test_intervals_over_the_tolerance_are_divided():
    knots = refined(np.array([0.0, 0.5, 1.0]), np.array([1e-7, 31e-6]), 1e-6, 4)
    np.testing.assert_allclose(knots, [0.0, 0.5, 0.75, 1.0])  # 31 <= 2^5: halves are enough


def equality_rows(result: PlanResult):
    """Return the derivatives of all equations by the free unknowns, at the solution, with rows of length 1."""
    x, free = result.solution.unknowns, result.program.lower < result.program.upper
    rows: list[np.ndarray] = []
    for element in result.program.constraints:
        inputs, count = list(element_inputs(element, x)), element.unknowns.shape[1]

        def outputs(values, function=element.function, constants=inputs[count:]):
            return function(values, constants)

        _, table = jacobian(outputs, inputs[:count])
        for k, entries in enumerate(table):
            row = np.zeros((len(element.unknowns), x.size))
            for column, entry in enumerate(entries):
                np.add.at(
                    row,
                    (np.arange(len(row)), element.unknowns[:, column]),
                    np.broadcast_to(np.asarray(entry, float), len(row)),
                )
            rows.append(row[element.lower[:, k] == element.upper[:, k]])
    J = np.vstack(rows)[:, free]
    return J / np.linalg.norm(J, axis=1, keepdims=True)


@pytest.mark.parametrize("name", ["cart-pole", "lamp jump", "hopper leap"])
def test_the_equations_of_a_plan_are_independent(name):
    """Redundant equations cost a solver its second-order steps; the smallest singular value is far above rounding."""
    plan = PROBLEMS[name]()
    phases = tuple(replace(phase, intervals=3) for phase in plan.phases)
    result = solve(replace(plan, phases=phases, mesh=Mesh(intervals=3)))
    assert np.linalg.svd(equality_rows(result), compute_uv=False).min() > 1e-5


def test_coordinates_come_back_from_the_poses_of_a_film():
    """A random motion of a quadruped with its free base, by forward kinematics and back."""
    figure, random = quadruped_trot().figure, np.random.default_rng(3)
    n = 6
    q = np.cumsum(0.1 * random.normal(size=(n, figure.nq)), axis=0)
    q[:, :4] = np.array([0.8, 0.0, 0.6, 0.0]) + 0.1 * random.normal(size=(n, 4))
    q[:, :4] /= np.linalg.norm(q[:, :4], axis=1, keepdims=True)
    times = np.arange(n) / 100.0
    none = np.zeros((n, 0, 3))
    v = np.zeros((n, figure.nv))
    motion = Trajectory(figure, times, q, v, v, (), none, none, 1)
    back = trajectory_of_film(figure, trajectory_film(motion, 100.0))
    np.testing.assert_allclose(back.q, q, atol=1e-9)


def test_a_hopper_has_no_force_across_its_plane():
    plan = hopper_leap(0.2)
    phases = tuple(replace(phase, intervals=4) for phase in plan.phases)
    result = solve(replace(plan, phases=phases))
    assert (result.trajectory.contact_forces[:, :, 1] == 0.0).all()

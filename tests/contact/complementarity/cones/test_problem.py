"""Contacts with cones by every method: Coulomb's law, redundant contacts, loops, and initial values."""

from typing import Any

import numpy as np
import pytest
from complementary import coulomb, of_figure, stack

from gambol.contact.complementarity import SOLVERS
from gambol.contact.complementarity.cones import (
    ContactProblem,
    cone_conjugate_sweeps,
    cone_gauss_seidel,
    cone_newton,
    in_cone,
    pyramid,
    pyramid_lemke,
    rotating_box_dantzig,
)
from gambol.contact.complementarity.cones.arnold import arnold
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Vector

CONES = [cone_newton, cone_gauss_seidel, cone_conjugate_sweeps, rotating_box_dantzig]
INFINITE = float("inf")


@pytest.mark.parametrize("method", CONES)
@pytest.mark.parametrize("boxes", [1, 2])
def test_redundant_contacts_obey_coulombs_law(method: Any, boxes: int):
    """Four corners of a box are 12 rows for 6 degrees of freedom."""
    for seed in range(2):
        problem = stack(seed, boxes)
        solution = method(problem, **({"max_iterations": 300} if method in CONES[1:3] else {}))
        assert solution.converged == 1.0
        assert coulomb(problem, solution.p, solution.u) < 1e-7


def test_random_figures_by_newtons_method():
    for seed in range(60):
        problem = of_figure(seed, 1 + seed % 4)
        solution = cone_newton(problem)
        assert solution.converged == 1.0, seed
        assert coulomb(problem, solution.p, solution.u) < 1e-7


@pytest.mark.parametrize("method", [cone_gauss_seidel, rotating_box_dantzig])
def test_methods_agree_where_there_is_one_answer(method: Any):
    """With little friction the law has one solution; u is compared, as p is not unique."""
    for seed in range(8):
        problem = of_figure(seed, 2)
        gentle = ContactProblem.of_contacts(problem.A, problem.b, [0.2 * mu for mu in problem.mu])
        solution = method(
            gentle, **({"max_iterations": 2000} if method is cone_gauss_seidel else {"max_iterations": 60})
        )
        assert solution.converged == 1.0
        np.testing.assert_allclose(solution.u, cone_newton(gentle).u, atol=1e-7 * max(map(abs, gentle.b)))


def test_newtons_method_bears_heavy_bodies_on_light_ones():
    """The mass ratio is 100; a hundred sweeps leave a tenth of the velocity."""
    problem = stack(0, 2, 100.0, spin=0.0)
    size = max(map(abs, problem.b))
    assert cone_newton(problem).residual < 1e-9 * size
    assert cone_gauss_seidel(problem, max_iterations=100).residual > 1e-2 * size


@pytest.mark.parametrize("facets", [4, 8, 16])
def test_pyramids_come_near_to_cones(facets: int):
    """Up to 1 - cos(pi / F) of friction, for a ball that slips between two facets."""
    angle = np.pi / facets
    problem = ContactProblem.of_contacts(np.diag([3.5, 3.5, 1.0]).tolist(), [np.cos(angle), np.sin(angle), -1.0], [0.1])
    solution = pyramid_lemke(problem, facets=facets)
    assert solution.converged == 1.0
    assert np.hypot(solution.p[0], solution.p[1]) >= 0.1 * np.cos(angle) * (1.0 - 1e-9)
    slip = np.hypot(*solution.u[:2])
    assert -(solution.p[0] * solution.u[0] + solution.p[1] * solution.u[1]) >= 0.1 * np.cos(angle) * slip * (1.0 - 1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_lemke_solves_the_pyramids_of_any_figure(seed: int):
    problem = of_figure(seed, 3)
    solution = pyramid_lemke(problem, facets=6)
    assert solution.converged == 1.0
    for i, mu in zip(problem.contacts, problem.mu, strict=True):
        assert solution.u[i + 2] > -1e-8
        assert np.hypot(solution.p[i], solution.p[i + 1]) <= mu * solution.p[i + 2] + 1e-8
    linear, _ = pyramid(problem, 6)
    assert len(linear.b) == 3 * (1 + 6 + 1)


@pytest.mark.parametrize("method", [*CONES, pyramid_lemke])
def test_loops_and_limits_are_solved_with_contacts(method: Any):
    """A ball of 1 kg on the floor that a loop row holds at u_x = 0 and a limit keeps from moving to -y."""
    A = np.diag([1.0, 1.0, 1.0, 1.0, 1.0])
    A[0, 3] = A[3, 0] = A[1, 4] = A[4, 1] = 1.0
    problem = ContactProblem(A.tolist(), [0.3, -0.8, -1.0, 0.3, -0.8], [0.2], [-INFINITE, 0.0], [INFINITE, INFINITE])
    solution = method(problem)
    assert solution.converged == 1.0
    np.testing.assert_allclose(solution.u, 0.0, atol=1e-8)
    assert solution.p[0] + solution.p[3] == pytest.approx(-0.3)
    assert solution.p[1] + solution.p[4] == pytest.approx(0.8)
    assert np.hypot(solution.p[0], solution.p[1]) <= 0.2 * solution.p[2] + 1e-9


@pytest.mark.parametrize("method", CONES)
def test_a_start_that_is_right_is_kept(method: Any):
    problem = stack(1)
    solution = cone_newton(problem)
    again = method(problem, start=solution.p)
    assert again.converged == 1.0
    np.testing.assert_allclose(again.u, solution.u, atol=1e-9)
    assert again.iterations <= (60 if method is rotating_box_dantzig else 1)


@pytest.mark.parametrize("method", [*CONES, pyramid_lemke])
def test_ties_that_contradict_each_other_are_flagged(method: Any):
    A = np.eye(5)
    A[3, 4] = A[4, 3] = 1.0
    problem = ContactProblem(A.tolist(), [0.0, 0.0, -1.0, 1.0, -1.0], [0.5], [-INFINITE] * 2, [INFINITE] * 2)
    solution = method(problem)
    assert solution.converged == 0.0
    assert solution.residual > 0.5
    assert np.all(np.isfinite(solution.p))


def test_arnolds_iteration_holds_one_contact_and_fails_at_four():
    """Normal velocities are right, but forces assigned early are not reduced, and friction is not static."""
    one = of_figure(3, 1)
    assert arnold(one).residual < 1e-6 * max(map(abs, one.b))
    box = stack(0, spin=0.0)
    solution = arnold(box)
    assert min(solution.u[2::3]) > -1e-8
    assert solution.converged == 0.0
    assert coulomb(box, solution.p, solution.u) > 1e-2


def test_the_nearest_point_of_a_cone():
    assert [*in_cone(Vector(0.1, 0.0, 1.0), 0.5)] == [0.1, 0.0, 1.0]
    assert [*in_cone(Vector(0.0, 1.0, -3.0), 0.5)] == [0.0, 0.0, 0.0]
    assert [*in_cone(Vector(0.0, 0.0, -1.0), 0.0)] == [0.0, 0.0, 0.0]  # a contact without friction does not pull
    near = np.array([*in_cone(Vector(3.0, 4.0, 1.0), 0.5)])
    assert np.hypot(near[0], near[1]) == pytest.approx(0.5 * near[2])
    assert near @ (np.array([3.0, 4.0, 1.0]) - near) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("method", [cone_newton, cone_gauss_seidel])
def test_every_lane_solves_its_own_contacts(method: Any):
    problems = [stack(seed, mu=0.1 + 0.1 * seed) for seed in range(8)]

    def solved(A: list[list[Any]], b: list[Any], mu: list[Any]) -> tuple[Any, ...]:
        solution = method(ContactProblem.of_contacts(A, b, mu))
        return solution.u, [solution.residual, solution.converged]

    program = Program(ProgramSpec("solved", solved, ([[0.0] * 12] * 12, [0.0] * 12, [0.0] * 4)))
    A, b, mu = (
        np.array([np.ravel(x) for x in xs]).T.copy() for xs in zip(*((p.A, p.b, p.mu) for p in problems), strict=True)
    )
    u, results = program(A, b, mu)
    for k, problem in enumerate(problems):
        alone = method(problem)
        np.testing.assert_allclose(u[:, k], alone.u, atol=1e-8)
        assert results[1, k] == alone.converged


@pytest.mark.parametrize("name", list(SOLVERS))
def test_a_world_does_not_depend_on_its_lane(name: str):
    """The same bits with one world at a time or eight; a world of nonsense affects only itself."""
    problems = [of_figure(seed, 2) for seed in range(8)]

    def solved(A: list[list[Any]], b: list[Any], mu: list[Any]) -> tuple[Any, ...]:
        solution = SOLVERS[name](ContactProblem.of_contacts(A, b, mu))
        return solution.p, [solution.residual, solution.converged]

    A, b, mu = (
        np.array([np.ravel(x) for x in xs]).T.copy() for xs in zip(*((p.A, p.b, p.mu) for p in problems), strict=True)
    )
    spec = ProgramSpec("solved", solved, ([[0.0] * 6] * 6, [0.0] * 6, [0.0] * 2))
    p, _ = Program(spec, lanes=8)(A, b, mu)
    np.testing.assert_array_equal(p, Program(spec, lanes=1)(A, b, mu)[0])
    b[0, 3] = np.nan
    spoilt, results = Program(spec, lanes=8)(A, b, mu)
    assert (results[1, 3], results[0, 3]) == (0.0, np.inf)
    np.testing.assert_array_equal(np.delete(spoilt, 3, axis=1), np.delete(p, 3, axis=1))


@pytest.mark.parametrize("name", ["newton", "sweeps", "conjugate", "lemke"])
def test_single_precision_converges_to_its_tolerance(name: str):
    problems = [of_figure(seed, 2) for seed in range(16)]

    def solved(A: list[list[Any]], b: list[Any], mu: list[Any]) -> tuple[Any, ...]:
        return ([SOLVERS[name](ContactProblem.of_contacts(A, b, mu)).converged],)

    A, b, mu = (
        np.array([np.ravel(x) for x in xs], np.float32).T.copy()
        for xs in zip(*((p.A, p.b, p.mu) for p in problems), strict=True)
    )
    program = Program(ProgramSpec("solved", solved, ([[0.0] * 6] * 6, [0.0] * 6, [0.0] * 2)), "float32")
    assert program(A, b, mu)[0].min() == 1.0

"""Linear complementarity by every method: against brute force, least squares, and problems without solution."""

import math
from typing import Any

import numpy as np
import pytest
from complementary import enumerated, obeys, random_linear
from scipy.optimize import nnls

from gambol.contact.complementarity.linear import LinearProblem, conjugate_sweeps, dantzig, gauss_seidel, lemke
from gambol.lanes import Program, ProgramSpec

PIVOTING = [dantzig, lemke]
SWEEPING = [gauss_seidel, conjugate_sweeps]


@pytest.mark.parametrize("method", PIVOTING)
@pytest.mark.parametrize("boxes", [False, True])
@pytest.mark.parametrize("deficient", [False, True])
def test_pivots_find_what_brute_force_finds(method: Any, boxes: bool, deficient: bool):
    """w is unique where A has no negative eigenvalues; z need not be."""
    for seed in range(25):
        n = 1 + seed % 5
        problem = random_linear(seed, n, max(1, n - 2) if deficient else None, boxes=boxes)
        solution = method(problem)
        known = next(enumerated(problem), None)
        if known is None:
            assert solution.converged == 0.0
            continue
        assert solution.converged == 1.0
        assert obeys(problem, np.array(solution.z), np.array(solution.w))
        np.testing.assert_allclose(solution.w, known, atol=1e-8)


@pytest.mark.parametrize("method", PIVOTING)
def test_pivots_solve_larger_problems(method: Any):
    for seed in range(3):
        problem = random_linear(seed, 24, 12)
        solution = method(problem)
        assert solution.converged == 1.0
        assert solution.iterations < 4 * 24
        assert obeys(problem, np.array(solution.z), np.array(solution.w))


@pytest.mark.parametrize("method", [*PIVOTING, *SWEEPING])
def test_a_positive_problem_is_least_squares_of_positive_numbers(method: Any):
    """With A = B^T B and b = B^T c, the forces minimise |B z + c| over z >= 0."""
    for seed in range(10):
        random = np.random.default_rng(seed)
        B, c = random.normal(size=(9, 6)), random.normal(size=9)
        problem = LinearProblem.of_contacts((B.T @ B).tolist(), (B.T @ c).tolist())
        solution = method(problem, **({} if method in PIVOTING else {"max_iterations": 3000}))
        assert solution.converged == 1.0
        np.testing.assert_allclose(solution.z, nnls(B, -c)[0], atol=1e-7)


def test_a_row_that_answers_by_rounding_only_is_not_driven_for_ever():
    """Four rows of rank two; a force of 1e30 was once accepted as a bound."""
    problem = random_linear(37, 4, 2)
    assert dantzig(problem).converged == 1.0
    np.testing.assert_allclose(dantzig(problem).w, lemke(problem).w, atol=1e-9)


def test_conjugate_sweeps_are_fewer():
    """For a column of ten equal masses, whose weight must be passed down."""
    n = 10
    A = (2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)) - np.eye(n, n) * ([1.0] + [0.0] * (n - 1))
    problem = LinearProblem.of_contacts(A.tolist(), [-1.0] + [0.0] * (n - 1))
    plain, faster = (method(problem, max_iterations=2000) for method in SWEEPING)
    assert plain.converged == faster.converged == 1.0
    assert faster.iterations < 0.4 * plain.iterations
    np.testing.assert_allclose(faster.z, np.arange(n, 0, -1), atol=1e-6)


def test_sweeps_start_from_what_is_given():
    problem = random_linear(4, 6)
    solved = gauss_seidel(problem, max_iterations=2000)
    assert gauss_seidel(problem, start=solved.z).iterations == 1.0


@pytest.mark.parametrize("method", [*PIVOTING, *SWEEPING])
def test_what_has_no_answer_is_flagged(method: Any):
    """Two contacts: the force of each pushes the other in as much as its own out."""
    solution = method(LinearProblem.of_contacts([[1.0, -1.0], [-1.0, 1.0]], [-1.0, -1.0]))
    assert solution.converged == 0.0
    assert solution.residual > 0.5
    assert all(math.isfinite(x) for x in solution.z)


@pytest.mark.parametrize("method", [*PIVOTING, *SWEEPING])
def test_rows_that_cannot_move(method: Any):
    solution = method(LinearProblem.of_contacts([[0.0, 0.0], [0.0, 2.0]], [0.5, -1.0]))
    assert (solution.converged, solution.z) == (1.0, [0.0, 0.5])
    assert method(LinearProblem.of_contacts([[0.0]], [-1.0])).converged == 0.0


def test_lemke_needs_no_symmetry():
    """Friction mu z of a wall against a force that also presses: z = 1 / (1 - mu / 2) by hand."""
    solution = lemke(LinearProblem.of_contacts([[1.0, -0.5], [0.5, 0.0]], [-1.0, 0.0]))
    assert (solution.converged, solution.z[0]) == (1.0, pytest.approx(1.0))
    turned = lemke(LinearProblem.of_contacts([[0.0, -1.0], [1.0, 1.0]], [2.0, -3.0]))
    assert turned.converged == 1.0
    assert obeys(
        LinearProblem.of_contacts([[0.0, -1.0], [1.0, 1.0]], [2.0, -3.0]), np.array(turned.z), np.array(turned.w)
    )


@pytest.mark.parametrize("method", [*PIVOTING, *SWEEPING])
def test_every_lane_pivots_for_itself(method: Any):
    problems = [random_linear(seed, 4, boxes=False) for seed in range(8)]

    def solved(A: list[list[Any]], b: list[Any]) -> tuple[Any, ...]:
        solution = method(LinearProblem.of_contacts(A, b))
        return solution.z, [solution.residual, solution.converged, solution.iterations]

    program = Program(ProgramSpec("solved", solved, ([[0.0] * 4] * 4, [0.0] * 4)))
    A = np.array([np.ravel(problem.A) for problem in problems]).T.copy()
    z, results = program(A, np.array([problem.b for problem in problems]).T.copy())
    for k, problem in enumerate(problems):
        alone = method(problem)
        np.testing.assert_allclose(z[:, k], alone.z, atol=1e-8)
        assert results[1, k] == alone.converged

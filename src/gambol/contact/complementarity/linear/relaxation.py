"""Complementarity by projected Gauss-Seidel: each row in turn is solved alone, in repeated sweeps.

    z_k <- z_k - w_k / A_kk, clamped to its bounds        [Cottle, Pang and Stone 1992, section 5.2]

If A is symmetric and positive semidefinite, every sweep lowers z.A z / 2 + b.z, so the method can be stopped at any
time.
"""

from collections.abc import Sequence

from gambol.contact.complementarity.linear.problem import (
    LinearProblem,
    LinearSolution,
    absolute_tolerance,
    bounded,
    linear_solution,
)
from gambol.contact.complementarity.sweeping import SweepProblem, repeat_sweeps
from gambol.lanes import Scalar
from gambol.spatial.dense import Numbers, dot


def gauss_seidel(
    problem: LinearProblem,
    *,
    start: Sequence[Scalar] | None = None,
    max_iterations: int = 200,
    tolerance: float | None = None,
) -> LinearSolution:
    """Solve a linear complementarity problem by projected Gauss-Seidel sweeps.

    problem: the problem; start: initial forces, None for 0. max_iterations: limit of sweeps. tolerance: tolerance of
    the residual, as a fraction of the largest |b|; None: the default of the precision.
    """
    return _solve(problem, start, max_iterations, tolerance, conjugate=False)


def conjugate_sweeps(
    problem: LinearProblem,
    *,
    start: Sequence[Scalar] | None = None,
    max_iterations: int = 200,
    tolerance: float | None = None,
) -> LinearSolution:
    """Solve a linear complementarity problem by Gauss-Seidel sweeps in conjugate directions.

    Arguments: as for gauss_seidel().
    """
    return _solve(problem, start, max_iterations, tolerance, conjugate=True)


def _solve(
    problem: LinearProblem,
    start: Sequence[Scalar] | None,
    max_iterations: int,
    tolerance: float | None,
    *,
    conjugate: bool,
) -> LinearSolution:
    n, scales = len(problem.b), problem.scales

    def sweep(z: Numbers) -> Numbers:
        z = list(z)
        for k in range(n):
            w = dot(problem.A[k], z, problem.b[k])
            z[k] = bounded(z[k] - w / scales[k], problem.low[k], problem.high[k])
        return z

    initial = problem.project([0.0] * n if start is None else start)
    sweep_problem = SweepProblem(
        sweep, problem.project, scales, 0.1 * absolute_tolerance(problem.b, tolerance), float(max_iterations), conjugate
    )
    z, sweeps = repeat_sweeps(sweep_problem, initial)
    return linear_solution(problem, z, sweeps, tolerance)

"""Contacts with cones by Dantzig's method: friction boxes that rotate until the force lies along one of their axes.

    |p_x|, |p_y| <= mu p_z of the previous round, in axes with x along p_t of the previous round
    u_y = -s p_y           slip ratio s = |u_t| / |p_t| of the previous round, 0 where the contact stuck

At convergence p_y is 0 and the law of the cone holds. The second line, which makes A_yy larger by s, is the
linearisation of Coulomb's law for a small rotation of the direction of slip; without it rounds rotate too far and never
converge. For redundant contacts A is regularised towards the p of the previous round; otherwise the load alternates
between them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.cones.problem import ContactProblem, ContactSolution, contact_solution, violations
from gambol.contact.complementarity.linear.dantzig import dantzig
from gambol.contact.complementarity.linear.problem import LinearProblem, LinearSolution, absolute_tolerance
from gambol.lanes import Scalar, loop, maximum, sqrt, where
from gambol.spatial.dense import Numbers, Rows, matmul, matvec, max_abs, transposed

SOFTNESS = 0.01
"""Share of each row's diagonal by which A is regularised: rounds converge fastest with it (docs/decisions/012)."""


@dataclass(frozen=True, slots=True)
class BoxState:
    """State after a round: impulses, residual of the cone's law, and numbers of pivots and of rounds."""

    p: Numbers
    residual: Scalar
    pivots: Scalar
    rounds: Scalar


def rotating_box_dantzig(
    problem: ContactProblem,
    *,
    start: Sequence[Scalar] | None = None,
    max_iterations: int = 30,
    tolerance: float | None = None,
) -> ContactSolution:
    """Solve contacts with cones by rounds of Dantzig's method on friction boxes that rotate with the force.

    problem: the problem; start: initial impulses; None: the impulses without friction. max_iterations: limit of rounds.
    tolerance: relative to max |b|; None: the default of the precision. The iterations of the solution are pivots. The
    rounds may not converge; the residual shows it.
    """
    allowed_residual = 0.1 * absolute_tolerance(problem.b, tolerance)
    frictionless = _linear(problem, [0.0] * len(problem.b))
    initial = BoxState(dantzig(frictionless).z if start is None else list(start), 1.0, 0.0, 0.0)

    def not_converged(state: BoxState) -> Scalar:
        return (state.rounds < float(max_iterations)) & ((state.residual > allowed_residual) | (state.rounds < 1.0))

    def next_round(state: BoxState) -> BoxState:
        solution = _solve_in_boxes(problem, state.p)
        p = _clip_to_cone(problem, solution.z)
        residual = max_abs(violations(problem, p, problem.speeds(p)))
        return BoxState(p, residual, state.pivots + solution.iterations, state.rounds + 1.0)

    end = loop(not_converged, next_round, initial)
    return contact_solution(problem, end.p, end.pivots, tolerance)


def _linear(problem: ContactProblem, sizes: Sequence[Scalar]) -> LinearProblem:
    """Return the linear problem with friction between -size and size along both tangents of each contact."""
    low, high = list(problem.b), list(problem.b)
    for i in problem.contacts:
        low[i : i + 3], high[i : i + 3] = [-sizes[i], -sizes[i], 0.0], [sizes[i], sizes[i], math.inf]
    low[3 * len(problem.mu) :], high[3 * len(problem.mu) :] = problem.low, problem.high
    return LinearProblem(problem.A, problem.b, low, high)


def _solve_in_boxes(problem: ContactProblem, p: Sequence[Scalar]) -> LinearSolution:
    """Return impulses within boxes; p: impulses of the previous round, which determine the boxes' sizes and axes."""
    n, scales, u = len(problem.b), problem.scales, problem.speeds(p)
    C: Rows = [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]
    sizes, added_diagonal = [0.0] * n, [SOFTNESS * scale for scale in scales]
    for i, mu in zip(problem.contacts, problem.mu, strict=True):
        square = p[i] * p[i] + p[i + 1] * p[i + 1]
        has_friction = square > 0.0
        inverse = 1.0 / where(has_friction, square, 1.0)
        inverse_norm = sqrt(inverse)
        x, y = where(has_friction, p[i] * inverse_norm, 1.0), where(has_friction, p[i + 1] * inverse_norm, 0.0)
        C[i][i], C[i + 1][i], C[i][i + 1], C[i + 1][i + 1] = x, y, -y, x
        sizes[i] = mu * p[i + 2]
        slip_ratio = where(has_friction, maximum(-(u[i] * p[i] + u[i + 1] * p[i + 1]), 0.0) * inverse, 0.0)
        added_diagonal[i + 1] = added_diagonal[i + 1] + slip_ratio
    C_T = transposed(C)
    p_before = matvec(C_T, p)
    A = matmul(C_T, matmul(problem.A, C))
    for k, added in enumerate(added_diagonal):
        A[k][k] = A[k][k] + added
    b = [b_k - SOFTNESS * d_k * p_k for b_k, d_k, p_k in zip(matvec(C_T, problem.b), scales, p_before, strict=True)]
    linear = _linear(problem, sizes)
    solution = dantzig(LinearProblem(A, b, linear.low, linear.high))
    return LinearSolution(matvec(C, solution.z), solution.w, solution.residual, solution.converged, solution.iterations)


def _clip_to_cone(problem: ContactProblem, p: Sequence[Scalar]) -> Numbers:
    """Return impulses whose friction is clipped to the cone of their normal part."""
    result = list(p)
    for i, mu in zip(problem.contacts, problem.mu, strict=True):
        limit, friction = mu * p[i + 2], sqrt(p[i] * p[i] + p[i + 1] * p[i + 1])
        factor = where(friction > limit, limit / where(friction > limit, friction, 1.0), 1.0)
        result[i], result[i + 1] = factor * p[i], factor * p[i + 1]
    return result

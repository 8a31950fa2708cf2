"""All contacts with cones at once, by Newton's method.

    u = A p + b                                         velocities under impulses p    (ContactProblem)
    x = p - u / d                                       unprojected impulse, d: scales [Alart and Curnier 1991]
    open      x_z <= 0       p = 0
    sticks    |x_t| <= R     u = 0                      R = mu x_z
    slides    otherwise      u_z = 0, p_t = R x_t / |x_t|

x decides whether a contact is open, sticks or slides. The equations of the present states are linearised at p. Steps
of several lengths are tried, and the one with the least violation of the law is taken. A few steps suffice for heavy
bodies on light ones, where sweeps need thousands. A is regularised a little towards the present p, so that redundant
contacts have a solution; this does not change the solution itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.cones.problem import ContactProblem, ContactSolution, contact_solution, violations
from gambol.contact.complementarity.cones.sweeps import cone_gauss_seidel
from gambol.contact.complementarity.linear.problem import absolute_tolerance, bounded
from gambol.lanes import Precision, Scalar, is_finite, loop, repeat, split_point, sqrt, where, working_precision
from gambol.spatial.dense import Numbers, Rows, max_abs, reciprocal

SOFTNESS: dict[Precision, float] = {"float64": 1e-6, "float32": 1e-4}
"""Share of each row's diagonal by which A is regularised.

In float64, 1e-8 works equally well, 1e-4 worse (docs/decisions/012).
"""

SWEEPS = 10
"""Sweeps before the first step: with none, one random problem in 200 cycled."""

LINE_SEARCH_STEPS = 5
"""Number of step lengths of the line search: 1, 1/2, 1/4, 1/8, 1/16."""


@dataclass(frozen=True, slots=True)
class NewtonState:
    """State of the iteration.

    p, residual: the present impulses and their largest violation [m/s]. best, merit: the impulses with the least total
    violation so far, and that violation [J]. iterations: number of Newton steps.
    """

    p: Numbers
    best: Numbers
    merit: Scalar
    residual: Scalar
    iterations: Scalar


@dataclass(frozen=True, slots=True)
class Trial:
    """State of the line search.

    length: the next one to try. p: the impulses with the least total violation so far; merit: that violation [J];
    residual: their largest violation [m/s].
    """

    length: Scalar
    p: Numbers
    merit: Scalar
    residual: Scalar


def cone_newton(
    problem: ContactProblem,
    *,
    start: Sequence[Scalar] | None = None,
    max_iterations: int = 40,
    tolerance: float | None = None,
) -> ContactSolution:
    """Solve contacts with cones by a damped Newton method on their piecewise smooth equations.

    problem: the problem; start: initial impulses, None for the result of a few sweeps. max_iterations: limit of steps,
    each of which factors an n x n matrix. tolerance: relative to max |b|; None: the default of the precision.
    """
    p = cone_gauss_seidel(problem, max_iterations=SWEEPS).p if start is None else problem.project(start)
    allowed_residual = 0.1 * absolute_tolerance(problem.b, tolerance)
    merit, residual = _merit(problem, p)

    def not_converged(state: NewtonState) -> Scalar:
        return (state.iterations < float(max_iterations)) & (state.residual > allowed_residual)

    end = loop(not_converged, lambda state: _newton_step(problem, state), NewtonState(p, p, merit, residual, 0.0))
    return contact_solution(problem, end.best, end.iterations, tolerance)


def _merit(problem: ContactProblem, p: Sequence[Scalar]) -> tuple[Scalar, Scalar]:
    """Return the total violation of the law [J], and the largest violation [m/s]."""
    errors = violations(problem, p, problem.speeds(p))
    total = sum((x * x / d for x, d in zip(errors, problem.scales, strict=True)), 0.0)
    return total, max_abs(errors)


def _newton_step(problem: ContactProblem, state: NewtonState) -> NewtonState:
    G, F = _linearised(problem, state.p)
    newton = _solve_linear(G, F)
    is_valid = is_finite(sum(newton, 0.0))
    direction = [where(is_valid, x, 0.0) for x in newton]

    def try_length(trial: Trial) -> Trial:
        candidate = problem.project([x - trial.length * y for x, y in zip(state.p, direction, strict=True)])
        merit, worst = _merit(problem, candidate)
        better = merit < trial.merit
        return Trial(
            0.5 * trial.length,
            [where(better, x, y) for x, y in zip(candidate, trial.p, strict=True)],
            where(better, merit, trial.merit),
            where(better, worst, trial.residual),
        )

    split_point()
    trial = repeat(LINE_SEARCH_STEPS, try_length, Trial(1.0, state.p, 1e30, state.residual))
    improves = trial.merit < state.merit
    best = [where(improves, x, y) for x, y in zip(trial.p, state.best, strict=True)]
    return NewtonState(trial.p, best, where(improves, trial.merit, state.merit), trial.residual, state.iterations + 1.0)


def _solve_linear(G: Rows, F: Sequence[Scalar]) -> Numbers:
    """Return x of G x = F by elimination without pivoting; the line search rejects a step spoilt by a small pivot."""
    n, rows = len(F), [[*row, f] for row, f in zip(G, F, strict=True)]
    for k in range(n):
        split_point()
        inverse = reciprocal(rows[k][k])
        rows[k] = [*rows[k][: k + 1], *(x * inverse for x in rows[k][k + 1 :])]
        for i in range(k + 1, n):
            split_point()
            factor = rows[i][k]
            rest = [x - factor * y for x, y in zip(rows[i][k + 1 :], rows[k][k + 1 :], strict=True)]
            rows[i] = [*rows[i][: k + 1], *rest]
    x: Numbers = [row[-1] for row in rows]
    for k in reversed(range(n)):
        split_point()
        for j in range(k + 1, n):
            x[k] = x[k] - rows[k][j] * x[j]
    return x


def _linearised(problem: ContactProblem, p: Sequence[Scalar]) -> tuple[Rows, Numbers]:
    """Return the matrix and the right-hand side of the Newton step from p."""
    softness, d, u = SOFTNESS[working_precision()], problem.scales, problem.speeds(p)
    scaled_rows = [
        [(x + (softness * s if i == j else 0.0)) / s for j, x in enumerate(row)]
        for i, (row, s) in enumerate(zip(problem.A, d, strict=True))
    ]
    unprojected = [x - y / s for x, y, s in zip(p, u, d, strict=True)]
    G, F = [list(row) for row in scaled_rows], [x - y for x, y in zip(p, unprojected, strict=True)]
    for i, mu in zip(problem.contacts, problem.mu, strict=True):
        rows, right = _contact_rows(scaled_rows[i : i + 3], i, mu, list(p[i : i + 3]), unprojected[i : i + 3])
        G[i : i + 3], F[i : i + 3] = rows, right
    for k, low, high in zip(problem.others, problem.low, problem.high, strict=True):
        clamped = bounded(unprojected[k], low, high)
        free = where(clamped == unprojected[k], 1.0, 0.0)
        G[k] = [free * x + (1.0 - free if j == k else 0.0) for j, x in enumerate(scaled_rows[k])]
        F[k] = p[k] - clamped
    return G, F


def _contact_rows(scaled_rows: Rows, i: int, mu: Scalar, p: Numbers, x: Numbers) -> tuple[Rows, Numbers]:
    """Return the rows of one contact and their right-hand sides.

    scaled_rows: its rows of A over d; i: its first row; p, x: its impulse, and its unprojected impulse. e is the
    direction of sliding, Q the derivative of the tangential impulse by x_t.
    """
    touches = x[2] > 0.0
    radius, length = mu * x[2], sqrt(x[0] * x[0] + x[1] * x[1])
    slides = touches & (length > radius)
    inverse = 1.0 / where(slides, length, 1.0)
    e = [where(slides, c * inverse, 0.0) for c in x[:2]]
    scale = where(touches, where(slides, radius * inverse, 1.0), 0.0)
    Q = [[scale * ((1.0 if m == n else 0.0) - e[m] * e[n]) for n in range(2)] for m in range(2)]
    rows: Rows = []
    for m in range(2):
        row = [Q[m][0] * a + Q[m][1] * b + mu * e[m] * c for a, b, c in zip(*scaled_rows, strict=True)]
        row[i + m] = row[i + m] + 1.0
        for n in range(2):
            row[i + n] = row[i + n] - Q[m][n]
        row[i + 2] = row[i + 2] - mu * e[m]
        rows.append(row)
    rows.append([where(touches, c, 1.0 if j == i + 2 else 0.0) for j, c in enumerate(scaled_rows[2])])
    tangential = [
        y - where(touches, where(slides, radius * f, z), 0.0) for y, z, f in zip(p[:2], x[:2], e, strict=True)
    ]
    return rows, [*tangential, where(touches, p[2] - x[2], p[2])]

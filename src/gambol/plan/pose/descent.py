"""Damped least squares: the pose of least weighted residuals near a posture, within limits.

    F = sum w r^2 + e |D x_p|^2          x_p: tangent coordinates from the posture
    (J^T W J + (e + m) D^2) x = -(J^T W r + e g_p)         if F decreases, q <- limits(q (+) x) and m decreases

[Levenberg 1944; Marquardt 1963; Nakamura and Hanafusa 1986; Wampler 1986; Buss 2004]. Otherwise m increases. Lengths
are divided by the figure's extent; D is 1 for angles and 1 / extent for displacements. Two stages share this loop. In
the first stage e is small, so that freedoms without a goal stay at the posture. In the second stage e is 0: the
residuals decrease to rounding by the shortest steps, which removes the influence of the posture on the goals. Closed
loops are rows of a large weight.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from gambol.dynamics import Kinematics, kinematics
from gambol.dynamics.forward import factorised
from gambol.dynamics.loops import Row, jacobian_row
from gambol.dynamics.tangent import configuration_difference, displaced, normalised, tangent_rates
from gambol.figure import Figure
from gambol.lanes import Scalar, clamp, loop, maximum, minimum, repeat, where
from gambol.plan.pose.limits import Limit, blocked_directions, limited
from gambol.spatial.dense import Numbers, dot, max_abs
from gambol.spatial.rotation import is_constant

POSTURE_WEIGHT = 1e-4
"""Weight e of the posture: after the first stage, residuals of reachable goals are about e x_p / J."""

FIRST_DAMPING, MIN_DAMPING, MAX_DAMPING = 1e-2, 1e-9, 1e6
"""Damping m [1] of the first step, and its range. At the least damping, the normal equations of free motions are
regular in float64; at the largest, a step is a millionth of the gradient."""

MAX_LATE_DAMPING = 1e-3
"""Damping above which the second stage ends: its steps then no longer reduce F beyond rounding."""

MAX_STEP = 1.0
"""Maximum step of a coordinate [rad, or figure extents]: beyond it, linearisation is not valid."""

STEP_TOLERANCE = (1e-6, 1e-10)
"""Step [rad, or figure extents] below which each stage ends."""

MIN_GAIN = (1e-7, 1e-9)
"""Relative decrease of F below which each stage ends: F is then almost at its minimum, for goals out of reach."""

BLOCKED_STIFFNESS = 1e9
"""Stiffness of directions that limits block; the stiffness of goals is about 1."""


@dataclass(frozen=True, slots=True)
class PoseProblem:
    """The data of the iteration.

    figure, limits: structure. rows: returns the rows at a state, each with its scale: the root of its weight, divided
    by its unit. dof_units: 1 / D of each degree of freedom; 0 for a locked degree of freedom. bounds: bounds of the
    limits. posture (nq).
    """

    figure: Figure
    limits: Sequence[Limit]
    rows: Callable[[Kinematics], Sequence[tuple[Row, Scalar]]]
    dof_units: Sequence[float]
    bounds: Sequence[Sequence[Scalar]]
    posture: Sequence[Scalar]

    def moving(self) -> list[int]:
        """Return the indices of the degrees of freedom that may move."""
        return [k for k, step in enumerate(self.dof_units) if step]

    def state(self, q: Sequence[Scalar]) -> Kinematics:
        """Return the kinematics at coordinates q, at rest."""
        return kinematics(self.figure, q, [0.0] * self.figure.nv)


@dataclass(frozen=True, slots=True)
class Progress:
    """State of the iteration: q (nq), damping m, weight e, iterations, and stage, which is 2 at the end."""

    q: Numbers
    damping: Scalar
    posture_weight: Scalar
    iterations: Scalar
    stage: Scalar


def least_residuals(problem: PoseProblem, q: Sequence[Scalar], max_iterations: Scalar) -> Progress:
    """Return coordinates of least residuals found from q (nq)."""
    start = Progress(limited(problem.limits, problem.bounds, q), FIRST_DAMPING, POSTURE_WEIGHT, 0.0, 0.0)
    return loop(
        lambda now: (now.stage < 1.5) & (now.iterations < max_iterations), lambda now: _iterate(problem, now), start
    )


CLOSING_STEPS = 2
"""Gauss-Newton steps that close loops at the end. Each squares the gap, which is at most 1e-4 before."""


def with_closed_loops(
    problem: PoseProblem, rows: Callable[[Kinematics], Sequence[tuple[Row, Scalar]]], q: Numbers
) -> Numbers:
    """Return coordinates near q (nq) at which rows of closed loops are 0, within the limits."""
    loop_problem = replace(problem, rows=rows)

    def step(x: Numbers) -> Numbers:
        return _moved(loop_problem, x, _step(loop_problem, Progress(x, MIN_DAMPING, 0.0, 0.0, 1.0))[1])

    return repeat(CLOSING_STEPS, step, q)


def _iterate(problem: PoseProblem, now: Progress) -> Progress:
    """Return the progress after one step, accepted or not."""
    e, m = now.posture_weight, now.damping
    residual, x, predicted = _step(problem, now)
    q = _moved(problem, now.q, x)
    gain = residual - merit(problem, q, e)
    accepted = gain > 0.0
    factor = where(gain > 0.75 * predicted, 0.03, where(gain > 0.25 * predicted, 0.3, 2.0))
    second_stage = now.stage > 0.5
    damping = where(accepted, clamp(m * factor, MIN_DAMPING, MAX_DAMPING), m * where(second_stage, 100.0, 10.0))
    size = max_abs([x[k] / problem.dof_units[k] for k in problem.moving()])
    converged = (size < where(second_stage, STEP_TOLERANCE[1], STEP_TOLERANCE[0])) | (
        gain <= where(second_stage, MIN_GAIN[1], MIN_GAIN[0]) * residual
    )
    ended = (
        (accepted & converged)
        | (damping > where(second_stage, MAX_LATE_DAMPING, MAX_DAMPING))
        | (size < STEP_TOLERANCE[1])
    )
    stage = now.stage + where(ended, 1.0, 0.0)
    return Progress(
        [where(accepted, new, old) for new, old in zip(q, now.q, strict=True)],
        where(ended, MIN_DAMPING, damping),
        where(ended, 0.0, e),
        now.iterations + 1.0,
        stage,
    )


def _step(problem: PoseProblem, now: Progress) -> tuple[Scalar, Numbers, Scalar]:
    """Return F, the step x (nv), and the decrease of F that it would have if residuals were linear."""
    state, moving = problem.state(now.q), problem.moving()
    rows = list(problem.rows(state))
    r = [s * row.gap for row, s in rows]
    J = [[s * x for x in jacobian_row(state, row)] for row, s in rows]
    y = configuration_difference(problem.figure, problem.posture, now.q)
    g = _gradient(problem, y, r, J, now.posture_weight)
    A = _normal_matrix(problem, J, now.posture_weight + now.damping)
    blocked = blocked_directions(problem.limits, problem.bounds, now.q, [-u for u in g])
    position = {k: i for i, k in enumerate(moving)}
    for direction in blocked:
        _add_outer(A, {position[k]: u for k, u in direction.items() if k in position}, BLOCKED_STIFFNESS)
    solution = factorised(A).solve([-g[k] for k in moving])
    longest = max_abs([u / problem.dof_units[k] for u, k in zip(solution, moving, strict=True)])
    scale = minimum(1.0, MAX_STEP / maximum(longest, STEP_TOLERANCE[1]))
    x: Numbers = [0.0] * problem.figure.nv
    for k, u in zip(moving, solution, strict=True):
        x[k] = u * scale
    damped = sum(
        (u * u / (problem.dof_units[k] * problem.dof_units[k]) for k, u in enumerate(x) if problem.dof_units[k]), 0.0
    )
    predicted = scale * now.damping * damped - dot(g, x)
    return dot(r, r) + now.posture_weight * _posture_square(problem, y), x, predicted


SparseMatrix: TypeAlias = list[dict[int, Scalar]]


def _normal_matrix(problem: PoseProblem, J: Sequence[Sequence[Scalar]], damping: Scalar) -> SparseMatrix:
    """Return the lower triangle of J^T J + damping D^2 over the moving degrees of freedom, by sparse rows."""
    A: SparseMatrix = [
        {i: damping / (problem.dof_units[k] * problem.dof_units[k])} for i, k in enumerate(problem.moving())
    ]
    for row in J:
        _add_outer(A, {i: row[k] for i, k in enumerate(problem.moving()) if not is_constant(row[k], 0.0)}, 1.0)
    return A


def _add_outer(A: SparseMatrix, row: dict[int, Scalar], scale: float) -> None:
    """Add scale u u^T to the lower triangle of a matrix; row: u by sparse entries."""
    for i, u in row.items():
        scaled = u * scale
        for j, w in row.items():
            if j <= i:
                A[i][j] = A[i].get(j, 0.0) + scaled * w


def _gradient(
    problem: PoseProblem, y: Sequence[Scalar], r: Sequence[Scalar], J: Sequence[Sequence[Scalar]], e: Scalar
) -> Numbers:
    """Return half the gradient of F by the tangent coordinates (nv): J^T r, and e U^T D^2 y of the posture."""
    figure, g = problem.figure, list[Scalar]()
    weighted = [u / (s * s) if s else 0.0 for u, s in zip(y, problem.dof_units, strict=True)]
    for k in range(figure.nv):
        column = [row[k] for row in J]
        unit = [1.0 if i == k else 0.0 for i in range(figure.nv)]
        g.append(dot(column, r, e * dot(tangent_rates(figure, problem.posture, y, unit), weighted)))
    return g


def _posture_square(problem: PoseProblem, y: Sequence[Scalar]) -> Scalar:
    """Return |D y|^2 over the moving degrees of freedom."""
    return sum((u * u / (s * s) for u, s in zip(y, problem.dof_units, strict=True) if s), 0.0)


def merit(problem: PoseProblem, q: Sequence[Scalar], e: Scalar) -> Scalar:
    """Return F at coordinates q (nq)."""
    r = [s * row.gap for row, s in problem.rows(problem.state(q))]
    return dot(r, r, e * _posture_square(problem, configuration_difference(problem.figure, problem.posture, q)))


def _moved(problem: PoseProblem, q: Sequence[Scalar], x: Sequence[Scalar]) -> Numbers:
    """Return q displaced by x, with unit quaternions, within the limits."""
    return limited(problem.limits, problem.bounds, normalised(problem.figure, displaced(problem.figure, q, x)))

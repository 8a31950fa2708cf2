"""Complementarity by Dantzig's method: rows are solved one after the other, and solved rows stay solved.

    driving row i:   dz_i = +-1     dz_C = -A_CC^-1 A_Ci dz_i     dw_N = (A_Ni - A_NC A_CC^-1 A_Ci) dz_i

until w_i is 0, or z_i reaches its bound, or another row must first change between C (w = 0, force within its bounds)
and N (force at a bound). [Baraff 1994] A_CC^-1 is stored in a table in which the rows of C have been exchanged
(pivots.py). All rows are scaled so that A_kk = 1. A is symmetric, without negative eigenvalues; it may be singular.
"""

from dataclasses import dataclass

from gambol.contact.complementarity.linear.pivots import exchanged, one_hot, smallest
from gambol.contact.complementarity.linear.problem import LinearProblem, LinearSolution, is_infinite, linear_solution
from gambol.lanes import Precision, Scalar, clamp, logical_not, loop, maximum, sqrt, where, working_precision
from gambol.spatial.dense import Numbers, Rows, dot, max_abs

ZERO_TOLERANCE: dict[Precision, float] = {"float64": 1e-11, "float32": 1e-5}
"""Responses of scaled rows to the driven row count as 0 below this, and w below this fraction of the largest |b|."""

INFINITE = 1e30
"""Represents infinite forces and unlimited steps; finite, since it is multiplied by masks."""

MAX_STEP = 1e12
"""Steps of scaled forces above this multiple of the largest |b| count as unlimited: the row hardly responds."""


@dataclass(frozen=True, slots=True)
class DantzigState:
    """State of Dantzig's method: the table, forces z, w, 1 for rows of C, the driven row, and the number of pivots."""

    T: Rows
    z: Numbers
    w: Numbers
    free: Numbers
    row: Scalar
    iterations: Scalar


@dataclass(frozen=True, slots=True)
class Step:
    """Change of forces and w as the driven row moves, and its length.

    indicator: 1 for the driven row. length: length of the step; blocker: the other row that limits it, -1 if none;
    reaches_zero: 1 if the driven row reaches w = 0; blocked: 1 if another row limited the step, so that the row must be
    driven further.
    """

    indicator: Numbers
    dz: Numbers
    dw: Numbers
    length: Scalar
    blocker: Scalar
    reaches_zero: Scalar
    blocked: Scalar


def dantzig(
    problem: LinearProblem, *, max_iterations: int | None = None, tolerance: float | None = None
) -> LinearSolution:
    """Solve a linear complementarity problem by Dantzig's incremental pivots.

    problem: with symmetric A; max_iterations: limit of pivots, by default 4 n + 20. tolerance: tolerance of the
    residual, as a fraction of the largest |b|; None: the default of the precision. A row that cannot be solved is
    skipped; the residual shows it.
    """
    n = len(problem.b)
    scaled, S = _scaled(problem)
    z = scaled.project([0.0] * n)
    start = DantzigState(scaled.A, z, scaled.speeds(z), [0.0] * n, 0.0, 0.0)
    limit = float(4 * n + 20 if max_iterations is None else max_iterations)
    size = max_abs(scaled.b)

    def not_converged(state: DantzigState) -> Scalar:
        return (state.row < float(n)) & (state.iterations < limit)

    end = loop(not_converged, lambda state: _apply(scaled, state, _step(scaled, state, size)), start)
    return linear_solution(problem, [x * s for x, s in zip(end.z, S, strict=True)], end.iterations, tolerance)


def _scaled(problem: LinearProblem) -> tuple[LinearProblem, Numbers]:
    """Return the problem for z / S, whose diagonal is 1 and whose bounds are finite, and the scales S."""
    S = [1.0 / sqrt(s) for s in problem.scales]
    A = [[x * (s * t) for x, t in zip(row, S, strict=True)] for row, s in zip(problem.A, S, strict=True)]
    low = [-INFINITE if is_infinite(x) else x / s for x, s in zip(problem.low, S, strict=True)]
    high = [INFINITE if is_infinite(x) else x / s for x, s in zip(problem.high, S, strict=True)]
    return LinearProblem(A, [x * s for x, s in zip(problem.b, S, strict=True)], low, high), S


def _step(problem: LinearProblem, state: DantzigState, size: Scalar) -> Step:
    """Return the step of the driven row until it is solved or another row blocks it.

    Its length is 0 if the row is already solved.
    """
    indicator = one_hot(state.row, len(state.z))
    w, z, low, high = (dot(indicator, x) for x in (state.w, state.z, problem.low, problem.high))
    threshold = ZERO_TOLERANCE[working_precision()] * size
    needed = ((w < -threshold) & (z < high)) | ((w > threshold) & (z > low))
    sign = where(w < 0.0, 1.0, -1.0)
    column = [dot(row, indicator) * sign for row in state.T]
    dz = [f * c + h * sign for f, c, h in zip(state.free, column, indicator, strict=True)]
    dw = [(1.0 - f) * c for f, c in zip(state.free, column, strict=True)]
    response = dot(indicator, dw) * sign
    responds = response > ZERO_TOLERANCE[working_precision()]
    to_zero = where(responds, abs(w) / where(responds, response, 1.0), INFINITE)
    to_bound = where(w < 0.0, high - z, z - low)
    to_end = where(to_zero <= to_bound, to_zero, to_bound)
    length, blocker = smallest([_allowed_step(problem, state, j, dz[j], dw[j]) for j in range(len(dz))], to_end)
    moves = needed & (length < MAX_STEP * size)
    blocked = moves & (blocker >= 0.0)
    reaches_zero = moves & logical_not(blocked) & (to_zero <= to_bound)
    return Step(indicator, dz, dw, where(moves, length, 0.0), blocker, reaches_zero, blocked)


def _allowed_step(problem: LinearProblem, state: DantzigState, j: int, dz: Scalar, dw: Scalar) -> Scalar:
    """Return the distance that the driven row may go before a solved row must change between C and N."""
    small, z, low, high = ZERO_TOLERANCE[working_precision()], state.z[j], problem.low[j], problem.high[j]
    free, is_solved = state.free[j] > 0.5, state.row > float(j)
    to_bound = where(dz > 0.0, high - z, z - low) / where(abs(dz) > small, abs(dz), 1.0)
    falls, rises = (dw < -small) & (z < high), (dw > small) & (z > low)
    to_zero = maximum(where(falls, state.w[j], -state.w[j]), 0.0) / where(falls | rises, abs(dw), 1.0)
    leaves = is_solved & free & (abs(dz) > small)
    enters = is_solved & logical_not(free) & (falls | rises) & (state.T[j][j] > small)
    return where(leaves, to_bound, where(enters, to_zero, INFINITE))


def _apply(problem: LinearProblem, state: DantzigState, step: Step) -> DantzigState:
    """Return the state after a step: forces that reached a bound are set to it, and the blocking row is exchanged."""
    pivot = one_hot(where(step.blocked, step.blocker, where(step.reaches_zero, state.row, -1.0)), len(state.z))
    reaches_bound = where(step.blocked | step.reaches_zero | (step.length == 0.0), 0.0, 1.0)
    z: Numbers = []
    for j, (x, d) in enumerate(zip(state.z, step.dz, strict=True)):
        low, high = problem.low[j], problem.high[j]
        at_bound = pivot[j] * state.free[j] + step.indicator[j] * reaches_bound > 0.5
        z.append(where(at_bound, where(d > 0.0, high, low), clamp(x + step.length * d, low, high)))
    w = [(x + step.length * d) * (1.0 - p) for x, d, p in zip(state.w, step.dw, pivot, strict=True)]
    free = [f + p - 2.0 * f * p for f, p in zip(state.free, pivot, strict=True)]
    row = state.row + where(step.blocked, 0.0, 1.0)
    return DantzigState(exchanged(state.T, pivot, pivot), z, w, free, row, state.iterations + 1.0)

"""Complementarity by Dantzig's method: one row after the other is driven to where it belongs, the others kept there.

    driving row i:   dz_i = +-1     dz_C = -A_CC^-1 A_Ci dz_i     dw_N = (A_Ni - A_NC A_CC^-1 A_Ci) dz_i

until w_i is 0 or z_i meets its bound, or another row must change between C (force free, w = 0) and N (force at a bound)
first. [Baraff 1994] What A_CC^-1 is needed for stands in a table in which rows of C have been exchanged (pivots.py);
all rows are scaled so that A_kk = 1. A is symmetric, without negative eigenvalues; it may be singular.
"""

from dataclasses import dataclass

from gambol.contact.complementarity.linear.pivots import exchanged, one_hot, smallest
from gambol.contact.complementarity.linear.problem import LinearProblem, Solved, answer, is_infinite
from gambol.lanes import Precision, Scalar, clamp, loop, maximum, negated, sqrt, where, working_precision
from gambol.spatial.dense import Numbers, Rows, dot, largest

SMALL: dict[Precision, float] = {"float64": 1e-11, "float32": 1e-5}
"""What counts as 0 of a scaled row: of its answer to the row that is driven, and of w as part of the largest of b."""

BEYOND = 1e30
"""Stands for infinite forces and for steps that nothing stops; finite, since masks are multiplied by it."""

FARTHEST = 1e12
"""Steps of scaled forces beyond this many times the largest of b are steps that nothing stops: rows answer by 1e-11."""


@dataclass(frozen=True, slots=True)
class Driving:
    """Dantzig's method under way: the table, forces, what they leave, 1 for rows of C, the row driven, turns made."""

    T: Rows
    z: Numbers
    w: Numbers
    free: Numbers
    row: Scalar
    turns: Scalar


@dataclass(frozen=True, slots=True)
class Step:
    """How forces and what they leave change as the driven row goes on, and by how much it may.

    hot: 1 for the driven row. length: how far it goes; blocker: the row that stops it, -1 for none; rests: whether it
    comes to w = 0 itself; stays: whether it is not done yet.
    """

    hot: Numbers
    dz: Numbers
    dw: Numbers
    length: Scalar
    blocker: Scalar
    rests: Scalar
    stays: Scalar


def dantzig(problem: LinearProblem, *, most: int | None = None, tolerance: float | None = None) -> Solved:
    """Solve a linear complementarity problem by Dantzig's incremental pivots.

    most: turns, 4 n + 20 unless told. tolerance: as part of b; None takes the precision's. A row that cannot be brought
    where it belongs is left, and the residual tells.
    """
    n = len(problem.b)
    scaled, S = _scaled(problem)
    z = scaled.within([0.0] * n)
    start = Driving(scaled.A, z, scaled.speeds(z), [0.0] * n, 0.0, 0.0)
    limit = float(4 * n + 20 if most is None else most)
    size = largest(scaled.b)

    def unfinished(now: Driving) -> Scalar:
        return (now.row < float(n)) & (now.turns < limit)

    end = loop(unfinished, lambda now: _moved(scaled, now, _step(scaled, now, size)), start)
    return answer(problem, [x * s for x, s in zip(end.z, S, strict=True)], end.turns, tolerance)


def _scaled(problem: LinearProblem) -> tuple[LinearProblem, Numbers]:
    """The problem for z / S, whose diagonal is 1 and whose bounds are finite, and S."""
    S = [1.0 / sqrt(s) for s in problem.scales]
    A = [[x * (s * t) for x, t in zip(row, S, strict=True)] for row, s in zip(problem.A, S, strict=True)]
    low = [-BEYOND if is_infinite(x) else x / s for x, s in zip(problem.low, S, strict=True)]
    high = [BEYOND if is_infinite(x) else x / s for x, s in zip(problem.high, S, strict=True)]
    return LinearProblem(A, [x * s for x, s in zip(problem.b, S, strict=True)], low, high), S


def _step(problem: LinearProblem, now: Driving, size: Scalar) -> Step:
    """Where the driven row goes, and what stops it first; nowhere where it is right already."""
    hot = one_hot(now.row, len(now.z))
    w, z, low, high = (dot(hot, x) for x in (now.w, now.z, problem.low, problem.high))
    level = SMALL[working_precision()] * size
    needed = ((w < -level) & (z < high)) | ((w > level) & (z > low))
    sign = where(w < 0.0, 1.0, -1.0)
    column = [dot(row, hot) * sign for row in now.T]
    dz = [f * c + h * sign for f, c, h in zip(now.free, column, hot, strict=True)]
    dw = [(1.0 - f) * c for f, c in zip(now.free, column, strict=True)]
    own = dot(hot, dw) * sign
    counts = own > SMALL[working_precision()]
    to_rest = where(counts, abs(w) / where(counts, own, 1.0), BEYOND)
    to_bound = where(w < 0.0, high - z, z - low)
    reach = where(to_rest <= to_bound, to_rest, to_bound)
    length, blocker = smallest([_room(problem, now, j, dz[j], dw[j]) for j in range(len(dz))], reach)
    goes = needed & (length < FARTHEST * size)
    blocked = goes & (blocker >= 0.0)
    rests = goes & negated(blocked) & (to_rest <= to_bound)
    return Step(hot, dz, dw, where(goes, length, 0.0), blocker, rests, blocked)


def _room(problem: LinearProblem, now: Driving, j: int, dz: Scalar, dw: Scalar) -> Scalar:
    """How far the driven row may go before a row that is done must change between C and N."""
    small, z, low, high = SMALL[working_precision()], now.z[j], problem.low[j], problem.high[j]
    free, done = now.free[j] > 0.5, now.row > float(j)
    to_bound = where(dz > 0.0, high - z, z - low) / where(abs(dz) > small, abs(dz), 1.0)
    falls, rises = (dw < -small) & (z < high), (dw > small) & (z > low)
    to_rest = maximum(where(falls, now.w[j], -now.w[j]), 0.0) / where(falls | rises, abs(dw), 1.0)
    leaves = done & free & (abs(dz) > small)
    enters = done & negated(free) & (falls | rises) & (now.T[j][j] > small)
    return where(leaves, to_bound, where(enters, to_rest, BEYOND))


def _moved(problem: LinearProblem, now: Driving, step: Step) -> Driving:
    """After a step: forces that met a bound are at it, and what stopped the driven row has changed places."""
    pivot = one_hot(where(step.stays, step.blocker, where(step.rests, now.row, -1.0)), len(now.z))
    arrives = where(step.stays | step.rests | (step.length == 0.0), 0.0, 1.0)
    z: Numbers = []
    for j, (x, d) in enumerate(zip(now.z, step.dz, strict=True)):
        low, high = problem.low[j], problem.high[j]
        at_bound = pivot[j] * now.free[j] + step.hot[j] * arrives > 0.5
        z.append(where(at_bound, where(d > 0.0, high, low), clamp(x + step.length * d, low, high)))
    w = [(x + step.length * d) * (1.0 - p) for x, d, p in zip(now.w, step.dw, pivot, strict=True)]
    free = [f + p - 2.0 * f * p for f, p in zip(now.free, pivot, strict=True)]
    row = now.row + where(step.stays, 0.0, 1.0)
    return Driving(exchanged(now.T, pivot, pivot), z, w, free, row, now.turns + 1.0)

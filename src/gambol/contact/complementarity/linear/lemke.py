"""Complementarity by Lemke's method: an artificial force makes everything feasible, and is driven out by exchanges.

    w = A z + b + d z0        all >= 0, of each pair w_k, z_k at most one not 0        [Cottle, Pang and Stone 1992]

z0 enters first and the row leaves that would become negative; then the complement of the leaving variable enters, and
so on until z0 leaves, or nothing stops the entering variable: then the method has no answer. It finds one for all
contact problems with polyhedral friction on velocities [Stewart and Trinkle 1996], where A is neither symmetric nor
invertible.

Ties could make it cycle. b is therefore perturbed a little for the choice of the leaving row, beside the true b, from
which the answer is taken. Free rows are eliminated beforehand; an upper bound takes a row of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.linear.pivots import exchanged, one_hot, smallest
from gambol.contact.complementarity.linear.problem import LinearProblem, LinearSolution, linear_solution
from gambol.contact.complementarity.linear.reduction import Reduced, reduced
from gambol.lanes import Precision, Scalar, logical_not, loop, maximum, where, working_precision
from gambol.spatial.dense import Numbers, Rows, dot, max_abs

PERTURBATION: dict[Precision, float] = {"float64": 1e-7, "float32": 1e-3}
"""Perturbation of b, as a share of its largest entry: far above rounding, far below what decides between rows."""

SMALL: dict[Precision, float] = {"float64": 1e-10, "float32": 1e-4}
"""Counts as no response of a scaled row to the entering variable."""

GOLDEN_RATIO = 0.6180339887498949
"""Its multiples, less their whole parts, lie apart from each other: the perturbations of the rows."""

NEVER = 1e30


@dataclass(frozen=True, slots=True)
class LemkeState:
    """State of Lemke's method.

    T: the table, whose last three columns are d, b perturbed, and b. rows, columns: their variables: k for w_k, m + k
    for z_k, 2 m for z0. entering: the column that enters, m for z0, -1 when done. iterations: number of exchanges.
    """

    T: Rows
    rows: Numbers
    columns: Numbers
    entering: Scalar
    iterations: Scalar


def lemke(
    problem: LinearProblem, *, max_iterations: int | None = None, tolerance: float | None = None
) -> LinearSolution:
    """Solve a linear complementarity problem by Lemke's complementary pivots; A may be any matrix.

    problem: the problem; max_iterations: exchanges, by default 4 m + 20, m being the number of bounds. tolerance: as a
    share of b; None takes the precision's. Where there is no answer, or none was found in time, the residual shows it.
    """
    simple = reduced(problem)
    m = len(simple.b)
    limit = float(4 * m + 20 if max_iterations is None else max_iterations)

    def not_converged(state: LemkeState) -> Scalar:
        return (state.entering >= 0.0) & (state.iterations < limit)

    start = _start(simple)
    end = loop(not_converged, _exchange, start) if m else start
    values = [row[-1] for row in end.T]
    y = [maximum(_value(end.rows, float(m + k), values), 0.0) for k in range(m)]
    return linear_solution(problem, simple.recovered(y), end.iterations, tolerance)


def _start(simple: Reduced) -> LemkeState:
    """Return the table before anything has entered."""
    m, size = len(simple.b), PERTURBATION[working_precision()] * max_abs(simple.b)
    table: Rows = []
    for k, (row, b) in enumerate(zip(simple.M, simple.b, strict=True)):
        table.append([*row, _covering(k), b + size * _covering(k + len(simple.b)), b])
    labels = [float(k) for k in range(2 * m + 1)]
    return LemkeState(table, labels[:m], labels[m:], float(m), 0.0)


def _covering(k: int) -> float:
    """Return d of row k: between 0.5 and 1.5, and different for each row."""
    return 0.5 + (GOLDEN_RATIO * (k + 1)) % 1.0


def _exchange(state: LemkeState) -> LemkeState:
    """Return the state after one exchange: a column enters, the row leaves that would become negative first."""
    m, small = len(state.T), SMALL[working_precision()]
    first = state.iterations == 0.0
    hot = one_hot(state.entering, m + 1)
    ratios: Numbers = []
    for k, row in enumerate(state.T):
        across, b = dot(row[: m + 1], hot), row[-2]
        stops = (first & (b < 0.0)) | (logical_not(first) & (across < -small))
        ratio = maximum(b, 0.0) / where(across < -small, -across, 1.0)
        ratios.append(where(stops, where(first, b / _covering(k), ratio), NEVER))
    _, leaving = smallest(ratios, NEVER)
    row_hot = one_hot(leaving, m)
    left, entered = dot(state.rows, row_hot), dot(state.columns, hot)
    moved = where(leaving >= 0.0, 1.0, 0.0)
    column_hot = [h * moved for h in hot]
    rows = [r + h * (entered - left) for r, h in zip(state.rows, row_hot, strict=True)]
    columns = [c + h * (left - entered) for c, h in zip(state.columns, column_hot, strict=True)]
    partner = where(left < float(m), left + float(m), left - float(m))
    ends = (leaving < 0.0) | (left == 2.0 * m)
    entering = sum((where(c == partner, float(k), 0.0) for k, c in enumerate(columns)), 0.0)
    T = exchanged(state.T, row_hot, column_hot)
    return LemkeState(T, rows, columns, where(ends, -1.0, entering), state.iterations + 1.0)


def _value(rows: Sequence[Scalar], which: float, values: Sequence[Scalar]) -> Scalar:
    """Return the value of a variable: that of its row, or 0 if it has none."""
    return sum((where(r == which, x, 0.0) for r, x in zip(rows, values, strict=True)), 0.0)

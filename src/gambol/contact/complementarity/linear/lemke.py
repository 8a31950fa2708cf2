"""Complementarity by Lemke's method: an artificial variable makes the start feasible, and exchanges remove it.

    w = A z + b + d z0        all >= 0, of each pair w_k, z_k at most one not 0        [Cottle, Pang and Stone 1992]

z0 enters first, and the variable that would be most negative leaves. Then the complement of the leaving variable
enters, and so on, until z0 leaves; or until no variable blocks the entering one: then the method finds no solution. It
finds one for all contact problems with polyhedral friction on velocities [Stewart and Trinkle 1996], where A is neither
symmetric nor invertible.

Ties could make the method cycle. Therefore a slightly perturbed b chooses the leaving row; the solution is taken from
the true b in another column. Free rows are eliminated beforehand; an upper bound is a separate row.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.linear.pivots import exchanged, one_hot, smallest
from gambol.contact.complementarity.linear.problem import LinearProblem, LinearSolution, linear_solution
from gambol.contact.complementarity.linear.reduction import Reduced, reduced
from gambol.lanes import Precision, Scalar, logical_not, loop, maximum, where, working_precision
from gambol.spatial.dense import Numbers, Rows, dot, max_abs

PERTURBATION: dict[Precision, float] = {"float64": 1e-7, "float32": 1e-3}
"""Perturbation of b divided by its largest entry: far above rounding errors, far below the differences between rows."""

ZERO_TOLERANCE: dict[Precision, float] = {"float64": 1e-10, "float32": 1e-4}
"""Response of a scaled row to the entering variable that counts as 0."""

GOLDEN_RATIO = 0.6180339887498949
"""The golden ratio. Its multiples modulo 1, which are well spread, determine the perturbations of rows."""

UNBLOCKED_RATIO = 1e30  # ratio of a row that does not block


@dataclass(frozen=True, slots=True)
class LemkeState:
    """State of Lemke's method.

    T: the table, whose last three columns are d, the perturbed b, and b. rows, columns: labels of their variables: k
    for w_k, m + k for z_k, 2 m for z0. entering: the column that enters, m for z0, -1 at the end. iterations: number of
    exchanges.
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

    problem: the problem; max_iterations: limit of exchanges, by default 4 m + 20, where m is the number of bounds.
    tolerance: relative to max |b|; None: the default of the precision. If there is no solution, or the limit is
    reached, the residual shows it.
    """
    standard = reduced(problem)
    m = len(standard.b)
    limit = float(4 * m + 20 if max_iterations is None else max_iterations)

    def not_converged(state: LemkeState) -> Scalar:
        return (state.entering >= 0.0) & (state.iterations < limit)

    start = _start(standard)
    end = loop(not_converged, _exchange, start) if m else start
    values = [row[-1] for row in end.T]
    y = [maximum(_value(end.rows, float(m + k), values), 0.0) for k in range(m)]
    return linear_solution(problem, standard.recovered(y), end.iterations, tolerance)


def _start(standard: Reduced) -> LemkeState:
    """Return the state before the first exchange."""
    m, size = len(standard.b), PERTURBATION[working_precision()] * max_abs(standard.b)
    table: Rows = []
    for k, (row, b) in enumerate(zip(standard.M, standard.b, strict=True)):
        table.append([*row, _artificial_coefficient(k), b + size * _artificial_coefficient(k + len(standard.b)), b])
    labels = [float(k) for k in range(2 * m + 1)]
    return LemkeState(table, labels[:m], labels[m:], float(m), 0.0)


def _artificial_coefficient(k: int) -> float:
    """Return d of row k: between 0.5 and 1.5, and different for each row."""
    return 0.5 + (GOLDEN_RATIO * (k + 1)) % 1.0


def _exchange(state: LemkeState) -> LemkeState:
    """Return the state after one exchange: a column enters, and the row that would become negative first leaves."""
    m, small = len(state.T), ZERO_TOLERANCE[working_precision()]
    first = state.iterations == 0.0
    column_indicator = one_hot(state.entering, m + 1)
    ratios: Numbers = []
    for k, row in enumerate(state.T):
        response, b = dot(row[: m + 1], column_indicator), row[-2]
        stops = (first & (b < 0.0)) | (logical_not(first) & (response < -small))
        ratio = maximum(b, 0.0) / where(response < -small, -response, 1.0)
        ratios.append(where(stops, where(first, b / _artificial_coefficient(k), ratio), UNBLOCKED_RATIO))
    _, leaving = smallest(ratios, UNBLOCKED_RATIO)
    row_indicator = one_hot(leaving, m)
    leaving_label, entering_label = dot(state.rows, row_indicator), dot(state.columns, column_indicator)
    exchanges = where(leaving >= 0.0, 1.0, 0.0)
    pivot_column = [h * exchanges for h in column_indicator]
    rows = [r + h * (entering_label - leaving_label) for r, h in zip(state.rows, row_indicator, strict=True)]
    columns = [c + h * (leaving_label - entering_label) for c, h in zip(state.columns, pivot_column, strict=True)]
    complement = where(leaving_label < float(m), leaving_label + float(m), leaving_label - float(m))
    finished = (leaving < 0.0) | (leaving_label == 2.0 * m)
    entering = sum((where(c == complement, float(k), 0.0) for k, c in enumerate(columns)), 0.0)
    T = exchanged(state.T, row_indicator, pivot_column)
    return LemkeState(T, rows, columns, where(finished, -1.0, entering), state.iterations + 1.0)


def _value(rows: Sequence[Scalar], label: float, values: Sequence[Scalar]) -> Scalar:
    """Return the value of the variable with a label: the value of its row, or 0 if it is not in the basis."""
    return sum((where(row_label == label, x, 0.0) for row_label, x in zip(rows, values, strict=True)), 0.0)

"""Complementarity by Lemke's method: one artificial force makes everything feasible, and is driven out by exchanges.

    w = A z + b + d z0        all >= 0, of each pair w_k, z_k at most one not 0        [Cottle, Pang and Stone 1992]

z0 enters first and whatever would become negative leaves; then the partner of what left enters, and so on until z0
leaves, or nothing stops what enters: then the method has no answer. It finds one for all problems of contact with
polyhedral friction on velocities [Stewart and Trinkle 1996], where A is neither symmetric nor invertible.

Ties would let it turn in circles. b is therefore shaken a little for the choice of what leaves, beside the true b, from
which the answer is taken. Free rows are eliminated beforehand; an upper bound takes a row of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.linear.pivots import exchanged, one_hot, smallest
from gambol.contact.complementarity.linear.problem import LinearProblem, Solved, answer
from gambol.contact.complementarity.linear.reduction import Reduced, reduced
from gambol.lanes import Precision, Scalar, loop, maximum, negated, where, working_precision
from gambol.spatial.dense import Numbers, Rows, dot, largest

SHAKEN: dict[Precision, float] = {"float64": 1e-7, "float32": 1e-3}
"""By how much of the largest of b ties are broken: far above rounding, far below what decides between rows."""

SMALL: dict[Precision, float] = {"float64": 1e-10, "float32": 1e-4}
"""What counts as no answer of a scaled row to what enters."""

GOLDEN = 0.6180339887498949
"""Multiples of it, less their whole parts, lie apart from each other: what each row is shaken by."""

NEVER = 1e30


@dataclass(frozen=True, slots=True)
class Exchanging:
    """Lemke's method under way.

    T: the table, whose last three columns are d, b shaken, and b. rows, columns: which variable each stands for: k for
    w_k, m + k for z_k, 2 m for z0. entering: the column that enters, m for z0, -1 when done. turns: exchanges made.
    """

    T: Rows
    rows: Numbers
    columns: Numbers
    entering: Scalar
    turns: Scalar


def lemke(problem: LinearProblem, *, most: int | None = None, tolerance: float | None = None) -> Solved:
    """Solve a linear complementarity problem by Lemke's complementary pivots; A may be any matrix.

    most: exchanges, 4 m + 20 unless told, m being how many bounds there are. tolerance: as part of b; None takes the
    precision's. Where there is no answer, or none was found in time, the residual tells.
    """
    simple = reduced(problem)
    m = len(simple.b)
    limit = float(4 * m + 20 if most is None else most)

    def unfinished(now: Exchanging) -> Scalar:
        return (now.entering >= 0.0) & (now.turns < limit)

    start = _start(simple)
    end = loop(unfinished, _turned, start) if m else start
    values = [row[-1] for row in end.T]
    y = [maximum(_value(end.rows, float(m + k), values), 0.0) for k in range(m)]
    return answer(problem, simple.recovered(y), end.turns, tolerance)


def _start(simple: Reduced) -> Exchanging:
    """The table before anything has entered."""
    m, size = len(simple.b), SHAKEN[working_precision()] * largest(simple.b)
    table: Rows = []
    for k, (row, b) in enumerate(zip(simple.M, simple.b, strict=True)):
        table.append([*row, _cover(k), b + size * _cover(k + len(simple.b)), b])
    labels = [float(k) for k in range(2 * m + 1)]
    return Exchanging(table, labels[:m], labels[m:], float(m), 0.0)


def _cover(k: int) -> float:
    """d of row k: between 0.5 and 1.5, and of no two rows the same."""
    return 0.5 + (GOLDEN * (k + 1)) % 1.0


def _turned(now: Exchanging) -> Exchanging:
    """One exchange: a column enters, the row leaves that would become negative first, and its partner is next."""
    m, small = len(now.T), SMALL[working_precision()]
    first = now.turns == 0.0
    hot = one_hot(now.entering, m + 1)
    ratios: Numbers = []
    for k, row in enumerate(now.T):
        across, b = dot(row[: m + 1], hot), row[-2]
        stops = (first & (b < 0.0)) | (negated(first) & (across < -small))
        ratio = maximum(b, 0.0) / where(across < -small, -across, 1.0)
        ratios.append(where(stops, where(first, b / _cover(k), ratio), NEVER))
    _, leaving = smallest(ratios, NEVER)
    row_hot = one_hot(leaving, m)
    left, entered = dot(now.rows, row_hot), dot(now.columns, hot)
    moved = where(leaving >= 0.0, 1.0, 0.0)
    column_hot = [h * moved for h in hot]
    rows = [r + h * (entered - left) for r, h in zip(now.rows, row_hot, strict=True)]
    columns = [c + h * (left - entered) for c, h in zip(now.columns, column_hot, strict=True)]
    partner = where(left < float(m), left + float(m), left - float(m))
    ends = (leaving < 0.0) | (left == 2.0 * m)
    entering = sum((where(c == partner, float(k), 0.0) for k, c in enumerate(columns)), 0.0)
    T = exchanged(now.T, row_hot, column_hot)
    return Exchanging(T, rows, columns, where(ends, -1.0, entering), now.turns + 1.0)


def _value(rows: Sequence[Scalar], which: float, values: Sequence[Scalar]) -> Scalar:
    """The value of a variable: that of its row, or 0 if it has none."""
    return sum((where(r == which, x, 0.0) for r, x in zip(rows, values, strict=True)), 0.0)

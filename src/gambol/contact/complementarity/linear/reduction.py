"""Reduction of a problem with bounds to a standard LCP: M y + b >= 0, y >= 0, with one of each pair equal to 0.

bounded row     z = base + slope y        slope: + from a lower bound, - from an upper bound, scaled so that A_kk = 1
two bounds      another row: high - low - z >= 0 with the force that holds z at the upper bound
free row        w = 0, solved for its force and eliminated; the force is 0 if the row depends on other free rows
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.linear.pivots import exchanged
from gambol.contact.complementarity.linear.problem import LinearProblem, is_infinite
from gambol.lanes import Scalar, sqrt, where
from gambol.spatial.dense import Numbers, Rows, matvec

DEPENDENCE_TOLERANCE = 1e-9
"""Fraction of a free row's diagonal below which its remainder, after elimination of other free rows, counts as 0."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """A problem w = M y + b with y >= 0 only, and the forces z = base + L y of the original problem."""

    M: Rows
    b: Numbers
    L: Rows
    base: Numbers

    def recovered(self, y: Sequence[Scalar]) -> Numbers:
        """Return the forces of the original problem."""
        return matvec(self.L, y[: len(self.L[0])] if self.L else [], self.base)


def reduced(problem: LinearProblem) -> Reduced:
    """Return the problem reduced to one without free rows and upper bounds."""
    n = len(problem.b)
    free = [k for k in range(n) if is_infinite(problem.low[k]) and is_infinite(problem.high[k])]
    bounded = [k for k in range(n) if k not in free]
    base, slope = _origins(problem)
    signed = [[s * x * t for x, t in zip(row, slope, strict=True)] for row, s in zip(problem.A, slope, strict=True)]
    table = [[*row, s * w] for row, s, w in zip(signed, slope, problem.speeds(base), strict=True)]
    independent: Numbers = [1.0] * n
    for k in free:
        independent[k] = where(table[k][k] > DEPENDENCE_TOLERANCE, 1.0, 0.0)
        indicator = [independent[k] if i == k else 0.0 for i in range(n)]
        table = exchanged(table, indicator, indicator)
    L = [[slope[k] if k == i else 0.0 for i in bounded] for k in range(n)]
    for k in free:
        L[k] = [slope[k] * independent[k] * table[k][i] for i in bounded]
        base[k] = slope[k] * independent[k] * table[k][-1]
    rows = [[table[k][i] for i in bounded] for k in bounded]
    return Reduced(*_with_upper_bounds(problem, bounded, slope, rows, [table[k][-1] for k in bounded]), L, base)


def _origins(problem: LinearProblem) -> tuple[Numbers, Numbers]:
    """Return the base force of each row, and the slope dz/dy there."""
    S = [1.0 / sqrt(s) for s in problem.scales]
    downward = [is_infinite(low) and not is_infinite(high) for low, high in zip(problem.low, problem.high, strict=True)]
    base = [
        high if down else (0.0 if is_infinite(low) else low)
        for down, low, high in zip(downward, problem.low, problem.high, strict=True)
    ]
    return base, [-s if down else s for down, s in zip(downward, S, strict=True)]


def _with_upper_bounds(
    problem: LinearProblem, bounded: Sequence[int], slope: Sequence[Scalar], rows: Rows, b: Numbers
) -> tuple[Rows, Numbers]:
    """Return M and b with a row for the upper bound of every row that has two."""
    doubly_bounded = [
        m for m, k in enumerate(bounded) if not (is_infinite(problem.low[k]) or is_infinite(problem.high[k]))
    ]
    widths = [(problem.high[bounded[m]] - problem.low[bounded[m]]) / slope[bounded[m]] for m in doubly_bounded]
    upper = [[*row, *(1.0 if m == i else 0.0 for i in doubly_bounded)] for m, row in enumerate(rows)]
    lower = [[-1.0 if i == m else 0.0 for i in range(len(b))] + [0.0] * len(doubly_bounded) for m in doubly_bounded]
    return [*upper, *lower], [*b, *widths]

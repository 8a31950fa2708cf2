"""A linearly implicit method of Rosenbrock's kind, with the system's own Jacobian: Rodas3.

    (1 / (g h) - J) K_i = f(t + al_i h, y + sum_j a_ij K_j) + sum_j c_ij K_j / h + ga_i h f_t
    y' = y + sum_j m_j K_j        error = K_4

Order 3, with the difference to an embedded step of order 2 as its error; L-stable, so stiff springs and dampers do not
shorten its steps. Four linear solves with one matrix instead of iterations. Cost: 3 evaluations, one of them with its
Jacobian (by dual numbers, up to 2 nv + 1 directions; column by column where nv is above 24), and an elimination of nv
unknowns: with y = (x, v, w) it is
    ((s - Jvv) - Jvx (s - Jxx)^-1 Jxv) Kv = rv + Jvx (s - Jxx)^-1 rx,        s = 1 / (g h)
[Sandu et al. 1997; Hairer and Wanner 1996, section IV.7]
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.integrate.columns import slopes
from gambol.integrate.elimination import Solver, factored
from gambol.integrate.system import Chart, Moving, Stepped, System
from gambol.lanes import Scalar, jacobian
from gambol.spatial.dense import Numbers, Rows, dot

GAMMA = 1 / 2
A = ((), (0.0,), (2.0, 0.0), (2.0, 0.0, 1.0))
C = ((), (4.0,), (1.0, -1.0), (1.0, -1.0, -8 / 3))
M = (2.0, 0.0, 1.0, 1.0)
ALPHA = (0.0, 0.0, 1.0, 1.0)
TIME = (1 / 2, 3 / 2, 0.0, 0.0)
"""Coefficients of Rodas3. [Sandu et al. 1997, table 3]"""


@dataclass(frozen=True, slots=True)
class Linear:
    """The equations of a step: s, blocks of the Jacobian, and, factored, (s - Jxx) and what is left for v."""

    s: Scalar
    Jxv: list[Numbers]
    Jvx: list[Numbers]
    Jw: list[Numbers]
    turning: Solver
    moving: Solver

    @staticmethod
    def of(rows: Sequence[Numbers], n: int, s: Scalar) -> "Linear":
        """The equations for the rows of a Jacobian of (x, v, w) by (x, v)."""
        Jxx, Jxv = [row[:n] for row in rows[:n]], [row[n : 2 * n] for row in rows[:n]]
        Jvx, Jvv = [row[:n] for row in rows[n : 2 * n]], [row[n : 2 * n] for row in rows[n : 2 * n]]
        turning = factored(_less_than(s, Jxx))
        through = [turning.solve(list(column)) for column in zip(*Jxv, strict=True)]
        rest = [[a + dot(row, column) for a, column in zip(Jvv[i], through, strict=True)] for i, row in enumerate(Jvx)]
        return Linear(s, Jxv, Jvx, [row[: 2 * n] for row in rows[2 * n :]], turning, factored(_less_than(s, rest)))

    def solve(self, r: Numbers) -> Numbers:
        """K of (s - J) K = r."""
        n = len(self.Jvx)
        rx = self.turning.solve(r[:n])
        Kv = self.moving.solve([y + dot(row, rx) for y, row in zip(r[n : 2 * n], self.Jvx, strict=True)])
        Kx = self.turning.solve([y + dot(row, Kv) for y, row in zip(r[:n], self.Jxv, strict=True)])
        known = [*Kx, *Kv]
        return [*known, *((y + dot(row, known)) / self.s for y, row in zip(r[2 * n :], self.Jw, strict=True))]


def rosenbrock(system: System, t: Scalar, now: Moving, h: Scalar) -> Stepped:
    """One linearly implicit step of length h [s] from time t [s]."""
    chart = Chart(system, now)
    n, y = len(now.v), chart.start
    rates, rows = _linearised(chart, t)
    linear = Linear.of(rows, n, 1.0 / (GAMMA * h))
    K: list[Numbers] = []
    for a, c, at, by_time in zip(A, C, ALPHA, TIME, strict=True):
        if any(a):
            rates = chart.rates(t + at * h, _onto(y, a, K))
        r = _onto(rates, [x / h for x in c], K)
        K.append(linear.solve([x + by_time * h * row[-1] for x, row in zip(r, rows, strict=True)]))
    return chart.stepped(_onto(y, M, K), K[-1])


def _linearised(chart: Chart, t: Scalar) -> tuple[Numbers, Rows]:
    """dy/dt at the start of a step, and the rows of its derivatives by x, v and t."""
    n, q = len(chart.origin.v), chart.origin.q
    at = chart.start[: 2 * n]
    moves, turns = jacobian(lambda z: chart.system.unwound(q, z[:n], z[n:]), at)
    rates, others = slopes(lambda z: chart.slope(z[-1], z[:-1]), [*at, t], n)
    return [*moves, *rates], [*([*row, 0.0] for row in turns), *others]


def _onto(y: Numbers, weights: Sequence[Scalar], K: Sequence[Numbers]) -> Numbers:
    return [sum((b * k[i] for b, k in zip(weights, K, strict=True)), x) for i, x in enumerate(y)]


def _less_than(s: Scalar, J: Sequence[Numbers]) -> list[Numbers]:
    """s - J."""
    return [[(s - x if i == j else -x) for j, x in enumerate(row)] for i, row in enumerate(J)]

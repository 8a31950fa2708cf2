"""Rodas3: a Rosenbrock (linearly implicit) method with the exact Jacobian of the system.

    (1 / (g h) - J) K_i = f(t + al_i h, y + sum_j a_ij K_j) + sum_j c_ij K_j / h + ga_i h f_t
    y' = y + sum_j m_j K_j        error = K_4

Order 3, with the difference to an embedded step of order 2 as its error; L-stable, so stiff springs and dampers do not
shorten its steps. Four linear solves with one matrix instead of iterations. Cost: 3 evaluations, one of them with its
Jacobian (by dual numbers, up to 2 nv + 1 directions; column by column where nv is above 24), and a factorisation for nv
unknowns: with y = (x, v, w) it is
    ((s - Jvv) - Jvx (s - Jxx)^-1 Jxv) Kv = rv + Jvx (s - Jxx)^-1 rx,        s = 1 / (g h)
[Sandu et al. 1997; Hairer and Wanner 1996, section IV.7]
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.integrate.columns import value_and_jacobian
from gambol.integrate.elimination import Factors, factorise
from gambol.integrate.system import Chart, MotionState, StepResult, System
from gambol.lanes import Scalar, jacobian
from gambol.spatial.dense import Numbers, Rows, dot

GAMMA = 1 / 2
A = ((), (0.0,), (2.0, 0.0), (2.0, 0.0, 1.0))
C = ((), (4.0,), (1.0, -1.0), (1.0, -1.0, -8 / 3))
M = (2.0, 0.0, 1.0, 1.0)
ALPHA = (0.0, 0.0, 1.0, 1.0)
GAMMA_I = (1 / 2, 3 / 2, 0.0, 0.0)
"""Coefficients g, a_ij, c_ij, m_j, al_i and ga_i of Rodas3. [Sandu et al. 1997, table 3]"""


@dataclass(frozen=True, slots=True)
class StepEquations:
    """The linear equations of a step: s, blocks of the Jacobian, and factors of s - Jxx and of its Schur complement."""

    s: Scalar
    Jxv: list[Numbers]
    Jvx: list[Numbers]
    Jw: list[Numbers]
    position_factors: Factors
    velocity_factors: Factors

    @staticmethod
    def of(rows: Sequence[Numbers], n: int, s: Scalar) -> "StepEquations":
        """Return the equations of a step. rows: Jacobian of y' by (x, v, t); n: length of x; s: 1 / (g h)."""
        Jxx, Jxv = [row[:n] for row in rows[:n]], [row[n : 2 * n] for row in rows[:n]]
        Jvx, Jvv = [row[:n] for row in rows[n : 2 * n]], [row[n : 2 * n] for row in rows[n : 2 * n]]
        position = factorise(_s_minus(s, Jxx))
        columns = [position.solve(list(column)) for column in zip(*Jxv, strict=True)]
        schur = [[a + dot(row, column) for a, column in zip(Jvv[i], columns, strict=True)] for i, row in enumerate(Jvx)]
        Jw = [row[: 2 * n] for row in rows[2 * n :]]
        return StepEquations(s, Jxv, Jvx, Jw, position, factorise(_s_minus(s, schur)))

    def solve(self, r: Numbers) -> Numbers:
        """Return the solution K of (s - J) K = r."""
        n = len(self.Jvx)
        rx = self.position_factors.solve(r[:n])
        Kv = self.velocity_factors.solve([y + dot(row, rx) for y, row in zip(r[n : 2 * n], self.Jvx, strict=True)])
        Kx = self.position_factors.solve([y + dot(row, Kv) for y, row in zip(r[:n], self.Jxv, strict=True)])
        Kxv = [*Kx, *Kv]
        return [*Kxv, *((y + dot(row, Kxv)) / self.s for y, row in zip(r[2 * n :], self.Jw, strict=True))]


def rosenbrock(system: System, t: Scalar, state: MotionState, h: Scalar) -> StepResult:
    """Take a Rodas3 step of length h [s] from time t [s]."""
    chart = Chart(system, state)
    n, y = len(state.v), chart.start
    f, rows = _linearised(chart, t)
    equations = StepEquations.of(rows, n, 1.0 / (GAMMA * h))
    K: list[Numbers] = []
    for a, c, alpha, gamma in zip(A, C, ALPHA, GAMMA_I, strict=True):
        if any(a):
            f = chart.derivatives(t + alpha * h, _plus_weighted(y, a, K))
        r = _plus_weighted(f, [x / h for x in c], K)
        K.append(equations.solve([x + gamma * h * row[-1] for x, row in zip(r, rows, strict=True)]))
    return chart.step_result(_plus_weighted(y, M, K), K[-1])


def _linearised(chart: Chart, t: Scalar) -> tuple[Numbers, Rows]:
    """Return dy/dt at the start of a step, and the rows of its derivatives with respect to x, v and t."""
    n, q = len(chart.origin.v), chart.origin.q
    xv = chart.start[: 2 * n]
    x_dot, x_rows = jacobian(lambda z: chart.system.tangent_rate(q, z[:n], z[n:]), xv)
    vw_dot, vw_rows = value_and_jacobian(lambda z: chart.system_derivatives(z[-1], z[:-1]), [*xv, t], n)
    return [*x_dot, *vw_dot], [*([*row, 0.0] for row in x_rows), *vw_rows]


def _plus_weighted(y: Numbers, weights: Sequence[Scalar], K: Sequence[Numbers]) -> Numbers:
    return [sum((b * k[i] for b, k in zip(weights, K, strict=True)), x) for i, x in enumerate(y)]


def _s_minus(s: Scalar, J: Sequence[Numbers]) -> list[Numbers]:
    """Return s - J, with s times the identity matrix."""
    return [[(s - x if i == j else -x) for j, x in enumerate(row)] for i, row in enumerate(J)]

"""Complementarity by projected Gauss-Seidel: one row after the other, as if it were alone, over and over.

    z_k <- z_k - w_k / A_kk, held within its bounds        [Cottle, Pang and Stone 1992, section 5.2]

Every sweep lowers z.A z / 2 + b.z where A is symmetric and positive or singular, so it can be broken off at any time.
"""

from collections.abc import Sequence

from gambol.contact.complementarity.linear.problem import LinearProblem, Solved, allowed, answer, bounded
from gambol.contact.complementarity.sweeping import Sweeper, swept
from gambol.lanes import Scalar
from gambol.spatial.dense import Numbers, dot


def gauss_seidel(
    problem: LinearProblem, *, start: Sequence[Scalar] | None = None, most: int = 200, tolerance: float | None = None
) -> Solved:
    """Solve a linear complementarity problem by projected Gauss-Seidel sweeps.

    start: forces to begin with, None for none. most: sweeps. tolerance: as part of b; None takes the precision's.
    """
    return _solved(problem, start, most, tolerance, faster=False)


def conjugate_sweeps(
    problem: LinearProblem, *, start: Sequence[Scalar] | None = None, most: int = 200, tolerance: float | None = None
) -> Solved:
    """Solve a linear complementarity problem by Gauss-Seidel sweeps in conjugate directions; as gauss_seidel()."""
    return _solved(problem, start, most, tolerance, faster=True)


def _solved(
    problem: LinearProblem, start: Sequence[Scalar] | None, most: int, tolerance: float | None, *, faster: bool
) -> Solved:
    n, scales = len(problem.b), problem.scales

    def once(z: Numbers) -> Numbers:
        z = list(z)
        for k in range(n):
            w = dot(problem.A[k], z, problem.b[k])
            z[k] = bounded(z[k] - w / scales[k], problem.low[k], problem.high[k])
        return z

    begin = problem.within([0.0] * n if start is None else start)
    sweeper = Sweeper(once, problem.within, scales, 0.1 * allowed(problem.b, tolerance), float(most), faster)
    z, turns = swept(sweeper, begin)
    return answer(problem, z, turns, tolerance)

"""Contacts solved one after the other, over and over: Gauss-Seidel on blocks, with true cones.

Each contact in turn obeys Coulomb's law exactly while the others stay (one_contact.py); other rows go as in projected
Gauss-Seidel. What it converges to is Coulomb's law for all, not an approximation by pyramids or by a law that lets
sliding contacts rise. [Hwangbo et al. 2018; Preclik and Ruede 2015]
"""

from collections.abc import Sequence

from gambol.contact.complementarity.cones.one_contact import STEPS, Give
from gambol.contact.complementarity.cones.problem import Answered, ContactProblem, answered
from gambol.contact.complementarity.linear.problem import allowed, bounded
from gambol.contact.complementarity.sweeping import Sweeper, swept
from gambol.lanes import Scalar
from gambol.spatial import Vector
from gambol.spatial.dense import Numbers, dot


def cone_gauss_seidel(
    problem: ContactProblem, *, start: Sequence[Scalar] | None = None, most: int = 200, tolerance: float | None = None
) -> Answered:
    """Solve contacts with cones by block Gauss-Seidel.

    start: impulses to begin with, None for none. most: sweeps. tolerance: as part of b; None takes the precision's.
    """
    return _solved(problem, start, most, tolerance, faster=False)


def cone_conjugate_sweeps(
    problem: ContactProblem, *, start: Sequence[Scalar] | None = None, most: int = 200, tolerance: float | None = None
) -> Answered:
    """Solve contacts with cones by block Gauss-Seidel in conjugate directions; as cone_gauss_seidel()."""
    return _solved(problem, start, most, tolerance, faster=True)


def _solved(
    problem: ContactProblem, start: Sequence[Scalar] | None, most: int, tolerance: float | None, *, faster: bool
) -> Answered:
    gives, scales = [Give.of(problem.block(i)) for i in problem.contacts], problem.scales

    def once(p: Numbers) -> Numbers:
        p = list(p)
        for i, give, mu in zip(problem.contacts, gives, problem.mu, strict=True):
            w = Vector.of([dot(problem.A[k], p, problem.b[k]) for k in range(i, i + 3)])
            p[i : i + 3] = give.answer(w, mu, Vector.of(p[i : i + 3]), STEPS)
        for k, low, high in zip(problem.others, problem.low, problem.high, strict=True):
            p[k] = bounded(p[k] - dot(problem.A[k], p, problem.b[k]) / scales[k], low, high)
        return p

    begin = problem.within([0.0] * len(problem.b) if start is None else start)
    sweeper = Sweeper(once, problem.within, scales, 0.1 * allowed(problem.b, tolerance), float(most), faster)
    p, turns = swept(sweeper, begin)
    return answered(problem, p, turns, tolerance)

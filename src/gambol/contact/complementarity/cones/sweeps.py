"""Contacts solved one after the other in repeated sweeps: block Gauss-Seidel with true cones.

Each contact in turn is solved exactly by Coulomb's law while the forces of the others are held constant
(one_contact.py); other rows are treated as in projected Gauss-Seidel. It converges to Coulomb's law for all contacts,
not to an approximation by pyramids, or to a law under which sliding contacts separate. [Hwangbo et al. 2018; Preclik
and Ruede 2015]
"""

from collections.abc import Sequence

from gambol.contact.complementarity.cones.one_contact import STEPS, DelassusBlock
from gambol.contact.complementarity.cones.problem import ContactProblem, ContactSolution, contact_solution
from gambol.contact.complementarity.linear.problem import absolute_tolerance, bounded
from gambol.contact.complementarity.sweeping import SweepProblem, repeat_sweeps
from gambol.lanes import Scalar
from gambol.spatial import Vector
from gambol.spatial.dense import Numbers, dot


def cone_gauss_seidel(
    problem: ContactProblem,
    *,
    start: Sequence[Scalar] | None = None,
    max_iterations: int = 200,
    tolerance: float | None = None,
) -> ContactSolution:
    """Solve contacts with cones by block Gauss-Seidel.

    problem: the problem; start: initial impulses, None for 0. max_iterations: limit of sweeps. tolerance: tolerance of
    the residual, as a fraction of the largest |b|; None: the default of the precision.
    """
    return _solve(problem, start, max_iterations, tolerance, conjugate=False)


def cone_conjugate_sweeps(
    problem: ContactProblem,
    *,
    start: Sequence[Scalar] | None = None,
    max_iterations: int = 200,
    tolerance: float | None = None,
) -> ContactSolution:
    """Solve contacts with cones by block Gauss-Seidel in conjugate directions.

    Arguments: as for cone_gauss_seidel().
    """
    return _solve(problem, start, max_iterations, tolerance, conjugate=True)


def _solve(
    problem: ContactProblem,
    start: Sequence[Scalar] | None,
    max_iterations: int,
    tolerance: float | None,
    *,
    conjugate: bool,
) -> ContactSolution:
    blocks, scales = [DelassusBlock.of(problem.block(i)) for i in problem.contacts], problem.scales

    def sweep(p: Numbers) -> Numbers:
        p = list(p)
        for i, block, mu in zip(problem.contacts, blocks, problem.mu, strict=True):
            w = Vector.of([dot(problem.A[k], p, problem.b[k]) for k in range(i, i + 3)])
            p[i : i + 3] = block.solve(w, mu, Vector.of(p[i : i + 3]), STEPS)
        for k, low, high in zip(problem.others, problem.low, problem.high, strict=True):
            p[k] = bounded(p[k] - dot(problem.A[k], p, problem.b[k]) / scales[k], low, high)
        return p

    initial = problem.project([0.0] * len(problem.b) if start is None else start)
    sweep_problem = SweepProblem(
        sweep, problem.project, scales, 0.1 * absolute_tolerance(problem.b, tolerance), float(max_iterations), conjugate
    )
    p, sweeps = repeat_sweeps(sweep_problem, initial)
    return contact_solution(problem, p, sweeps, tolerance)

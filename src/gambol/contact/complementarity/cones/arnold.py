"""Static contacts by Arnold's iteration: each iteration adds a force to the contact that approaches fastest.

    k = the contact with the most negative u_z        p_k += the impulse by which k alone obeys Coulomb's law

[Arnold 1997, section 2.4.4]. The iteration fails in two ways, and the residual shows both. Forces are never removed, so
a contact keeps its force even if later forces separate it. And the force on one contact may make another contact
approach, so that the iteration may not end, as the thesis says; there is a limit of iterations. The iteration is meant
for one static contact, and available for comparison: methods.py refuses it for any other problem.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.cones.one_contact import one_contact
from gambol.contact.complementarity.cones.problem import ContactProblem, ContactSolution, contact_solution
from gambol.contact.complementarity.linear.pivots import one_hot, selected_row, smallest
from gambol.contact.complementarity.linear.problem import absolute_tolerance
from gambol.lanes import Scalar, loop
from gambol.spatial import Matrix, Vector
from gambol.spatial.dense import Numbers, dot


@dataclass(frozen=True, slots=True)
class ArnoldState:
    """State: forces, velocities under them, the contact that approaches fastest or -1, and number of iterations."""

    p: Numbers
    u: Numbers
    worst: Scalar
    iterations: Scalar


def arnold(problem: ContactProblem, *, max_iterations: int = 200, tolerance: float | None = None) -> ContactSolution:
    """Solve static contacts by adding forces to the fastest approaching contact; other rows get no force.

    problem: the problem; max_iterations: limit of forces added. tolerance: relative to max |b|; None: the default of
    the precision.
    """
    k, threshold = len(problem.mu), absolute_tolerance(problem.b, tolerance)
    blocks = [[x for row in problem.block(i).rows for x in row] for i in problem.contacts]

    def worst(u: Sequence[Scalar]) -> Scalar:
        return smallest([u[i + 2] for i in problem.contacts], -threshold)[1]

    def add_force(state: ArnoldState) -> ArnoldState:
        indicator = one_hot(state.worst, k)
        D = selected_row(indicator, blocks)
        w = Vector.of([dot(indicator, state.u[axis : 3 * k : 3]) for axis in range(3)])
        added = one_contact(w, Matrix.of([D[0:3], D[3:6], D[6:9]]), dot(indicator, problem.mu), Vector(0.0, 0.0, 0.0))
        p = list(state.p)
        for i, h in zip(problem.contacts, indicator, strict=True):
            p[i : i + 3] = [x + h * y for x, y in zip(p[i : i + 3], added, strict=True)]
        u = problem.speeds(p)
        return ArnoldState(p, u, worst(u), state.iterations + 1.0)

    def not_converged(state: ArnoldState) -> Scalar:
        return (state.worst >= 0.0) & (state.iterations < float(max_iterations))

    zeros: Numbers = [0.0] * len(problem.b)
    end = loop(not_converged, add_force, ArnoldState(zeros, list(problem.b), worst(problem.b), 0.0))
    return contact_solution(problem, end.p, end.iterations, tolerance)

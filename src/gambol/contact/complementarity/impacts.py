"""Simultaneous impacts at all contacts of a figure, from conditions on the velocities after them.

    u+ = A p + u-        0 <= u+_z + e min(u-_z, 0) with 0 <= p_z, one of them 0; Coulomb friction for u+

[Baraff 1989; Patil 2007]: Newton's law of restitution for all contacts at once. With friction or between several
contacts this law can add energy; the change of energy is returned. contact/impulse has laws that never add any.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.cones.problem import ContactProblem
from gambol.contact.complementarity.methods import solver
from gambol.contact.complementarity.resting import ContactSet, force_bounds
from gambol.contact.complementarity.supports import response
from gambol.dynamics.kinematics import Kinematics
from gambol.lanes import Scalar, minimum
from gambol.spatial import Vector
from gambol.spatial.dense import Numbers, dot, matvec


@dataclass(frozen=True, slots=True)
class ImpactSolution:
    """Impulses of contacts, and the motion of the figure after them.

    impulses: impulses of each contact on its link, in world axes [N s]; limits, loops: impulses along their rows [N s
    or N m s]. v: joint velocities after the impact (nv). energy: change of kinetic energy by the impact [J]. residual
    [m/s], converged: results of the solver.
    """

    impulses: list[Vector]
    limits: Numbers
    loops: Numbers
    v: Numbers
    energy: Scalar
    residual: Scalar
    converged: Scalar


def simultaneous_impact(state: Kinematics, constraints: ContactSet, method: str = "newton") -> ImpactSolution:
    """Return the impulses that stop the approach of all contacts of a figure at once.

    state: state of the figure before; constraints: contacts, limits and loops; method: a key of SOLVERS. Contacts that
    already separate get no impulse unless others make them approach. Raises GambolError for an unknown method.
    """
    solve = solver(method, len(constraints.contacts), len(constraints.limits) + len(constraints.loops))
    system = response(state, constraints.contacts, constraints.limits, constraints.loops)
    before = [row.speed for row in system.rows]
    low, high = force_bounds(len(constraints.limits), len(constraints.loops))
    mus = [contact.mu for contact in constraints.contacts]
    b_target = _with_restitution(before, constraints)
    solution = solve(ContactProblem(system.A, b_target, mus, low, high))
    p = solution.p
    after = matvec(system.A, p, before)
    energy = 0.5 * dot(p, [x + y for x, y in zip(before, after, strict=True)])
    first_limit, first_loop = 3 * len(constraints.contacts), 3 * len(constraints.contacts) + len(constraints.limits)
    v = system.velocity_after(state.v, p)
    return ImpactSolution(
        system.contact_forces(p),
        p[first_limit:first_loop],
        p[first_loop:],
        v,
        energy,
        solution.residual,
        solution.converged,
    )


def _with_restitution(before: Sequence[Scalar], constraints: ContactSet) -> Numbers:
    """Return velocities without impulses, lowered by the rebound speeds of the rows that approach.

    before: speeds along rows before the impact; constraints: contacts, limits and loops.
    """
    b_target = list(before)
    for k, contact in enumerate(constraints.contacts):
        b_target[3 * k + 2] = before[3 * k + 2] + contact.restitution * minimum(before[3 * k + 2], 0.0)
    for m, limit in enumerate(constraints.limits, start=3 * len(constraints.contacts)):
        b_target[m] = before[m] + limit.restitution * minimum(before[m], 0.0)
    return b_target

"""Simultaneous impacts at all contacts of a figure, from conditions on the velocities after them.

    u+ = A p + u-        0 <= u+_z + e min(u-_z, 0) with 0 <= p_z, one of them 0; friction as Coulomb says of u+

[Baraff 1989; Patil 2007]: Newton's law of restitution for every contact, all of them simultaneous. With friction or
between several contacts this law can add energy; the change of energy is returned. contact/impulse has laws that
never add any.
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

    impulses: of each support on its link, in world axes [N s]; limits, loops: along their rows [N s or N m s]. v: joint
    velocities after (nv). energy: change of kinetic energy by the impact [J]. residual [m/s] and converged: of the
    solver.
    """

    impulses: list[Vector]
    limits: Numbers
    loops: Numbers
    v: Numbers
    energy: Scalar
    residual: Scalar
    converged: Scalar


def simultaneous_impact(state: Kinematics, contacts: ContactSet, method: str = "newton") -> ImpactSolution:
    """Return the impulses that stop the approach of all contacts of a figure at once.

    state: of the figure before; contacts: supports, limits and loops; method: a key of SOLVERS. Contacts that separate
    already get none unless others press them in. Raises GambolError for an unknown method.
    """
    solve = solver(method, len(contacts.supports), len(contacts.limits) + len(contacts.loops))
    system = response(state, contacts.supports, contacts.limits, contacts.loops)
    before = [row.speed for row in system.rows]
    low, high = force_bounds(len(contacts.limits), len(contacts.loops))
    mus = [support.mu for support in contacts.supports]
    b_target = _with_restitution(before, contacts)
    solution = solve(ContactProblem(system.A, b_target, mus, low, high))
    p = solution.p
    after = matvec(system.A, p, before)
    energy = 0.5 * dot(p, [x + y for x, y in zip(before, after, strict=True)])
    a, b = 3 * len(contacts.supports), 3 * len(contacts.supports) + len(contacts.limits)
    v = system.velocity_after(state.v, p)
    return ImpactSolution(system.support_forces(p), p[a:b], p[b:], v, energy, solution.residual, solution.converged)


def _with_restitution(before: Sequence[Scalar], contacts: ContactSet) -> Numbers:
    """Return velocities without impulses, less the rebound speeds of rows that approach."""
    b_target = list(before)
    for k, support in enumerate(contacts.supports):
        b_target[3 * k + 2] = before[3 * k + 2] + support.restitution * minimum(before[3 * k + 2], 0.0)
    for m, stop in enumerate(contacts.limits, start=3 * len(contacts.supports)):
        b_target[m] = before[m] + stop.restitution * minimum(before[m], 0.0)
    return b_target

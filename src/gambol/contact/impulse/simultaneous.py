"""Simultaneous collisions by Newton's law, limited to the energy there is; of all contacts, or of those that approach.

    0 <= u'_z + e min(u_z, 0) with 0 <= p_z, one of them 0; friction as Coulomb says of u'        [Moreau 1988]

At once, contacts that do not approach hold their own. By reflection only those that approach take part; contacts that
are pressed in take part in another pass, until nothing approaches. Without friction a pass is p = (1 + e) lambda, where
lambda stops the approach: a reflection [Smith et al. 2012], which changes the energy by -(1 - e^2) lambda . A lambda
/ 2. Friction, or different e, may couple contacts so that this law raises the energy. Restitution is then reduced to
what the energy allows, between the plastic impact, which never raises it, and the full one.
"""

from dataclasses import dataclass

from gambol.contact.complementarity.cones import ContactSolution
from gambol.contact.complementarity.methods import ConeSolver, solver
from gambol.contact.impulse.several import Collisions, Impacts, limit_energy
from gambol.lanes import Scalar, clamp, loop, maximum, minimum, where
from gambol.spatial.dense import Numbers, Rows, matvec

MAX_PASSES = 40
"""Reflections in all. Those of balls in a row are about as many as balls."""


def at_once(collisions: Collisions, method: str = "newton", *, restrain: bool = True) -> Impacts:
    """Return the impacts of contacts and limits that collide all at once, each by Newton's law of restitution.

    collisions: contacts and limits; method: cone solver, a key of contact.complementarity.SOLVERS. restrain: reduce
    restitution to what the energy allows; without it the law holds, whatever the energy. Raises GambolError for an
    unknown method.
    """
    find = solver(method, len(collisions.mu), len(collisions.u) - 3 * len(collisions.mu))
    plastic, elastic = _impacts(collisions, find, collisions.A, collisions.u)
    p = limit_energy(collisions.A, collisions.u, plastic.p, elastic.p) if restrain else elastic.p
    return collisions.outcome(p, plastic.iterations + elastic.iterations, maximum(plastic.residual, elastic.residual))


def _impacts(collisions: Collisions, find: ConeSolver, A: Rows, u: Numbers) -> tuple[ContactSolution, ContactSolution]:
    """Return the solutions without restitution, and with it."""
    u_target = list(u)
    for row, e in zip(collisions.normals, collisions.e, strict=True):
        u_target[row] = u[row] + clamp(e, 0.0, 1.0) * minimum(u[row], 0.0)
    return find(collisions.problem(A, u)), find(collisions.problem(A, u_target))


@dataclass(frozen=True, slots=True)
class ReflectionState:
    """State: impulses so far, velocities, the fastest approach, violation by a solver, and number of passes."""

    p: Numbers
    u: Numbers
    approach: Scalar
    violation: Scalar
    passes: Scalar


def by_reflection(collisions: Collisions, method: str = "newton", max_passes: int = MAX_PASSES) -> Impacts:
    """Return the impacts of approaching contacts that collide at once, repeated until nothing approaches.

    collisions: contacts and limits; method: cone solver, a key of contact.complementarity.SOLVERS; max_passes: at most.
    The energy never rises. Raises GambolError for an unknown method.
    """
    find, slack = solver(method, len(collisions.mu), len(collisions.u) - 3 * len(collisions.mu)), collisions.slack

    def not_converged(state: ReflectionState) -> Scalar:
        return (state.passes < float(max_passes)) & (state.approach > slack)

    def reflected(state: ReflectionState) -> ReflectionState:
        A, u = _approaching(collisions, state.u)
        plastic, elastic = _impacts(collisions, find, A, u)
        push = limit_energy(collisions.A, state.u, plastic.p, elastic.p)
        p = [x + y for x, y in zip(state.p, push, strict=True)]
        after, violation = matvec(collisions.A, push, state.u), maximum(plastic.residual, elastic.residual)
        return ReflectionState(
            p, after, _fastest(collisions, after), maximum(state.violation, violation), state.passes + 1.0
        )

    start = ReflectionState([0.0] * len(collisions.u), collisions.u, _fastest(collisions, collisions.u), 0.0, 0.0)
    end = loop(not_converged, reflected, start)
    return collisions.outcome(end.p, end.passes, end.violation)


def _fastest(collisions: Collisions, u: Numbers) -> Scalar:
    """Return the fastest approach of all [m/s], 0 or less where there is none."""
    fastest: Scalar = -1e30
    for row in collisions.normals:
        fastest = maximum(-u[row], fastest)
    return fastest


def _approaching(collisions: Collisions, u: Numbers) -> tuple[Rows, Numbers]:
    """Return A and u without the contacts that do not approach: these are at rest and decoupled from the others."""
    k, slack = len(collisions.mu), collisions.slack
    approaches = [where(u[row] < -slack, 1.0, 0.0) for row in collisions.normals]
    of = [i // 3 if i < 3 * k else i - 2 * k for i in range(len(u))]
    A = [
        [x if of[i] == of[j] else approaches[of[i]] * approaches[of[j]] * x for j, x in enumerate(row)]
        for i, row in enumerate(collisions.A)
    ]
    return A, [approaches[of[i]] * x for i, x in enumerate(u)]

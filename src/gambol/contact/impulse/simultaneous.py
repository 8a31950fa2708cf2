"""Simultaneous collisions by Newton's law of restitution, with a limit that keeps the energy from rising.

    0 <= u'_z + e min(u_z, 0) with 0 <= p_z, one of them 0; Coulomb friction for u'        [Moreau 1988]

simultaneous_impacts() solves this once for all contacts; contacts that do not approach before do not approach
afterwards. reflection_impacts() solves it for the approaching contacts only. Their impulses may make other contacts
approach, so this is repeated until no contact approaches. Without friction a pass is p = (1 + e) lambda, where lambda
stops the approach: a reflection [Smith et al. 2012], which changes the energy by -(1 - e^2) lambda . A lambda / 2.

Friction, or different e, may couple contacts so that this law raises the energy. The impulse is then a weighted mean of
the full impulse and the plastic one (e = 0), which never raises the energy.
"""

from dataclasses import dataclass
from functools import partial

from gambol.contact.complementarity.cones import ContactSolution
from gambol.contact.complementarity.methods import ConeSolver, solver
from gambol.contact.impulse.several import Collisions, Impacts, limit_energy
from gambol.lanes import Scalar, clamp, loop, maximum, minimum, where
from gambol.spatial.dense import Numbers, Rows, matvec

MAX_PASSES = 40
"""Limit of passes. A row of n balls takes about n passes."""


def simultaneous_impacts(collisions: Collisions, method: str = "newton", *, limit: bool = True) -> Impacts:
    """Return the impacts of contacts and limits that all collide at once, each by Newton's law of restitution.

    collisions: contacts and limits; method: cone solver, a key of contact.complementarity.SOLVERS; limit: True to
    reduce restitution if the energy would rise; if False, Newton's law always holds. Raises GambolError for an unknown
    method.
    """
    solve = solver(method, len(collisions.mu), len(collisions.u) - 3 * len(collisions.mu))
    plastic, elastic = _impacts(collisions, solve, collisions.A, collisions.u)
    p = limit_energy(partial(matvec, collisions.A), collisions.u, plastic.p, elastic.p) if limit else elastic.p
    return collisions.outcome(p, plastic.iterations + elastic.iterations, maximum(plastic.residual, elastic.residual))


def _impacts(collisions: Collisions, solve: ConeSolver, A: Rows, u: Numbers) -> tuple[ContactSolution, ContactSolution]:
    """Return the solution without restitution, and the solution with it."""
    u_target = list(u)
    for row, e in zip(collisions.normals, collisions.e, strict=True):
        u_target[row] = u[row] + clamp(e, 0.0, 1.0) * minimum(u[row], 0.0)
    return solve(collisions.problem(A, u)), solve(collisions.problem(A, u_target))


@dataclass(frozen=True, slots=True)
class ReflectionState:
    """State: impulses so far, velocities, fastest approach, largest violation by the solver, and number of passes."""

    p: Numbers
    u: Numbers
    approach: Scalar
    violation: Scalar
    passes: Scalar


def reflection_impacts(collisions: Collisions, method: str = "newton", max_passes: int = MAX_PASSES) -> Impacts:
    """Return the impacts of approaching contacts that collide at once, repeated until nothing approaches.

    collisions: contacts and limits; method: cone solver, a key of contact.complementarity.SOLVERS; max_passes: limit of
    passes. The energy never rises. Raises GambolError for an unknown method.
    """
    solve, tolerance = solver(method, len(collisions.mu), len(collisions.u) - 3 * len(collisions.mu)), collisions.slack

    def not_converged(state: ReflectionState) -> Scalar:
        return (state.passes < float(max_passes)) & (state.approach > tolerance)

    def reflected(state: ReflectionState) -> ReflectionState:
        A, u = _approaching_only(collisions, state.u)
        plastic, elastic = _impacts(collisions, solve, A, u)
        impulse = limit_energy(partial(matvec, collisions.A), state.u, plastic.p, elastic.p)
        p = [x + y for x, y in zip(state.p, impulse, strict=True)]
        after, violation = matvec(collisions.A, impulse, state.u), maximum(plastic.residual, elastic.residual)
        return ReflectionState(
            p, after, _fastest_approach(collisions, after), maximum(state.violation, violation), state.passes + 1.0
        )

    start = ReflectionState(
        [0.0] * len(collisions.u), collisions.u, _fastest_approach(collisions, collisions.u), 0.0, 0.0
    )
    end = loop(not_converged, reflected, start)
    return collisions.outcome(end.p, end.passes, end.violation)


def _fastest_approach(collisions: Collisions, u: Numbers) -> Scalar:
    """Return the fastest approach of all [m/s], 0 or less where there is none."""
    fastest: Scalar = -1e30
    for row in collisions.normals:
        fastest = maximum(-u[row], fastest)
    return fastest


def _approaching_only(collisions: Collisions, u: Numbers) -> tuple[Rows, Numbers]:
    """Return A and u with the contacts that do not approach at rest, and decoupled from the others."""
    k, tolerance = len(collisions.mu), collisions.slack
    approaches = [where(u[row] < -tolerance, 1.0, 0.0) for row in collisions.normals]
    contact_of_row = [i // 3 if i < 3 * k else i - 2 * k for i in range(len(u))]
    A = [
        [
            x
            if contact_of_row[i] == contact_of_row[j]
            else approaches[contact_of_row[i]] * approaches[contact_of_row[j]] * x
            for j, x in enumerate(row)
        ]
        for i, row in enumerate(collisions.A)
    ]
    return A, [approaches[contact_of_row[i]] * x for i, x in enumerate(u)]

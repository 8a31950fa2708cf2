"""Collisions of all contacts at once by Newton's law, held to the energy there is; of all, or of those that approach.

    0 <= u'_z + e min(u_z, 0) with 0 <= p_z, one of them 0; friction as Coulomb says of u'        [Moreau 1988]

At once, contacts that do not approach hold their own. By reflection only those that approach take part; what they then
press in takes part in another pass, until nothing approaches. Without friction a pass is p = (1 + e) lambda, where
lambda stops what approaches: a reflection [Smith et al. 2012], which changes the energy by -(1 - e^2) lambda . A lambda
/ 2. Friction, or different e, may couple contacts so that this law raises the energy. Restitution is then held to what
the energy allows, between the plastic impact, which never raises it, and the full one.
"""

from dataclasses import dataclass

from gambol.contact.complementarity.cones import Answered
from gambol.contact.complementarity.methods import ConeSolver, solver
from gambol.contact.impulse.several import Blows, Impacts, restrained
from gambol.lanes import Scalar, clamp, loop, maximum, minimum, where
from gambol.spatial.dense import Numbers, Rows, applied

MOST_PASSES = 40
"""Reflections in all. Those of balls in a row are about as many as balls."""


def at_once(blows: Blows, method: str = "newton", *, restrain: bool = True) -> Impacts:
    """Let contacts and stops collide all at once, each by Newton's law of restitution.

    method: how cones are solved, a key of contact.complementarity.SOLVERS. restrain: hold restitution to what the
    energy allows; without it this is what the law says, energy or not. Raises GambolError for an unknown method.
    """
    find = solver(method, len(blows.mu), len(blows.u) - 3 * len(blows.mu))
    plastic, full = _impacts(blows, find, blows.A, blows.u)
    p = restrained(blows.A, blows.u, plastic.p, full.p) if restrain else full.p
    return blows.after(p, plastic.turns + full.turns, maximum(plastic.residual, full.residual))


def _impacts(blows: Blows, find: ConeSolver, A: Rows, u: Numbers) -> tuple[Answered, Answered]:
    """Without restitution, and with it."""
    aimed = list(u)
    for row, e in zip(blows.normals, blows.e, strict=True):
        aimed[row] = u[row] + clamp(e, 0.0, 1.0) * minimum(u[row], 0.0)
    return find(blows.problem(A, u)), find(blows.problem(A, aimed))


@dataclass(frozen=True, slots=True)
class Passing:
    """Impulses so far, velocities now, the fastest approach, how far a solver failed, and passes made."""

    p: Numbers
    u: Numbers
    approach: Scalar
    failing: Scalar
    passes: Scalar


def by_reflection(blows: Blows, method: str = "newton", most: int = MOST_PASSES) -> Impacts:
    """Let what approaches collide at once, as if alone, again until nothing approaches.

    method: how cones are solved, a key of contact.complementarity.SOLVERS; most: passes. The energy never rises.
    Raises GambolError for an unknown method.
    """
    find, slack = solver(method, len(blows.mu), len(blows.u) - 3 * len(blows.mu)), blows.slack

    def unfinished(now: Passing) -> Scalar:
        return (now.passes < float(most)) & (now.approach > slack)

    def reflected(now: Passing) -> Passing:
        A, u = _approaching(blows, now.u)
        plastic, full = _impacts(blows, find, A, u)
        push = restrained(blows.A, now.u, plastic.p, full.p)
        p = [x + y for x, y in zip(now.p, push, strict=True)]
        after, failing = applied(blows.A, push, now.u), maximum(plastic.residual, full.residual)
        return Passing(p, after, _fastest(blows, after), maximum(now.failing, failing), now.passes + 1.0)

    start = Passing([0.0] * len(blows.u), blows.u, _fastest(blows, blows.u), 0.0, 0.0)
    end = loop(unfinished, reflected, start)
    return blows.after(end.p, end.passes, end.failing)


def _fastest(blows: Blows, u: Numbers) -> Scalar:
    """The fastest approach of all [m/s], 0 or less where there is none."""
    fastest: Scalar = -1e30
    for row in blows.normals:
        fastest = maximum(-u[row], fastest)
    return fastest


def _approaching(blows: Blows, u: Numbers) -> tuple[Rows, Numbers]:
    """A and u with all that does not approach left out: at rest, and out of reach of the others."""
    k, slack = len(blows.mu), blows.slack
    meets = [where(u[row] < -slack, 1.0, 0.0) for row in blows.normals]
    of = [i // 3 if i < 3 * k else i - 2 * k for i in range(len(u))]
    A = [
        [x if of[i] == of[j] else meets[of[i]] * meets[of[j]] * x for j, x in enumerate(row)]
        for i, row in enumerate(blows.A)
    ]
    return A, [meets[of[i]] * x for i, x in enumerate(u)]

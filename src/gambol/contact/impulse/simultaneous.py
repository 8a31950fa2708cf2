"""Collisions of all contacts at once: Newton's law for each of them, and reflections that never raise the energy.

    newton       0 <= u'_z + e min(u_z, 0) with 0 <= p_z, one of them 0; friction as Coulomb says of u'   [Moreau 1988]
    reflection   p = (1 + e) lambda, where lambda stops what approaches; again while anything does   [Smith et al. 2012]

Newton's law may raise the energy where friction or different e couple the contacts; its restitution is then held to
what the energy allows, between the plastic impact, which never raises it, and the full one. A reflection with one e
changes the energy by (1 + e) lambda . u' - (1 - e^2) lambda . A lambda / 2, u' being what lambda leaves, and neither
term is above 0: e of the whole, whatever friction does. Where each e is another, it is held in the same way.
"""

from dataclasses import dataclass

from gambol.contact.complementarity.methods import solver
from gambol.contact.impulse.several import Blows, Impacts, restrained
from gambol.lanes import Scalar, loop, maximum, minimum, where
from gambol.spatial.dense import Numbers, Rows, applied

MOST_PASSES = 40
"""Reflections in all. Those of balls in a row are about as many as balls."""


def at_once(blows: Blows, method: str = "newton", *, restrain: bool = True) -> Impacts:
    """Let contacts and stops collide all at once, each by Newton's law of restitution.

    method: how cones are solved, a key of contact.complementarity.SOLVERS. restrain: hold restitution to what the
    energy allows; without it this is what the law says, energy or not. Raises GambolError for an unknown method.
    """
    find = solver(method)
    plastic = find(blows.problem(blows.A, blows.u))
    aimed = list(blows.u)
    for row in blows.normals:
        aimed[row] = aimed[row] + blows.returns[row] * minimum(blows.u[row], 0.0)
    full = find(blows.problem(blows.A, aimed))
    p = restrained(blows.A, blows.u, plastic.p, full.p) if restrain else full.p
    return blows.after(p, plastic.turns + full.turns, maximum(plastic.residual, full.residual))


@dataclass(frozen=True, slots=True)
class Passing:
    """Impulses so far, velocities now, the fastest approach, how far a solver failed, and passes made."""

    p: Numbers
    u: Numbers
    approach: Scalar
    failing: Scalar
    passes: Scalar


def by_reflection(blows: Blows, method: str = "newton", most: int = MOST_PASSES) -> Impacts:
    """Let what approaches be stopped at once and thrown back by e of that impulse, again until nothing approaches.

    method: how cones are solved, a key of contact.complementarity.SOLVERS; most: passes. The energy never rises.
    Raises GambolError for an unknown method.
    """
    find, slack = solver(method), blows.slack

    def unfinished(now: Passing) -> Scalar:
        return (now.passes < float(most)) & (now.approach > slack)

    def reflected(now: Passing) -> Passing:
        A, u = _approaching(blows, now.u)
        stopped = find(blows.problem(A, u))
        thrown = [(1.0 + e) * x for e, x in zip(blows.returns, stopped.p, strict=True)]
        push = restrained(blows.A, now.u, stopped.p, thrown)
        p = [x + y for x, y in zip(now.p, push, strict=True)]
        after = applied(blows.A, push, now.u)
        return Passing(p, after, _fastest(blows, after), maximum(now.failing, stopped.residual), now.passes + 1.0)

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

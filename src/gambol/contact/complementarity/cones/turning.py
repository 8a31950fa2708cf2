"""Contacts with cones by Dantzig's method: boxes of friction that turn until the force lies along one of their axes.

    |p_x|, |p_y| <= mu p_z of the round before, in axes of which x lies along p_t of the round before
    u_y = -s p_y                                s = |u_t| / |p_t| of the round before, 0 where the contact stuck

Where the rounds settle, p_y is 0 and the law is that of the cone. The second line, which makes A_yy larger by s, is
what Coulomb's law says of a small turn of the direction of slip; without it rounds turn too far and never settle. For
redundant contacts A is softened towards the p of the round before; otherwise they pass their load to and fro.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.cones.problem import Answered, ContactProblem, answered, failing
from gambol.contact.complementarity.linear.dantzig import dantzig
from gambol.contact.complementarity.linear.problem import LinearProblem, Solved, allowed
from gambol.lanes import Scalar, loop, maximum, sqrt, where
from gambol.spatial.dense import Numbers, Rows, applied, largest, times, transposed

SOFTNESS = 0.01
"""Part of each row's own give by which A is softened: rounds settle fastest with it (docs/decisions/012)."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round of boxes: impulses, by which velocity the cone's law fails there, and pivots and rounds made."""

    p: Numbers
    residual: Scalar
    turns: Scalar
    rounds: Scalar


def turning_dantzig(
    problem: ContactProblem, *, start: Sequence[Scalar] | None = None, most: int = 30, tolerance: float | None = None
) -> Answered:
    """Solve contacts with cones by rounds of Dantzig's method on boxes of friction that turn with it.

    start: impulses to begin with; None takes those without friction. most: rounds. tolerance: as part of b; None takes
    the precision's. turns of what is answered are pivots. The rounds need not settle; the residual tells.
    """
    enough = 0.1 * allowed(problem.b, tolerance)
    smooth = _linear(problem, [0.0] * len(problem.b))
    begin = Round(dantzig(smooth).z if start is None else list(start), 1.0, 0.0, 0.0)

    def unfinished(now: Round) -> Scalar:
        return (now.rounds < float(most)) & ((now.residual > enough) | (now.rounds < 1.0))

    def once(now: Round) -> Round:
        solved = _boxed(problem, now.p)
        p = _clipped(problem, solved.z)
        residual = largest(failing(problem, p, problem.speeds(p)))
        return Round(p, residual, now.turns + solved.turns, now.rounds + 1.0)

    end = loop(unfinished, once, begin)
    return answered(problem, end.p, end.turns, tolerance)


def _linear(problem: ContactProblem, sizes: Sequence[Scalar]) -> LinearProblem:
    """The problem with friction between -size and size along both axes of each contact."""
    low, high = list(problem.b), list(problem.b)
    for i in problem.contacts:
        low[i : i + 3], high[i : i + 3] = [-sizes[i], -sizes[i], 0.0], [sizes[i], sizes[i], math.inf]
    low[3 * len(problem.mu) :], high[3 * len(problem.mu) :] = problem.low, problem.high
    return LinearProblem(problem.A, problem.b, low, high)


def _boxed(problem: ContactProblem, p: Sequence[Scalar]) -> Solved:
    """Impulses in boxes that earlier impulses tell the sizes and axes of."""
    n, d, u = len(problem.b), problem.scales, problem.speeds(p)
    C: Rows = [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]
    sizes, extra = [0.0] * n, [SOFTNESS * s for s in d]
    for i, mu in zip(problem.contacts, problem.mu, strict=True):
        square = p[i] * p[i] + p[i + 1] * p[i + 1]
        pulls = square > 0.0
        inverse = 1.0 / where(pulls, square, 1.0)
        share = sqrt(inverse)
        c, s = where(pulls, p[i] * share, 1.0), where(pulls, p[i + 1] * share, 0.0)
        C[i][i], C[i + 1][i], C[i][i + 1], C[i + 1][i + 1] = c, s, -s, c
        sizes[i] = mu * p[i + 2]
        slip = where(pulls, maximum(-(u[i] * p[i] + u[i + 1] * p[i + 1]), 0.0) * inverse, 0.0)
        extra[i + 1] = extra[i + 1] + slip
    back = transposed(C)
    before = applied(back, p)
    A = times(back, times(problem.A, C))
    for k, x in enumerate(extra):
        A[k][k] = A[k][k] + x
    b = [x - SOFTNESS * s * y for x, s, y in zip(applied(back, problem.b), d, before, strict=True)]
    linear = _linear(problem, sizes)
    solved = dantzig(LinearProblem(A, b, linear.low, linear.high))
    return Solved(applied(C, solved.z), solved.w, solved.residual, solved.converged, solved.turns)


def _clipped(problem: ContactProblem, p: Sequence[Scalar]) -> Numbers:
    """Impulses whose friction is within the cone of their normal part, which stays."""
    found = list(p)
    for i, mu in zip(problem.contacts, problem.mu, strict=True):
        most, pull = mu * p[i + 2], sqrt(p[i] * p[i] + p[i + 1] * p[i + 1])
        share = where(pull > most, most / where(pull > most, pull, 1.0), 1.0)
        found[i], found[i + 1] = share * p[i], share * p[i + 1]
    return found

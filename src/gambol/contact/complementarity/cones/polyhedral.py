"""Contacts by the pivoting methods, which know straight edges only: pyramids for cones, or boxes that turn.

    pyramid   p_t = sum y_f d_f over directions d_f, all y >= 0        [Stewart and Trinkle 1996]
                  0 <= u_z     with p_z        0 <= d_f.u_t + s with y_f        0 <= mu p_z - sum y_f with s
    box       |p_x|, |p_y| <= mu p_z of the round before, in axes of which x lies along p_t of the round before

Lemke's method solves a pyramid at once. Between two of its F directions friction is weaker, by up to 1 - cos(pi / F),
and slip is not quite opposite to it. Dantzig's method needs constant bounds and therefore rounds; where these settle,
p_t lies along x and obeys the cone itself.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.cones.problem import Answered, ContactProblem, answered, failing
from gambol.contact.complementarity.linear.dantzig import dantzig
from gambol.contact.complementarity.linear.lemke import lemke
from gambol.contact.complementarity.linear.problem import LinearProblem, Solved, allowed
from gambol.lanes import Scalar, loop, sqrt, where
from gambol.spatial.dense import Numbers, Rows, applied, largest, times, transposed


def pyramid_lemke(
    problem: ContactProblem, *, facets: int = 8, most: int | None = None, tolerance: float | None = None
) -> Answered:
    """Solve contacts with friction pyramids by Lemke's method; A need not be symmetric.

    facets: sides of each pyramid, 3 or more, which lies within the cone. most: exchanges. tolerance: as part of b; None
    takes the precision's. The residual is that of the pyramid's law, not of the cone's.
    """
    linear, C = pyramid(problem, facets)
    solved = lemke(linear, most=most, tolerance=tolerance)
    p = applied(C, solved.z[: len(C[0])])
    return Answered(p, problem.speeds(p), solved.residual, solved.converged, solved.turns)


def pyramid(problem: ContactProblem, facets: int) -> tuple[LinearProblem, Rows]:
    """Contacts with pyramids as a linear problem, and the matrix that takes its first variables to impulses.

    The variables are, for each contact, the normal impulse and those along its directions; then the other rows; then
    for each contact its speed of slip.
    """
    k, n, width = len(problem.mu), len(problem.b), 1 + facets
    turns = [2.0 * math.pi * f / facets for f in range(facets)]
    C: Rows = [[0.0] * (k * width + n - 3 * k) for _ in range(n)]
    for c in range(k):
        C[3 * c + 2][c * width] = 1.0
        for f, angle in enumerate(turns):
            C[3 * c][c * width + 1 + f], C[3 * c + 1][c * width + 1 + f] = math.cos(angle), math.sin(angle)
    for m, row in enumerate(problem.others):
        C[row][k * width + m] = 1.0
    M = times(transposed(C), times(problem.A, C))
    rows = [[*row, *(1.0 if 0 < j - c * width < width else 0.0 for c in range(k))] for j, row in enumerate(M)]
    for c, (mu, d) in enumerate(zip(problem.mu, problem.scales[::3], strict=False)):
        own = [-d if 0 < j - c * width < width else (d * mu if j == c * width else 0.0) for j in range(len(M))]
        rows.append([*own, *[0.0] * k])
    b = [*applied(transposed(C), problem.b), *[0.0] * k]
    low = [*[0.0] * (k * width), *problem.low, *[0.0] * k]
    high = [*[math.inf] * (k * width), *problem.high, *[math.inf] * k]
    return LinearProblem(rows, b, low, high), C


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
    the precision's. The rounds need not settle; the residual tells.
    """
    enough = 0.1 * allowed(problem.b, tolerance)
    begin = Round(_boxed(problem, None).z if start is None else list(start), 1.0, 0.0, 0.0)

    def unfinished(now: Round) -> Scalar:
        return (now.rounds < float(most)) & ((now.residual > enough) | (now.rounds < 1.0))

    def once(now: Round) -> Round:
        solved = _boxed(problem, now.p)
        p = problem.within(solved.z)
        residual = largest(failing(problem, p, problem.speeds(p)))
        return Round(p, residual, now.turns + solved.turns, now.rounds + 1.0)

    end = loop(unfinished, once, begin)
    return answered(problem, end.p, end.turns, tolerance)


def _boxed(problem: ContactProblem, p: Sequence[Scalar] | None) -> Solved:
    """Impulses in boxes that earlier impulses tell the sizes and axes of; without friction for None."""
    n = len(problem.b)
    C: Rows = [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]
    low, high = [0.0] * n, [math.inf] * n
    low[3 * len(problem.mu) :], high[3 * len(problem.mu) :] = problem.low, problem.high
    for i, mu in zip(problem.contacts, problem.mu, strict=True):
        size: Scalar = 0.0
        if p is not None:
            size, pull = mu * p[i + 2], sqrt(p[i] * p[i] + p[i + 1] * p[i + 1])
            pulls = pull > 0.0
            share = 1.0 / where(pulls, pull, 1.0)
            c, s = where(pulls, p[i] * share, 1.0), where(pulls, p[i + 1] * share, 0.0)
            C[i][i], C[i + 1][i], C[i][i + 1], C[i + 1][i + 1] = c, s, -s, c
        low[i], low[i + 1], high[i], high[i + 1] = -size, -size, size, size
    A, b = times(transposed(C), times(problem.A, C)), applied(transposed(C), problem.b)
    solved = dantzig(LinearProblem(A, b, low, high))
    return Solved(applied(C, solved.z), solved.w, solved.residual, solved.converged, solved.turns)

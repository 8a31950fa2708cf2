"""Static contacts by Arnold's iteration: the contact that is pressed in most gets a force, again and again.

    k = the contact with the most negative u_z        p_k += what makes k obey Coulomb's law by itself from here on

[Arnold 1997, section 2.4.4]. Two failures, both told by the residual: forces are only ever added, so a contact that
gave its force early keeps it where others lift it off later; and what helps one contact may press in another, so that
it can go on for ever (the thesis says so) and is stopped after a number of turns. It is meant for one
static contact, and kept for comparison: methods.py refuses it for any other problem.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.cones.one_contact import one_contact
from gambol.contact.complementarity.cones.problem import Answered, ContactProblem, answered
from gambol.contact.complementarity.linear.pivots import one_hot, picked, smallest
from gambol.contact.complementarity.linear.problem import allowed
from gambol.lanes import Scalar, loop
from gambol.spatial import Matrix, Vector
from gambol.spatial.dense import Numbers, dot


@dataclass(frozen=True, slots=True)
class Adding:
    """Forces so far, what they leave, the contact that is pressed in most or -1, and turns made."""

    p: Numbers
    u: Numbers
    worst: Scalar
    turns: Scalar


def arnold(problem: ContactProblem, *, most: int = 200, tolerance: float | None = None) -> Answered:
    """Hold static contacts by adding forces where they are lacking most; other rows than contacts stay without force.

    most: forces that are added. tolerance: as part of b; None takes the precision's.
    """
    k, slack = len(problem.mu), allowed(problem.b, tolerance)
    blocks = [[x for row in problem.block(i).rows for x in row] for i in problem.contacts]

    def worst(u: Sequence[Scalar]) -> Scalar:
        return smallest([u[i + 2] for i in problem.contacts], -slack)[1]

    def once(now: Adding) -> Adding:
        hot = one_hot(now.worst, k)
        D = picked(hot, blocks)
        w = Vector.of([dot(hot, now.u[axis : 3 * k : 3]) for axis in range(3)])
        added = one_contact(w, Matrix.of([D[0:3], D[3:6], D[6:9]]), dot(hot, problem.mu), Vector(0.0, 0.0, 0.0))
        p = list(now.p)
        for i, h in zip(problem.contacts, hot, strict=True):
            p[i : i + 3] = [x + h * y for x, y in zip(p[i : i + 3], added, strict=True)]
        u = problem.speeds(p)
        return Adding(p, u, worst(u), now.turns + 1.0)

    def unfinished(now: Adding) -> Scalar:
        return (now.worst >= 0.0) & (now.turns < float(most))

    zeros: Numbers = [0.0] * len(problem.b)
    end = loop(unfinished, once, Adding(zeros, list(problem.b), worst(problem.b), 0.0))
    return answered(problem, end.p, end.turns, tolerance)

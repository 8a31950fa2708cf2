"""Collisions one after the other: the fastest approach first, until nothing approaches any more.

    k = the contact with the lowest u_z        p_k += its collision        u += A p        [Hahn 1988; Mirtich 1996]

Each collision is integrated by itself (collision.py), so under Stronge's hypothesis none raises the energy. Balls in a
row pass their speed on, as in Newton's cradle. Collisions that press each other in again and again, such as those of a
box that lands flat, halve the approach many times, until it counts as none.
"""

from dataclasses import dataclass

from gambol.contact.complementarity.linear.pivots import one_hot, picked, smallest
from gambol.contact.impulse.collision import collision
from gambol.contact.impulse.hypothesis import hypothesis_named
from gambol.contact.impulse.several import Blows, Impacts
from gambol.lanes import Scalar, loop
from gambol.spatial.dense import Numbers, applied
from gambol.spatial.matrix import Symmetric
from gambol.spatial.vector import Vector

MOST_TURNS = 100
"""Collisions for each contact. What is left after them is told, and stays."""


@dataclass(frozen=True, slots=True)
class Going:
    """Impulses so far, velocities now, the contact or stop that approaches fastest with its speed, and turns made."""

    p: Numbers
    u: Numbers
    worst: Scalar
    approach: Scalar
    turns: Scalar


def in_sequence(blows: Blows, hypothesis: str = "stronge", most: int | None = None) -> Impacts:
    """Let contacts and stops collide one after the other.

    most: collisions in all; None takes MOST_TURNS for each contact or stop. Raises WorldError for an unknown
    hypothesis, see collision().
    """
    hypothesis_named(hypothesis)
    normals, slack = blows.normals, blows.slack
    bound = float(MOST_TURNS * len(normals) if most is None else most)

    def unfinished(now: Going) -> Scalar:
        return (now.turns < bound) & (now.approach < -slack)

    def going(p: Numbers, u: Numbers, turns: Scalar) -> Going:
        approach, worst = smallest([u[row] for row in normals], 1e30)
        return Going(p, u, worst, approach, turns)

    def struck(now: Going) -> Going:
        push = _collided(blows, now, hypothesis)
        p = [x + y for x, y in zip(now.p, push, strict=True)]
        return going(p, applied(blows.A, push, now.u), now.turns + 1.0)

    end = loop(unfinished, struck, going([0.0] * len(blows.u), blows.u, 0.0))
    return blows.after(end.p, end.turns)


def _collided(blows: Blows, now: Going, hypothesis: str) -> Numbers:
    """Impulses along all rows of the collision whose turn it is."""
    k, A, u = len(blows.mu), blows.A, now.u
    stops = range(3 * k, len(u))
    hot = one_hot(now.worst, k + len(stops))
    own = [
        [A[i][i], A[i][i + 1], A[i][i + 2], A[i + 1][i + 1], A[i + 1][i + 2], A[i + 2][i + 2]]
        for i in range(0, 3 * k, 3)
    ]
    own += [[0.0, 0.0, 0.0, 0.0, 0.0, A[j][j]] for j in stops]
    speeds = [u[i : i + 3] for i in range(0, 3 * k, 3)] + [[0.0, 0.0, u[j]] for j in stops]
    laws = [[mu, e] for mu, e in zip([*blows.mu, *[0.0] * len(stops)], blows.e, strict=True)]
    mu, e = picked(hot, laws)
    p = collision(Symmetric(*picked(hot, own)), Vector.of(picked(hot, speeds)), mu, e, hypothesis).impulse
    push = [hot[i] * x for i in range(k) for x in p]
    return push + [hot[k + j] * p.z for j in range(len(stops))]

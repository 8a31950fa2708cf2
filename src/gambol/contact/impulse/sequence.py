"""Collisions one after the other, the fastest approach first, until no contact approaches.

    k = the contact with the lowest u_z        p_k += its collision        u += A p        [Hahn 1988; Mirtich 1996]

Each collision is integrated separately (collision.py), so under Stronge's hypothesis none raises the energy. Balls in a
row pass their speed on, as in Newton's cradle. Collisions that make each other approach again and again, such as those
of a box that lands flat, halve the approach many times, until it counts as 0.
"""

from dataclasses import dataclass

from gambol.contact.complementarity.linear.pivots import one_hot, selected_row, smallest
from gambol.contact.impulse.collision import collision
from gambol.contact.impulse.hypothesis import hypothesis_named
from gambol.contact.impulse.several import Collisions, Impacts
from gambol.lanes import Scalar, loop
from gambol.spatial.dense import Numbers, matvec
from gambol.spatial.matrix import Symmetric
from gambol.spatial.vector import Vector

MAX_COLLISIONS_PER_CONTACT = 100
"""Limit of collisions, for each contact. The approach that remains after them is returned as the residual."""


@dataclass(frozen=True, slots=True)
class SequenceState:
    """The state of a sequence of collisions.

    p: impulses so far. u: velocities. worst: the contact or limit that approaches fastest. approach: its speed. count:
    number of collisions.
    """

    p: Numbers
    u: Numbers
    worst: Scalar
    approach: Scalar
    count: Scalar


def sequential_impacts(
    collisions: Collisions, hypothesis: str = "stronge", max_collisions: int | None = None
) -> Impacts:
    """Return the impacts of contacts and limits that collide one after the other.

    collisions: contacts and limits; hypothesis: see collision(); max_collisions: limit for all of them together; None
    takes MAX_COLLISIONS_PER_CONTACT for each contact or limit. Raises WorldError for an unknown hypothesis.
    """
    hypothesis_named(hypothesis)
    normals, slack = collisions.normals, collisions.slack
    bound = float(MAX_COLLISIONS_PER_CONTACT * len(normals) if max_collisions is None else max_collisions)

    def not_converged(state: SequenceState) -> Scalar:
        return (state.count < bound) & (state.approach < -slack)

    def state_of(p: Numbers, u: Numbers, count: Scalar) -> SequenceState:
        approach, worst = smallest([u[row] for row in normals], 1e30)
        return SequenceState(p, u, worst, approach, count)

    def collide_once(state: SequenceState) -> SequenceState:
        impulses = _fastest_collision(collisions, state, hypothesis)
        p = [x + y for x, y in zip(state.p, impulses, strict=True)]
        return state_of(p, matvec(collisions.A, impulses, state.u), state.count + 1.0)

    end = loop(not_converged, collide_once, state_of([0.0] * len(collisions.u), collisions.u, 0.0))
    return collisions.outcome(end.p, end.count)


def _fastest_collision(collisions: Collisions, state: SequenceState, hypothesis: str) -> Numbers:
    """Return the impulses, along all rows, of the collision of the fastest contact or limit."""
    k, A, u = len(collisions.mu), collisions.A, state.u
    limits = range(3 * k, len(u))
    indicator = one_hot(state.worst, k + len(limits))
    blocks = [
        [A[i][i], A[i][i + 1], A[i][i + 2], A[i + 1][i + 1], A[i + 1][i + 2], A[i + 2][i + 2]]
        for i in range(0, 3 * k, 3)
    ]
    blocks += [[0.0, 0.0, 0.0, 0.0, 0.0, A[j][j]] for j in limits]
    speeds = [u[i : i + 3] for i in range(0, 3 * k, 3)] + [[0.0, 0.0, u[j]] for j in limits]
    laws = [[mu, e] for mu, e in zip([*collisions.mu, *[0.0] * len(limits)], collisions.e, strict=True)]
    mu, e = selected_row(indicator, laws)
    p = collision(
        Symmetric(*selected_row(indicator, blocks)), Vector.of(selected_row(indicator, speeds)), mu, e, hypothesis
    ).impulse
    impulses = [indicator[i] * x for i in range(k) for x in p]
    return impulses + [indicator[k + j] * p.z for j in range(len(limits))]

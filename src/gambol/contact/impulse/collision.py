"""One collision with friction, integrated through compression and restitution.

    du = K d dp_z        d = (friction, 1)        u_z < 0: compression        u_z > 0: restitution

[Keller 1986; Bhatt and Koechling 1995; Mirtich 1996; Arnold 1997, algorithm 2.2; Stronge 2000]. K is the collision
matrix: the change of the relative velocity at the contact per unit impulse. K represents all of the bodies, so that a
ball and a limb of a creature collide by the same code. K and u are scaled by the trace of K and by |u|.
"""

from dataclasses import dataclass

from gambol.contact.impulse.collision_state import (
    COMPRESSION,
    FINISHED,
    UNSOLVABLE,
    WEDGED,
    CollisionLaw,
    CollisionState,
)
from gambol.contact.impulse.friction import EPSILON, AfterStop, CollisionMatrix
from gambol.contact.impulse.hypothesis import hypothesis_named
from gambol.lanes import Scalar, clamp, loop, maximum, sqrt, where, working_precision
from gambol.spatial.matrix import Matrix, Symmetric
from gambol.spatial.vector import Vector

MAX_STEPS = 400.0
"""Limit of steps of a collision. None of a million random collisions took more than 233 (validation/impacts.py)."""


@dataclass(frozen=True, slots=True)
class Impact:
    """The result of a collision, in contact axes, the normal last.

    impulse: impulse on the first body [N s]; velocity: relative velocity after the collision [m/s]; stored, released:
    work absorbed and returned along the normal [J]; change: change of the kinetic energy of all bodies, by normal
    impulse and friction [J], never above 0 under Stronge's hypothesis. The next five are 0 or 1. stuck: the slip
    stopped and stayed at 0; resumed: it stopped and started again (in a plane: backwards); jammed: friction made the
    approach faster for a while; wedged: the contact stopped and cannot separate, so the stored work remains; converged:
    integrated to its end. residual: remaining speed of approach [m/s]. steps: steps of the integration.
    """

    impulse: Vector
    velocity: Vector
    stored: Scalar
    released: Scalar
    change: Scalar
    stuck: Scalar
    resumed: Scalar
    jammed: Scalar
    wedged: Scalar
    converged: Scalar
    residual: Scalar
    steps: Scalar


def collision(K: Matrix | Symmetric, u: Vector, mu: Scalar, e: Scalar = 0.0, hypothesis: str = "stronge") -> Impact:
    """Return the result of one frictional collision, from the relative velocity u before it [m/s].

    K: collision matrix in contact axes, normal last, symmetric and positive semidefinite [1/kg]. mu: friction, clamped
    to 0 or more; e: restitution, clamped to 0 to 1; hypothesis: newton, poisson or stronge. There is no impulse where
    u_z >= 0. Bodies that cannot move get no impulse: converged is then 0, and residual is their approach. Newton's and
    Poisson's hypotheses may raise the energy, see Impact.change. Raises WorldError for an unknown hypothesis. [Stronge
    2000, chapters 3 and 4]
    """
    law, start, impulse_scale = scaled_collision(K, u, mu, e, hypothesis)
    end = loop(lambda c: (c.phase < FINISHED) & (c.steps < MAX_STEPS), law.next_state, start)
    return _impact(K, u, end, law, impulse_scale)


def scaled_collision(
    K: Matrix | Symmetric, u: Vector, mu: Scalar, e: Scalar, hypothesis: str
) -> tuple[CollisionLaw, CollisionState, Scalar]:
    """Return the law and the initial state of a scaled collision, and the unit of its impulses [N s].

    Arguments: see collision(). K is scaled by its trace, and u by |u|.
    """
    law_of_restitution = hypothesis_named(hypothesis)
    (xx, xy, kx), (_, yy, ky), (_, _, zz) = K.rows
    speed, trace = u.length(), xx + yy + zz
    approaches = (u.z < 0.0) & (trace > 0.0)
    speed, trace = where(approaches, speed, 1.0), where(approaches, trace, 1.0)
    matrix = CollisionMatrix(xx / trace, xy / trace, yy / trace, kx / trace, ky / trace, zz / trace, maximum(mu, 0.0))
    before = u.z / speed
    law = CollisionLaw(matrix, AfterStop.of(matrix), law_of_restitution, clamp(e, 0.0, 1.0), before)
    phase = where(u.z < 0.0, where(approaches, COMPRESSION, UNSOLVABLE), FINISHED)
    return law, CollisionState.starting(u.x / speed, u.y / speed, before, phase), speed / trace


def _impact(K: Matrix | Symmetric, u: Vector, end: CollisionState, law: CollisionLaw, impulse_scale: Scalar) -> Impact:
    """Return the result of a collision in physical units; impulse_scale: unit of its impulses [N s]."""
    p, energy = Vector(end.px, end.py, end.pz) * impulse_scale, impulse_scale * u.length()
    fraction = _dissipative_fraction(K, u, p) if law.hypothesis.dissipative else 1.0
    p = p * fraction
    after = K.times(p, u)
    stuck = end.slip_stopped * law.after_stop.sticks
    converged = (
        (end.phase >= FINISHED) & (end.phase < UNSOLVABLE) & (fraction > 1.0 - sqrt(EPSILON[working_precision()]))
    )
    return Impact(
        p,
        after,
        end.totals.stored * energy,
        end.totals.released * energy,
        0.5 * p.dot(u + after),
        stuck,
        end.slip_stopped - stuck,
        end.jammed,
        where(end.phase == WEDGED, 1.0, 0.0),
        where(converged, 1.0, 0.0),
        where(converged, 0.0, maximum(-after.z, 0.0)),
        end.steps,
    )


def _dissipative_fraction(K: Matrix | Symmetric, u: Vector, p: Vector) -> Scalar:
    """Return the largest fraction of an impulse that adds no energy; it is below 1 only if K is nearly singular."""
    added, lost = 0.5 * p.dot(K.times(p)), -p.dot(u)
    rises = added > maximum(lost, 0.0)
    return where(rises, maximum(lost, 0.0) / where(rises, added, 1.0), 1.0)

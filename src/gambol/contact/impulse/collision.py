"""One collision with friction, integrated through compression and restitution.

    du = K d dp_z        d = (friction, 1)        u_z < 0: compression        u_z > 0: restitution

[Keller 1986; Bhatt and Koechling 1995; Mirtich 1996; Arnold 1997, algorithm 2.2; Stronge 2000]. K is the collision
matrix: what a unit impulse changes of the relative velocity at the contact. It holds all of the bodies, so that a ball
and a limb of a creature collide by the same few lines. K and u are first told in units of the trace of K and of |u|.
"""

from dataclasses import dataclass

from gambol.contact.impulse.course import COMPRESSION, HELPLESS, OVER, WEDGED, Course, Law
from gambol.contact.impulse.friction import EPSILON, Flow, Rest
from gambol.contact.impulse.hypothesis import hypothesis_named
from gambol.lanes import Scalar, clamp, loop, maximum, sqrt, where, working_precision
from gambol.spatial.matrix import Matrix, Symmetric
from gambol.spatial.vector import Vector

MOST_PARTS = 400.0
"""Parts of a collision. Of a million random ones none took more than 233 (validation/impacts.py)."""


@dataclass(frozen=True, slots=True)
class Impact:
    """What a collision did, in contact axes, the normal last.

    impulse: on the first body [N s]; velocity: relative, after [m/s]; stored, released: work taken in and given back
    along the normal [J]; change: of the kinetic energy of all, by normal impulse and friction [J], never above 0 under
    Stronge's hypothesis. The rest are 0 or 1: stuck: the slip stopped and stayed at 0; resumed: it stopped and set out
    again, in a plane backwards; jammed: friction made the approach faster for a while; wedged: the contact stopped and
    cannot come apart, so the work stored stays; converged. residual: approach that is left [m/s]. parts: steps taken.
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
    parts: Scalar


def collision(K: Matrix | Symmetric, u: Vector, mu: Scalar, e: Scalar = 0.0, hypothesis: str = "stronge") -> Impact:
    """One frictional collision, from the relative velocity u before it [m/s]; none where u_z >= 0.

    K: collision matrix in contact axes, normal last, symmetric and positive semidefinite [1/kg], of which the upper
    triangle is read; mu: friction, 0 or more; e: restitution, within 0 and 1, both held to these; hypothesis: newton,
    poisson or stronge. Bodies that cannot give way get no impulse: converged is then 0 and residual their approach.
    Newton's and Poisson's hypotheses may raise the energy, which `change` tells.
    Raises WorldError for an unknown hypothesis. [Stronge 2000, chapters 3 and 4]
    """
    law_of_restitution = hypothesis_named(hypothesis)
    (xx, xy, kx), (_, yy, ky), (_, _, zz) = K.rows
    speed, give = u.length(), xx + yy + zz
    meets = (u.z < 0.0) & (give > 0.0)
    speed, give = where(meets, speed, 1.0), where(meets, give, 1.0)
    flow = Flow(xx / give, xy / give, yy / give, kx / give, ky / give, zz / give, maximum(mu, 0.0))
    before = u.z / speed
    law = Law(flow, Rest.of(flow), law_of_restitution, clamp(e, 0.0, 1.0), before)
    phase = where(u.z < 0.0, where(meets, COMPRESSION, HELPLESS), OVER)
    start = Course.starting(u.x / speed, u.y / speed, before, phase)
    end = loop(lambda c: (c.phase < OVER) & (c.parts < MOST_PARTS), law.advanced, start)
    return _told(K, u, end, law, speed / give)


def _told(K: Matrix | Symmetric, u: Vector, end: Course, law: Law, mass: Scalar) -> Impact:
    """The end of a course in units of the bodies. mass: what turns scaled impulses into theirs [kg m/s]."""
    p, energy = Vector(end.px, end.py, end.pz) * mass, mass * u.length()
    share = _kept(K, u, p) if law.hypothesis.lossy else 1.0
    p = p * share
    after = K.times(p, u)
    stuck = end.resting * law.rest.sticks
    over = (end.phase >= OVER) & (end.phase < HELPLESS) & (share > 1.0 - sqrt(EPSILON[working_precision()]))
    return Impact(
        p,
        after,
        end.account.stored * energy,
        end.account.released * energy,
        0.5 * p.dot(u + after),
        stuck,
        end.resting - stuck,
        end.jammed,
        where(end.phase == WEDGED, 1.0, 0.0),
        where(over, 1.0, 0.0),
        where(over, 0.0, maximum(-after.z, 0.0)),
        end.parts,
    )


def _kept(K: Matrix | Symmetric, u: Vector, p: Vector) -> Scalar:
    """The share of an impulse that raises no energy: 1 but for rounding, which counts where K is nearly singular."""
    gain, spent = 0.5 * p.dot(K.times(p)), -p.dot(u)
    rises = gain > maximum(spent, 0.0)
    return where(rises, maximum(spent, 0.0) / where(rises, gain, 1.0), 1.0)

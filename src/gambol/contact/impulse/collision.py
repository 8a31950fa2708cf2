"""One collision with friction, integrated through compression and restitution.

    du = K d dp_z        d = (friction, 1)        u_z < 0: compression        u_z > 0: restitution

[Keller 1986; Bhatt and Koechling 1995; Mirtich 1996; Arnold 1997, algorithm 2.2; Stronge 2000]. K is the collision
matrix: what a unit impulse changes of the relative velocity at the contact. It holds all of the bodies, so that a ball
and a limb of a creature collide by the same few lines. K and u are first told in units of the trace of K and of |u|.
"""

from dataclasses import dataclass

from gambol.contact.impulse.course import COMPRESSION, HELPLESS, OVER, Course, Law
from gambol.contact.impulse.friction import Flow, Rest
from gambol.contact.impulse.hypothesis import hypothesis_named
from gambol.lanes import Scalar, clamp, loop, maximum, where
from gambol.spatial.matrix import Matrix, Symmetric
from gambol.spatial.vector import Vector

MOST_PARTS = 400.0
"""Parts of a collision. Of a million random ones none took a fifth of it (validation/impacts.py)."""


@dataclass(frozen=True, slots=True)
class Impact:
    """What a collision did, in contact axes, the normal last.

    impulse: on the first body [N s]; velocity: relative, after [m/s]; stored, released: work taken in and given back
    along the normal [J]; change: of the kinetic energy of all, by normal impulse and friction [J], never above 0 under
    Stronge's hypothesis. The rest are 0 or 1: stuck: the slip stopped and stayed at 0; resumed: it stopped and set out
    again, in a plane backwards; jammed: friction made the approach faster for a while, as a chalk's that judders;
    converged. residual: approach that is left [m/s]. parts: how many steps it took.
    """

    impulse: Vector
    velocity: Vector
    stored: Scalar
    released: Scalar
    change: Scalar
    stuck: Scalar
    resumed: Scalar
    jammed: Scalar
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
    return _told(K, u, end, law.rest, speed / give)


def _told(K: Matrix | Symmetric, u: Vector, end: Course, rest: Rest, mass: Scalar) -> Impact:
    """The end of a course in units of the bodies. mass: what turns scaled impulses into theirs [kg m/s]."""
    p = Vector(end.px, end.py, end.pz) * mass
    after = K.times(p, u)
    energy = mass * u.length()
    stuck = end.resting * rest.sticks
    return Impact(
        p,
        after,
        end.account.stored * energy,
        end.account.released * energy,
        0.5 * p.dot(u + after),
        stuck,
        end.resting - stuck,
        end.jammed,
        where(end.phase == OVER, 1.0, 0.0),
        where(end.phase == OVER, 0.0, maximum(-after.z, 0.0)),
        end.parts,
    )

"""What impacts do to a figure: from its contacts and stops through the tree to all of its joints.

    A = J M^-1 J^T        u = J v        v' = v + M^-1 J^T p        [Arnold 1997, section 2.4; Kokkevis 2004]

Every link takes part, as far as its joints let impulses through. Links of the figure may strike each other, the world,
or other figures of the same forest, and joints their limits.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.supports import Stop, Support, response
from gambol.contact.impulse.hypothesis import HYPOTHESES
from gambol.contact.impulse.sequence import in_sequence
from gambol.contact.impulse.several import Blows, Impacts
from gambol.contact.impulse.simultaneous import at_once, by_reflection
from gambol.dynamics.kinematics import Kinematics
from gambol.errors import WorldError, did_you_mean
from gambol.spatial.dense import Numbers
from gambol.spatial.vector import Vector

LAWS: dict[str, Callable[[Blows], Impacts]] = {"at_once": at_once, "reflection": by_reflection}
"""Laws of several impacts, besides those in sequence, which go by the name of a hypothesis of restitution."""


@dataclass(frozen=True, slots=True)
class Aftermath:
    """How a figure moves after impacts.

    v: joint velocities (nv). impulses: of each support on its link, in world axes [N s]; stops: of each stop along its
    freedom [N s or N m s]. impacts: the same along rows, with the energy, and whether nothing approaches any more.
    """

    v: Numbers
    impulses: list[Vector]
    stops: Numbers
    impacts: Impacts


def struck(
    state: Kinematics, supports: Sequence[Support], stops: Sequence[Stop] = (), law: str = "stronge"
) -> Aftermath:
    """The joint velocities of a figure after its contacts and stops have collided, those that approach.

    supports: where its links touch, with the friction and restitution of each; stops: joints at their limits. law:
    newton, poisson or stronge, one after the other, each integrated with friction; at_once; or reflection. Loops of
    the figure stay closed. Raises WorldError for an unknown law.
    """
    laws = [*HYPOTHESES, *LAWS]
    if law not in laws:
        raise WorldError(f'impacts do not follow "{law}"; {did_you_mean(law, laws)}')
    here = response(state, supports, stops)
    mu = [support.mu for support in supports]
    e = [touching.restitution for touching in (*supports, *stops)]
    blows = Blows(here.A, [row.speed for row in here.rows], mu, e)
    impacts = LAWS[law](blows) if law in LAWS else in_sequence(blows, law)
    return Aftermath(here.moved(state.v, impacts.p), here.pushes(impacts.p), impacts.p[3 * len(supports) :], impacts)

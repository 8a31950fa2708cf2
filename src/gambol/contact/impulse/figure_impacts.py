"""Impacts of a figure: from its contacts and limits through the tree to all of its joints.

    A = J M^-1 J^T        u = J v        v' = v + M^-1 J^T p        [Arnold 1997, section 2.4; Kokkevis 2004]

Every link takes part, as far as its joints transmit impulses. Links of the figure may hit each other, the world, or
other figures of the same forest, and joints their limits.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.supports import FrictionalContact, JointLimit, response
from gambol.contact.impulse.hypothesis import HYPOTHESES
from gambol.contact.impulse.sequence import sequential_impacts
from gambol.contact.impulse.several import Collisions, Impacts
from gambol.contact.impulse.simultaneous import reflection_impacts, simultaneous_impacts
from gambol.dynamics.kinematics import Kinematics
from gambol.errors import WorldError, did_you_mean
from gambol.spatial.dense import Numbers
from gambol.spatial.vector import Vector

LAWS: dict[str, Callable[[Collisions], Impacts]] = {"at_once": simultaneous_impacts, "reflection": reflection_impacts}
"""Laws of simultaneous impacts, by name. Laws of impacts in sequence have the name of a hypothesis of restitution."""


@dataclass(frozen=True, slots=True)
class FigureImpacts:
    """The motion of a figure after impacts.

    v: joint velocities (nv). impulses: impulses of each contact on its link, in world axes [N s]; limits: impulse of
    each joint limit along its degree of freedom [N s or N m s]. impacts: the same impulses along rows, with the energy,
    and 1 if the impacts converged.
    """

    v: Numbers
    impulses: list[Vector]
    limits: Numbers
    impacts: Impacts


def resolve_impacts(
    state: Kinematics, contacts: Sequence[FrictionalContact], limits: Sequence[JointLimit] = (), law: str = "stronge"
) -> FigureImpacts:
    """Return the motion of a figure after the collision of its approaching contacts and limits.

    state: state before the collision; contacts: contacts of its links, with friction and restitution; limits: joints at
    their limits. law: "newton", "poisson" or "stronge" for impacts in sequence, each integrated with friction;
    "at_once" or "reflection" for simultaneous impacts. Loops of the figure stay closed. Raises WorldError for an
    unknown law.
    """
    laws = [*HYPOTHESES, *LAWS]
    if law not in laws:
        raise WorldError(f'unknown law of impacts "{law}"; {did_you_mean(law, laws)}')
    system = response(state, contacts, limits)
    mu = [contact.mu for contact in contacts]
    e = [contact.restitution for contact in (*contacts, *limits)]
    collisions = Collisions(system.A, [row.speed for row in system.rows], mu, e)
    impacts = LAWS[law](collisions) if law in LAWS else sequential_impacts(collisions, law)
    return FigureImpacts(
        system.velocity_after(state.v, impacts.p),
        system.contact_forces(impacts.p),
        impacts.p[3 * len(contacts) :],
        impacts,
    )

"""Impacts of all contacts of a figure at once, found from what velocities must be afterwards.

    u+ = A p + u-        0 <= u+_z + e min(u-_z, 0) with 0 <= p_z, one of them 0; friction as Coulomb says of u+

[Baraff 1989; Patil 2007]: Newton's law of restitution for every contact, all of them simultaneous. With friction or
between several contacts this law can add energy, by nature; what it did to the energy is told. contact/impulse has laws
that never do.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.cones.problem import ContactProblem
from gambol.contact.complementarity.methods import solver
from gambol.contact.complementarity.resting import Touching, unilateral
from gambol.contact.complementarity.supports import response
from gambol.dynamics.kinematics import Kinematics
from gambol.lanes import Scalar, minimum
from gambol.spatial import Vector
from gambol.spatial.dense import Numbers, applied, dot


@dataclass(frozen=True, slots=True)
class Struck:
    """Impulses of contacts, and how the figure moves after them.

    impulses: of each support on its link, in world axes [N s]; stops, ties: along their rows [N s or N m s]. v: joint
    velocities after (nv). energy: kinetic energy that the impact added [J], negative where it took some. residual [m/s]
    and converged: of the solver.
    """

    impulses: list[Vector]
    stops: Numbers
    ties: Numbers
    v: Numbers
    energy: Scalar
    residual: Scalar
    converged: Scalar


def simultaneous_impact(state: Kinematics, touching: Touching, method: str = "newton") -> Struck:
    """The impulses by which a figure's contacts stop approaching, all at once.

    method: a key of SOLVERS. Contacts that separate already get none unless others press them in. Raises GambolError
    for an unknown method.
    """
    find = solver(method, len(touching.supports), len(touching.stops) + len(touching.ties))
    here = response(state, touching.supports, touching.stops, touching.ties)
    before = [row.speed for row in here.rows]
    low, high = unilateral(len(touching.stops), len(touching.ties))
    mus = [support.mu for support in touching.supports]
    aimed = _returning(before, touching)
    found = find(ContactProblem(here.A, aimed, mus, low, high))
    p = found.p
    after = applied(here.A, p, before)
    energy = 0.5 * dot(p, [x + y for x, y in zip(before, after, strict=True)])
    a, b = 3 * len(touching.supports), 3 * len(touching.supports) + len(touching.stops)
    v = here.moved(state.v, p)
    return Struck(here.pushes(p), p[a:b], p[b:], v, energy, found.residual, found.converged)


def _returning(before: Sequence[Scalar], touching: Touching) -> Numbers:
    """Velocities without impulses, less those at which rows that approach shall return."""
    aimed = list(before)
    for k, support in enumerate(touching.supports):
        aimed[3 * k + 2] = before[3 * k + 2] + support.restitution * minimum(before[3 * k + 2], 0.0)
    for m, stop in enumerate(touching.stops, start=3 * len(touching.supports)):
        aimed[m] = before[m] + stop.restitution * minimum(before[m], 0.0)
    return aimed

"""The input and result of a method of integration: positions and velocities as columns, and flows of energy."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gambol.matter.forces.field import Conditions, ForceField, Forces
from gambol.matter.touch.contact_forces import ContactForces
from gambol.matter.touch.gaps import PointQuery
from gambol.matter.touch.places import Places

Array = NDArray[np.float64]

FLOWS = ("wind", "damping", "friction", "contact", "support")
"""Entries of the ledger whose rates Forces.powers() returns, in its order."""


EXPLICIT_SHARE = 0.5
"""Fraction of the stopping impulse that friction may apply in an explicit step: 1 is at the limit of stability."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A mesh at one time: positions and velocities (3, N) [m, m/s], and the conditions of the step.

    flows: energy that was added, in the order of FLOWS [J]. impulses (links, 6): impulses on the links, of the moment
    about the origin of each and of the force, in world axes [N m s, N s]. history: see MeshState.
    """

    x: Array
    v: Array
    conditions: Conditions
    flows: Array = field(default_factory=lambda: np.zeros(len(FLOWS)))
    impulses: Array = field(default_factory=lambda: np.zeros((0, 6)))
    history: Array = field(default_factory=lambda: np.zeros(0))


def query_at(field: ForceField, x: Array, v: Array, h: float = 0.0) -> PointQuery:
    """Return positions and velocities as a query without lagged values.

    h: length of an explicit step, in which friction takes at most half of a point's momentum [s]; 0: no bound.
    """
    hold = np.zeros((2, field.columns))
    hold[0] = np.inf if h == 0.0 else EXPLICIT_SHARE / h * field.mass
    return PointQuery(x, v, x, v, v, 0.0, field.count, hold)


def link_impulses(field: ForceField, forces: Forces, x: Array, now: Conditions, h: float) -> Array:
    """Return the impulses of a mesh on links (links, 6), about their origins, by contacts and tethers.

    forces: forces on the mesh at positions x (3, N). now: conditions. h: time for which the forces act [s].
    """
    motions = field.moved_links(now)
    impulses = np.zeros((len(motions), 6))
    contacts: list[ContactForces] = [c for c in forces.contacts if c.link >= 0]
    for contact in contacts:
        impulses[contact.link] += h * contact.wrench(x, motions[contact.link, :3])
    t = field.tethers
    for link in np.unique(t.links):
        tethered = np.flatnonzero(t.links == link)
        rows = np.concatenate([forces.tether[:, tethered], np.zeros((10, len(tethered)))])
        impulses[link] += h * ContactForces(Places.at_points(t.points[tethered]), rows, int(link)).wrench(
            x, motions[link, :3]
        )
    return impulses

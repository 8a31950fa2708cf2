"""The collision matrix and the velocity of a contact of a figure, as numbers."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.contact.complementarity.supports import FrictionalContact, response
from gambol.dynamics import kinematics
from gambol.dynamics.quantities.operational import Contact
from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure
from gambol.spatial import Vector

Array = NDArray[np.float64]
Z = (0.0, 0.0, 1.0)


def contact_collision(
    figure: Figure,
    state: tuple[Sequence[float], Sequence[float]],
    link: str,
    point: Sequence[float],
    *,
    normal: Sequence[float] = Z,
    other: str | None = None,
) -> tuple[Array, Array]:
    """Return K (3, 3) [1/kg] and the relative velocity (3) [m/s] of a contact of a figure, in contact axes.

    state: coordinates q (nq) and velocities v (nv). link: the link that is pushed along the normal (3), which is in
    world axes. point: point of contact, in world axes [m]. other: the other link; None for the ground. The contact axes
    are two tangents and the normal; for a normal along z, the contact axes are x, y and z. Loops of the figure stay
    closed. Raises WorldError for an unknown link, and a normal of length 0.
    """
    indices = {link.name: link.index for link in figure.links}
    for name in (link, other):
        if name is not None and name not in indices:
            raise WorldError(f'figure "{figure.name}" has no link "{name}"; {did_you_mean(name, list(indices))}')
    length = float(np.linalg.norm(normal))
    if not 0.0 < length < np.inf:
        raise WorldError(f"the normal of a contact has length {length:g}; give a direction")
    moving = kinematics(figure, *([float(x) for x in values] for values in state))
    first, second = indices[link], 0 if other is None else indices[other]
    position = Vector.of([float(x) for x in point])
    contact = Contact(first, moving.poses[first].inverse @ position, second, moving.poses[second].inverse @ position)
    unit = Vector.of([float(x) / length for x in normal])
    system = response(moving, [FrictionalContact(contact, unit, 0.0)])
    return np.array(system.A, float), np.array([row.speed for row in system.rows], float)

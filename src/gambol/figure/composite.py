"""What a joint carries, as one rigid body: the link and all that hangs on it, every joint at rest.

    I_c(i) = I(i) + sum over children j of I_c(j) seen from i     [Featherstone 2008, table 6.2]

A joint that carries no inertia against its motion cannot be simulated: its acceleration would be a division by zero.
"""

from collections.abc import Sequence

import numpy as np

from gambol.errors import FigureError
from gambol.figure.joint import subspace
from gambol.figure.link import PlacedLink
from gambol.figure.mass import MassProperties, combine

NOTHING = 1e-12  # of the largest moment: below it only rounding is left of a moment that should be 0


def composites(links: Sequence[PlacedLink]) -> dict[int, MassProperties]:
    """Mass properties of what each link carries, itself included, at rest, in that link's frame; by index.

    links: numbered, parents first.
    """
    gathered: dict[int, list[MassProperties]] = {link.index: [link.mass_properties] for link in links}
    carried: dict[int, MassProperties] = {}
    for link in reversed(links):
        carried[link.index] = combine(gathered[link.index])
        if link.parent_index in gathered:
            seen = carried[link.index].placed(link.joint.rotation, link.joint.position)
            gathered[link.parent_index].append(seen)
    return carried


def check_carried(links: Sequence[PlacedLink]) -> None:
    """Raise FigureError for a joint that could move without moving any mass.

    A massless link inside a limb is fine, and so is one that is fixed: it marks a place, or is an obstacle.
    """
    carried = composites(links)
    bends: set[int] = set()  # what they carry changes with the posture, so rest says nothing about their moments
    for link in reversed(links):
        if link.index in bends or link.joint.kind != "fixed":
            bends.add(link.parent_index)
        body, of = carried[link.index], f'link "{link.name}" and what hangs on it'
        if body.mass <= 0.0 and link.joint.kind != "fixed":
            raise FigureError(f"{of} have no mass; give it a part that is inertial or a given_mass")
        if link.index not in bends and _turns_nothing(link, body):
            raise FigureError(
                f"{of} resist no turn about an axis of its joint; give an inertia, or move the mass off it"
            )


def _turns_nothing(link: PlacedLink, body: MassProperties) -> bool:
    """Whether the link's joint can turn the body without turning any mass.

    Among the turns that the joint allows, some combination has no moment of inertia; its slides move the whole mass.
    """
    turns = [S for S in subspace(link.joint) if list(S.w) != [0.0, 0.0, 0.0]]
    if not turns or link.joint.armature > 0.0:
        return False
    free = len(turns) < len(subspace(link.joint))  # where it can slide too, the body may turn about its centre of mass
    point = body.com if free and link.joint.kind != "cylindrical" else (0.0, 0.0, 0.0)
    I = np.array(body.inertia_about(point))
    axes = np.array([list(S.w) for S in turns])
    return bool(np.linalg.eigvalsh(axes @ I @ axes.T)[0] <= NOTHING * np.trace(I))

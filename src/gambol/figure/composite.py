"""Composite rigid bodies: each link with its whole subtree as one body, every joint at rest.

    I_c(i) = I(i) + sum over children j of I_c(j) seen from i     [Featherstone 2008, table 6.2]

A joint whose subtree has no inertia along it cannot be simulated: its acceleration would be a division by zero.
"""

from collections.abc import Sequence

import numpy as np

from gambol.errors import FigureError
from gambol.figure.joint import subspace
from gambol.figure.link import PlacedLink
from gambol.figure.mass import MassProperties, combine

NOTHING = 1e-12  # of the largest moment: a moment below it is rounding of 0


def composite_bodies(links: Sequence[PlacedLink]) -> dict[int, MassProperties]:
    """Return mass properties of each link's subtree, itself included, at rest, in that link's frame, by its index.

    links: numbered, parents first.
    """
    bodies: dict[int, list[MassProperties]] = {link.index: [link.mass_properties] for link in links}
    composites: dict[int, MassProperties] = {}
    for link in reversed(links):
        composites[link.index] = combine(bodies[link.index])
        if link.parent_index in bodies:
            in_parent = composites[link.index].placed(link.joint.rotation, link.joint.position)
            bodies[link.parent_index].append(in_parent)
    return composites


def check_subtrees(links: Sequence[PlacedLink]) -> None:
    """Raise FigureError for a joint that could move without moving any mass.

    A massless link inside a limb is fine, and so is a fixed one: it marks a place, or is an obstacle.
    """
    composites = composite_bodies(links)
    moving: set[int] = set()  # links whose composite inertia depends on q, so that it is not checked at rest
    for link in reversed(links):
        if link.index in moving or link.joint.kind != "fixed":
            moving.add(link.parent_index)
        body, of = composites[link.index], f'link "{link.name}" and what hangs on it'
        if body.mass <= 0.0 and link.joint.kind != "fixed":
            raise FigureError(f"{of} have no mass; give it a part that is inertial or a given_mass")
        if link.index not in moving and _turns_nothing(link, body):
            raise FigureError(
                f"{of} resist no turn about an axis of its joint; give an inertia, or move the mass off it"
            )


def _turns_nothing(link: PlacedLink, body: MassProperties) -> bool:
    """Return True where a rotation that the joint allows has no moment of inertia; slides move the whole mass."""
    turns = [S for S in subspace(link.joint) if list(S.w) != [0.0, 0.0, 0.0]]
    if not turns or link.joint.armature > 0.0:
        return False
    free = len(turns) < len(
        subspace(link.joint)
    )  # where the joint also slides, the body may turn about its centre of mass
    point = body.com if free and link.joint.kind != "cylindrical" else (0.0, 0.0, 0.0)
    I = np.array(body.inertia_about(point))
    axes = np.array([list(S.w) for S in turns])
    return bool(np.linalg.eigvalsh(axes @ I @ axes.T)[0] <= NOTHING * np.trace(I))

"""Composite rigid bodies: each link with its whole subtree as one body, with all joints at rest.

    I_c(i) = I(i) + sum over children j of I_c(j) in frame i     [Featherstone 2008, table 6.2]

A joint whose subtree has no inertia along it cannot be simulated: its acceleration would be divided by zero.
"""

from collections.abc import Sequence

import numpy as np

from gambol.errors import FigureError
from gambol.figure.joint import subspace
from gambol.figure.link import PlacedLink
from gambol.figure.mass import MassProperties, combine

MOMENT_TOLERANCE = 1e-12  # of the largest moment: a smaller moment is a rounding error of 0


def composite_bodies(links: Sequence[PlacedLink]) -> dict[int, MassProperties]:
    """Return the mass properties of each link's subtree at rest, in the frame of the link, by link number.

    links: links of a figure, parents first. The subtree includes the link.
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

    Massless links inside a limb are valid. So are fixed massless links, such as markers and obstacles.
    """
    composites = composite_bodies(links)
    moving: set[int] = set()  # links whose composite inertia depends on q, so that it is not checked at rest
    for link in reversed(links):
        if link.index in moving or not link.is_fixed:
            moving.add(link.parent_index)
        body, subject = composites[link.index], f'link "{link.name}" and its subtree'
        if body.mass <= 0.0 and not link.is_fixed:
            raise FigureError(f"{subject} have no mass; give the link an inertial part or a given_mass")
        if link.index not in moving and _lacks_moment(link, body):
            raise FigureError(
                f"{subject} have no inertia about an axis of its joint; give an inertia, or move the mass off the axis"
            )


def _lacks_moment(link: PlacedLink, body: MassProperties) -> bool:
    """Return True if the moment of inertia of a rotation that the joint allows is 0; slides move the whole mass."""
    columns = subspace(link.joint)
    rotations = [S for S in columns if list(S.w) != [0.0, 0.0, 0.0]]
    if not rotations or link.joint.armature > 0.0:
        return False
    slides = [S for S in columns if list(S.w) == [0.0, 0.0, 0.0]]
    has_slides = any(list(turn.w.cross(slide.v)) != [0.0, 0.0, 0.0] for turn in rotations for slide in slides)
    point = body.com if has_slides else (0.0, 0.0, 0.0)  # slides across an axis let it turn about the centre of mass
    I = np.array(body.inertia_about(point))
    axes = np.array([list(S.w) for S in rotations])
    return bool(np.linalg.eigvalsh(axes @ I @ axes.T)[0] <= MOMENT_TOLERANCE * np.trace(I))

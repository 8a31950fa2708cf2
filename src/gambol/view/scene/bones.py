"""Bones: sticks between joints and dots at centres of mass, drawn for links without shapes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.figure import Closure, Figure, PlacedLink
from gambol.view.scene.look import BONE_RADIUS, MAX_DOT_RADIUS
from gambol.world.film import FilmShape

Point = NDArray[np.float64]
COINCIDENCE_TOLERANCE = 1e-6  # of the longest bone: no bone is drawn between points closer than this


def bones(figure: Figure) -> tuple[FilmShape, ...]:
    """Return shapes for all links without shapes; if other links have shapes, only for links with mass.

    Sticks lead from each joint to its children's joints, to loop closures and to the centre of mass. There is a dot at
    the centre of mass. The volume of the dot is proportional to the mass, unless its radius would be smaller than the
    radius of a stick.
    """
    ends = {link.index: _bone_ends(figure, link) for link in figure.links}
    max_bone_length = max(float(np.linalg.norm(end)) for link_ends in ends.values() for end in link_ends) or 1.0
    heaviest = max(link.mass_properties.mass for link in figure.links)
    has_shapes = any(link.parts or link.visuals for link in figure.links)
    shapes: list[FilmShape] = []
    for link in figure.links:
        mass = link.mass_properties.mass
        if (
            link.parts or link.visuals or (has_shapes and not mass)
        ):  # a massless link between two joints would look like a post
            continue
        if link is figure.root and len(figure.roots) > 1:  # the root of a forest belongs to no figure
            continue
        shapes += [
            _stick(link, end, BONE_RADIUS * max_bone_length)
            for end in ends[link.index]
            if np.linalg.norm(end) > COINCIDENCE_TOLERANCE * max_bone_length
        ]
        if mass > 0.0:
            radius = MAX_DOT_RADIUS * max_bone_length * (mass / heaviest) ** (1 / 3)
            shapes.append(
                _shape(link, "sphere", (max(radius, BONE_RADIUS * max_bone_length),), link.mass_properties.com)
            )
    return tuple(shapes)


def _bone_ends(figure: Figure, link: PlacedLink) -> list[Point]:
    """Return the ends of a link's bones: its children's joints, its loop closures, and its centre of mass."""
    ends = [child.joint.position for child in figure.links if child.parent_index == link.index]
    for constraint in figure.constraints:
        if isinstance(constraint, Closure):
            ends += [constraint.position] if constraint.link == link.name else []
            ends += [constraint.other_position] if constraint.other == link.name else []
    return [np.array(end) for end in (*ends, link.mass_properties.com)]


def _stick(link: PlacedLink, end: Point, radius: float) -> FilmShape:
    """Return a capsule from the origin of the link to a point in its frame."""
    length = float(np.linalg.norm(end))
    return _shape(link, "capsule", (radius, length), end / 2.0, _rotation_from_z(end / length))


def _rotation_from_z(direction: Point) -> tuple[float, float, float, float]:
    """Return the quaternion of the shortest rotation from z to a direction."""
    if direction[2] < -1.0 + 1e-12:
        return (0.0, 1.0, 0.0, 0.0)
    q = np.array([1.0 + direction[2], -direction[1], direction[0], 0.0])
    w, x, y, z = (float(c) for c in q / np.linalg.norm(q))
    return (w, x, y, z)


def _shape(
    link: PlacedLink,
    kind: str,
    size: tuple[float, ...],
    position: Sequence[float] | Point,
    quaternion: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0),
) -> FilmShape:
    x, y, z = (float(c) for c in position)
    return FilmShape(link.index - 1, kind, size, (x, y, z), quaternion)

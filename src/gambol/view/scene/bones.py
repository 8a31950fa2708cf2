"""Bones: what links without shapes look like: sticks from joint to joint, and dots where their mass is."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.figure import Closure, Figure, PlacedLink
from gambol.view.scene.look import BONE, HEAVIEST
from gambol.world.film import FilmShape

Point = NDArray[np.float64]
SAME = 1e-6  # of the figure's reach: points nearer to each other have no bone between them


def bones(figure: Figure) -> tuple[FilmShape, ...]:
    """Shapes for all links that have none of their own; where others have some, for those with a mass only.

    A stick leads from each joint to the next ones, to where loops are closed, and to the centre of mass, where a dot
    is: its volume is as the link's mass, and the heaviest link's radius a fixed part of the longest way within a link.
    """
    ends = {link.index: _ends(figure, link) for link in figure.links}
    reach = max(float(np.linalg.norm(end)) for each in ends.values() for end in each) or 1.0
    heaviest = max(link.mass_properties.mass for link in figure.links)
    drawn = any(link.parts for link in figure.links)
    made: list[FilmShape] = []
    for link in figure.links:
        mass = link.mass_properties.mass
        if link.parts or (drawn and not mass):  # what only stands between two joints would look like a post
            continue
        if link is figure.root and len(figure.roots) > 1:  # a forest's root holds what has nothing to do with it
            continue
        made += [_stick(link, end, BONE * reach) for end in ends[link.index] if np.linalg.norm(end) > SAME * reach]
        if mass > 0.0:
            radius = HEAVIEST * reach * (mass / heaviest) ** (1 / 3)
            made.append(_shape(link, "sphere", (max(radius, BONE * reach),), link.mass_properties.com))
    return tuple(made)


def _ends(figure: Figure, link: PlacedLink) -> list[Point]:
    """What bones lead to from a link's own joint: its children's joints, what closes loops, and its centre of mass."""
    ends = [child.joint.position for child in figure.links if child.parent_index == link.index]
    for tie in figure.constraints:
        if isinstance(tie, Closure):
            ends += [tie.position] if tie.link == link.name else []
            ends += [tie.other_position] if tie.other == link.name else []
    return [np.array(end) for end in (*ends, link.mass_properties.com)]


def _stick(link: PlacedLink, end: Point, radius: float) -> FilmShape:
    """A capsule from the link's origin to a point in its frame."""
    length = float(np.linalg.norm(end))
    return _shape(link, "capsule", (radius, length), end / 2.0, _turn_to(end / length))


def _turn_to(way: Point) -> tuple[float, float, float, float]:
    """The quaternion of the shortest turn that leads z to a direction."""
    if way[2] < -1.0 + 1e-12:
        return (0.0, 1.0, 0.0, 0.0)
    q = np.array([1.0 + way[2], -way[1], way[0], 0.0])
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

"""For how many contacts at once a world has room, by what may stand on the ground and what may lie on what."""

from collections.abc import Iterator

from gambol.collide.broad import Pair
from gambol.collide.pairs import slots
from gambol.figure import Figure, PlacedLink

ROOM = 12
"""Contacts at once of one figure, at least: two feet with four corners and a hand, or four feet with three."""

RESTING = 6
"""More contacts at once for each further figure of a forest: a box rests on four, and some lean on two others."""


def room_for(figure: Figure, pairs: tuple[Pair, ...], solid: bool) -> int:
    """The contacts at once that a world has room for if nothing is said: ROOM, or more where more stand or lie.

    All feet of a figure may stand: the links that carry nothing, each by the part with the most contacts with the
    ground. Each further tree of a forest that can move adds RESTING. Never more than there may be. solid: whether there
    is a ground.
    """
    trees = sum(1 for link in figure.links if _is_root(figure, link))
    carrying = {link.parent_index for link in figure.links}
    leaves = [link for link in figure.links if link.index not in carrying] if solid else []
    feet = sum(max(_each_below(link), default=0) for link in leaves)
    among = sum(slots(*(part.shape.kind for part in pair.parts(figure))) for pair in pairs)
    below = sum(sum(_each_below(link)) for link in figure.links) if solid else 0
    resting = RESTING * (trees - 1) if among else 0
    return max(1, min(below + among, max(ROOM, feet) + resting))


def _is_root(figure: Figure, link: PlacedLink) -> bool:
    """Whether a link is the first of its tree that moves."""
    if link.joint.kind == "fixed":
        return False
    return all(above.joint.kind == "fixed" for above in figure.carriers(link.parent_index))


def _each_below(link: PlacedLink) -> Iterator[int]:
    """The contacts with the ground that each part of a link may have."""
    return (slots(part.shape.kind, "plane") for part in link.parts if part.contact_points())

"""The default contact capacity of a world, from the contacts that its parts can have."""

from collections.abc import Iterator

from gambol.collide.broad import Pair
from gambol.collide.pairs import slots
from gambol.figure import Figure, PlacedLink

MIN_FIGURE_CONTACTS = 12
"""Minimum capacity of a figure: two feet with four corners and a hand, or four feet with three corners."""

CONTACTS_PER_TREE = 6
"""Additional contacts for each further figure of a forest: a box rests on four, and some boxes touch two others."""


def default_max_contacts(figure: Figure, pairs: tuple[Pair, ...], has_ground: bool) -> int:
    """Return the default number of simultaneous contacts of a world.

    It is enough for all feet to stand, but at least MIN_FIGURE_CONTACTS. Feet are the links without children, each with
    the contacts of the part that has most of them with the ground. Each further movable tree of a forest adds
    CONTACTS_PER_TREE. The number of possible contacts is the upper limit.
    pairs: parts that may touch each other; has_ground: True if there is a ground.
    """
    trees = sum(1 for link in figure.links if _is_root(figure, link))
    parents = {link.parent_index for link in figure.links}
    leaves = [link for link in figure.links if link.index not in parents] if has_ground else []
    foot_contacts = sum(max(_ground_slots(link), default=0) for link in leaves)
    pair_contacts = sum(slots(*(part.shape.kind for part in pair.parts(figure))) for pair in pairs)
    ground_contacts = sum(sum(_ground_slots(link)) for link in figure.links) if has_ground else 0
    additional = CONTACTS_PER_TREE * (trees - 1) if pair_contacts else 0
    return max(1, min(ground_contacts + pair_contacts, max(MIN_FIGURE_CONTACTS, foot_contacts) + additional))


def _is_root(figure: Figure, link: PlacedLink) -> bool:
    """Return True if a link is the first movable link of its tree."""
    if link.is_fixed:
        return False
    return all(ancestor.is_fixed for ancestor in figure.path_to_root(link.parent_index))


def _ground_slots(link: PlacedLink) -> Iterator[int]:
    """Yield the possible number of contacts with the ground of each part of a link."""
    return (slots(part.shape.kind, "plane") for part in link.parts if part.contact_points())

"""The default capacity for contacts of a world, from what may stand on the ground and what may lie on what."""

from collections.abc import Iterator

from gambol.collide.broad import Pair
from gambol.collide.pairs import slots
from gambol.figure import Figure, PlacedLink

FIGURE_CONTACTS = 12
"""Least capacity of one figure: two feet with four corners and a hand, or four feet with three."""

CONTACTS_PER_TREE = 6
"""Additional contacts for each further figure of a forest: a box rests on four, and some lean on two others."""


def default_max_contacts(figure: Figure, pairs: tuple[Pair, ...], has_ground: bool) -> int:
    """Return the default number of contacts at once: FIGURE_CONTACTS, or more where more parts can stand or lie.

    All feet of a figure may stand: links that carry nothing, each by the part with the most contacts with the ground.
    Each further movable tree of a forest adds CONTACTS_PER_TREE. Never more than there can be. pairs: parts that may
    touch each other; has_ground: True where there is a ground.
    """
    trees = sum(1 for link in figure.links if _is_root(figure, link))
    parents = {link.parent_index for link in figure.links}
    leaves = [link for link in figure.links if link.index not in parents] if has_ground else []
    feet = sum(max(_ground_slots(link), default=0) for link in leaves)
    of_pairs = sum(slots(*(part.shape.kind for part in pair.parts(figure))) for pair in pairs)
    on_ground = sum(sum(_ground_slots(link)) for link in figure.links) if has_ground else 0
    more = CONTACTS_PER_TREE * (trees - 1) if of_pairs else 0
    return max(1, min(on_ground + of_pairs, max(FIGURE_CONTACTS, feet) + more))


def _is_root(figure: Figure, link: PlacedLink) -> bool:
    """True where a link is the first of its tree that moves."""
    if link.joint.kind == "fixed":
        return False
    return all(above.joint.kind == "fixed" for above in figure.path_to_root(link.parent_index))


def _ground_slots(link: PlacedLink) -> Iterator[int]:
    """Yield the possible number of contacts with the ground of each part of a link."""
    return (slots(part.shape.kind, "plane") for part in link.parts if part.contact_points())

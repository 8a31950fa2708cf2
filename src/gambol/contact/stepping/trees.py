"""Trees: the independent trees of a kinematic forest, each with its own time of the first bounce.

A figure is one tree. In a forest, a bounce in one tree must not disturb another tree that stands: the step of each tree
is split at its own first bounce.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gambol.contact.stepping.bounce import HORIZON, Arrival
from gambol.contact.stepping.contact import Contact
from gambol.figure import Figure
from gambol.lanes import Scalar, maximum, minimum, where
from gambol.spatial.rotation import is_constant


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree: the numbers of its links, the root first, and of their degrees of freedom."""

    links: tuple[int, ...]
    freedoms: tuple[int, ...]

    def touched_by(self, contact: Contact) -> Scalar:
        """Return 1 where a contact acts on a link of the tree, else 0."""
        signs = [contact.signs[i] for i in self.links if i in contact.signs]
        if any(is_constant(abs(sign), 1.0) for sign in signs):
            return 1.0
        touches: Scalar = 0.0
        for sign in signs:
            touches = maximum(abs(sign), touches)
        return touches

    def has_any(self, freedoms: Iterable[int]) -> Scalar:
        """Return 1 where some of these degrees of freedom belong to the tree, else 0."""
        return 1.0 if set(freedoms) & set(self.freedoms) else 0.0


def trees(figure: Figure) -> tuple[Tree, ...]:
    """Return the trees of a figure: one for each moving link whose ancestors do not move."""
    return _trees(tuple((link.parent_index, link.v.start, link.v.stop) for link in figure.links))


@lru_cache(maxsize=256)
def _trees(links: tuple[tuple[int, int, int], ...]) -> tuple[Tree, ...]:
    """Return trees from each link's parent number and freedoms: structure only, so that no traced values are cached."""
    root_of = {0: 0}  # root of each link's tree, 0 if the link cannot move
    for number, (parent, start, end) in enumerate(links, start=1):
        root_of[number] = root_of[parent] or (number if end > start else 0)
    result: list[Tree] = []
    for root in dict.fromkeys(filter(None, root_of.values())):
        members = tuple(number for number, tree_root in root_of.items() if tree_root == root)
        result.append(Tree(members, tuple(k for number in members for k in range(*links[number - 1][1:]))))
    return tuple(result)


@dataclass(frozen=True, slots=True)
class TreeSplit:
    """The split of a tree's step by its contacts.

    bounced: 1 where a contact bounced; has_event: 1 where one bounced or landed; time: of the first event, from the
    start of the step [s].
    """

    bounced: Scalar
    has_event: Scalar
    time: Scalar


def first_event(mask: Sequence[Scalar], arrivals: Sequence[Arrival], h: Scalar) -> Scalar:
    """Return the time of a tree's first landing or bounce, from the start of a step of h [s]; HORIZON h if none.

    mask: 1 for each contact and limit that acts on the tree, else 0; arrivals: of the same contacts and limits.
    """
    first = HORIZON * h
    for acts, arrival in zip(mask, arrivals, strict=True):
        if not is_constant(acts, 0.0):
            first = where(acts > 0.5, minimum(arrival.time, first), first)
    return first


def tree_split(mask: Sequence[Scalar], arrivals: Sequence[Arrival], first: Scalar) -> TreeSplit:
    """Return the split of a tree's step.

    mask, arrivals: as for first_event(); first: the time of the tree's first event [s].
    """
    bounced: Scalar = 0.0
    has_event: Scalar = 0.0
    for acts, arrival in zip(mask, arrivals, strict=True):
        if is_constant(acts, 0.0):
            continue
        event = arrival.lands
        if not is_constant(arrival.bounces, 0.0):
            bounced = where(acts > 0.5, maximum(arrival.bounces, bounced), bounced)
            event = maximum(arrival.bounces, event)
        has_event = where(acts > 0.5, maximum(event, has_event), has_event)
    return TreeSplit(bounced, has_event, first)

"""Trees: the parts of a kinematic forest that move independently, each with its own time of the first bounce.

A figure is one tree. In a forest a bounce in one tree must not disturb another that stands: the step of each tree is
split at its own first bounce.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gambol.contact.stepping.bounce import HORIZON, Arrival
from gambol.contact.stepping.contact import Contact
from gambol.figure import Figure
from gambol.lanes import Scalar, maximum, minimum, where
from gambol.spatial.rotation import exactly


@dataclass(frozen=True, slots=True)
class Tree:
    """The links of one tree, by number, the root first; their freedoms, by number."""

    links: tuple[int, ...]
    freedoms: tuple[int, ...]

    def touched_by(self, contact: Contact) -> Scalar:
        """Return 1 where a contact acts on one of its links, else 0."""
        signs = [contact.signs[i] for i in self.links if i in contact.signs]
        if any(exactly(abs(sign), 1.0) for sign in signs):
            return 1.0
        touches: Scalar = 0.0
        for sign in signs:
            touches = maximum(abs(sign), touches)
        return touches

    def has_any(self, freedoms: Iterable[int]) -> Scalar:
        """Return 1 where it has one of these freedoms, else 0."""
        return 1.0 if set(freedoms) & set(self.freedoms) else 0.0


def trees(figure: Figure) -> tuple[Tree, ...]:
    """Return the trees of a figure: one for each moving link that no moving link carries."""
    return _trees(tuple((link.parent_index, link.v.start, link.v.stop) for link in figure.links))


@lru_cache(maxsize=256)
def _trees(links: tuple[tuple[int, int, int], ...]) -> tuple[Tree, ...]:
    """Return trees from each link's parent number and freedoms: structure only, so that nothing traced is cached."""
    first = {0: 0}  # root of each link's tree, 0 where nothing moves it
    for number, (parent, begin, end) in enumerate(links, start=1):
        first[number] = first[parent] or (number if end > begin else 0)
    result: list[Tree] = []
    for root in dict.fromkeys(filter(None, first.values())):
        members = tuple(number for number, carrier in first.items() if carrier == root)
        result.append(Tree(members, tuple(k for number in members for k in range(*links[number - 1][1:]))))
    return tuple(result)


@dataclass(frozen=True, slots=True)
class TreeSplit:
    """Effect of the contacts on a tree: bounced: 1 where one bounced; split: 1 where one bounced or landed; time: of
    the first that did, from the begin of the step [s].
    """

    bounced: Scalar
    split: Scalar
    time: Scalar


def first_event(touches: Sequence[Scalar], arrivals: Sequence[Arrival], h: Scalar) -> Scalar:
    """Return the time of a tree's first landing or bounce, from the begin of a step of h [s]; HORIZON h if none."""
    first = HORIZON * h
    for touch, arrival in zip(touches, arrivals, strict=True):
        if not exactly(touch, 0.0):
            first = where(touch > 0.5, minimum(arrival.time, first), first)
    return first


def tree_split(touches: Sequence[Scalar], arrivals: Sequence[Arrival], first: Scalar) -> TreeSplit:
    """Return the effect of contacts on a tree in a step; first: the time of its first event [s]."""
    bounced: Scalar = 0.0
    split: Scalar = 0.0
    for touch, arrival in zip(touches, arrivals, strict=True):
        if exactly(touch, 0.0):
            continue
        both = arrival.lands
        if not exactly(arrival.bounces, 0.0):
            bounced = where(touch > 0.5, maximum(arrival.bounces, bounced), bounced)
            both = maximum(arrival.bounces, both)
        split = where(touch > 0.5, maximum(both, split), split)
    return TreeSplit(bounced, split, first)

"""Trees: the parts of a forest that move by themselves, each with a time of its own at which it bounces.

A figure is one tree. In a forest what bounces in one tree must not disturb another that stands: the step of each is
split at its own first bounce.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gambol.contact.stepping.bounce import LAST, Arrival
from gambol.contact.stepping.meeting import Meeting
from gambol.figure import Figure
from gambol.lanes import Scalar, maximum, minimum, where
from gambol.spatial.rotation import exactly


@dataclass(frozen=True, slots=True)
class Tree:
    """Links that hang together, by number, of which the first carries the others; their freedoms, by number."""

    links: tuple[int, ...]
    freedoms: tuple[int, ...]

    def touched(self, meeting: Meeting) -> Scalar:
        """1 where a contact moves one of its links, else 0."""
        signs = [meeting.carried[i] for i in self.links if i in meeting.carried]
        if any(exactly(abs(sign), 1.0) for sign in signs):
            return 1.0
        touches: Scalar = 0.0
        for sign in signs:
            touches = maximum(abs(sign), touches)
        return touches

    def held(self, freedoms: Iterable[int]) -> Scalar:
        """1 where one of its freedoms is among some, else 0."""
        return 1.0 if set(freedoms) & set(self.freedoms) else 0.0


def trees(figure: Figure) -> tuple[Tree, ...]:
    """The trees of a figure: one for every link that moves and that nothing that moves carries."""
    return _trees(tuple((link.parent_index, link.v.start, link.v.stop) for link in figure.links))


@lru_cache(maxsize=256)
def _trees(links: tuple[tuple[int, int, int], ...]) -> tuple[Tree, ...]:
    """The trees of links told by their parent's number and the range of their freedoms: so nothing traced is kept."""
    first = {0: 0}  # of the tree that a link belongs to, 0 where nothing moves it
    for number, (parent, begin, end) in enumerate(links, start=1):
        first[number] = first[parent] or (number if end > begin else 0)
    found: list[Tree] = []
    for root in dict.fromkeys(filter(None, first.values())):
        own = tuple(number for number, carrier in first.items() if carrier == root)
        found.append(Tree(own, tuple(k for number in own for k in range(*links[number - 1][1:]))))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class TreeStep:
    """What contacts did to a tree: bounced: 1 where one bounced; split: 1 where one bounced or landed; time: of the
    first that did, from the step's begin [s].
    """

    bounced: Scalar
    split: Scalar
    time: Scalar


def first_time(touches: Sequence[Scalar], arrivals: Sequence[Arrival], h: Scalar) -> Scalar:
    """When the first arrival that touches a tree lands or bounces, from the begin of a step of h [s]; else LAST h."""
    first = LAST * h
    for here, one in zip(touches, arrivals, strict=True):
        if not exactly(here, 0.0):
            first = where(here > 0.5, minimum(one.time, first), first)
    return first


def tree_step(touches: Sequence[Scalar], arrivals: Sequence[Arrival], first: Scalar) -> TreeStep:
    """What contacts did to a tree in a step; first: when the first of them did [s]."""
    bounced: Scalar = 0.0
    split: Scalar = 0.0
    for here, one in zip(touches, arrivals, strict=True):
        if exactly(here, 0.0):
            continue
        both = one.lands
        if not exactly(one.bounces, 0.0):
            bounced = where(here > 0.5, maximum(one.bounces, bounced), bounced)
            both = maximum(one.bounces, both)
        split = where(here > 0.5, maximum(both, split), split)
    return TreeStep(bounced, split, first)

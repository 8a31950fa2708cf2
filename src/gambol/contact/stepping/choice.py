"""The few contacts of a step among the many that may be: those with the smallest gaps.

A step has room for so many contacts: its work and memory must not depend on what happens. A figure with more places
to touch with fills the room anew in every step: each contact that may be takes the place of the one with the largest
gap, if its own is smaller. What finds no room is deeper in the next step, and found then. Its impulse goes with a
contact from place to place.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from gambol.collide.gap import FAR
from gambol.contact.stepping.meeting import Meeting
from gambol.figure import Figure
from gambol.figure.anybody import told
from gambol.lanes import Scalar, Subprogram, leaves, mapped, maximum, rebuilt, when, where
from gambol.spatial import Vector

NOBODY = -1.0
"""The number of the contact at a place that has none."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A contact that may be.

    number: its own. link, other: the numbers of its links in depth_first() order, 0 for the world. gap: negative inside
    [m]. point, normal, friction, restitution, held: as of a Meeting. While places are filled, what is the same for all
    contacts is None.
    """

    number: Scalar
    link: Scalar
    gap: Scalar
    point: Vector
    normal: Vector | None
    friction: Scalar | None
    restitution: Scalar | None = 0.0
    other: Scalar | None = 0.0
    held: Scalar | None = None

    def without(self, shared: Iterable[str]) -> "Candidate":
        """The same contact, with None for those of its fields that all have alike."""
        return replace(self, **dict.fromkeys(shared))


def empty(like: Candidate, room: int) -> list[Candidate]:
    """Room for so many contacts, in the form of one of them."""
    blank = mapped(lambda _: 0.0, like)
    return [replace(blank, number=NOBODY, gap=FAR) for _ in range(room)]


def entered(places: Sequence[Candidate], new: Candidate) -> list[Candidate]:
    """The places after a contact took that of the largest gap, of equals the first, if its own gap is smaller."""
    largest = places[0].gap
    for one in places[1:]:
        largest = maximum(one.gap, largest)
    free, made = where(new.gap < largest, 1.0, 0.0), list[Candidate]()
    for one in places:
        taken = (one.gap >= largest) & (free > 0.5)
        pairs = zip(leaves(new), leaves(one), strict=True)
        made.append(rebuilt(one, iter([where(taken, x, y) for x, y in pairs])))
        free = where(taken, 0.0, free)
    return made


def lined_up(seen: Sequence[Candidate], blank: Candidate, room: int) -> tuple[list[Candidate], Scalar]:
    """Contacts that are near in places one after the other, in their order, and how many there are.

    Those for which there is no room are counted and have no place. A contact can be no farther back than all before it
    would push it: the first has one place to go to, the second two.
    """
    places, count, late = [blank] * room, 0.0, Subprogram(_appended)
    for before, one in enumerate(seen):
        reach = min(before + 1, room)
        add = _appended if reach < room else late
        front, count = when(one.gap < FAR, add, one, places[:reach], count, otherwise=(places[:reach], count))
        places = [*front, *places[reach:]]
    return places, count


def _appended(new: Candidate, places: list[Candidate], count: Scalar) -> tuple[list[Candidate], Scalar]:
    """Places of which so many are taken, with a contact in the next one, and how many are taken then."""
    made: list[Candidate] = []
    for k, one in enumerate(places):
        pairs, here = zip(leaves(new), leaves(one), strict=True), count == float(k)
        made.append(rebuilt(one, iter([where(here, x, y) for x, y in pairs])))
    return made, count + 1.0


def met(figure: Figure, places: Sequence[Candidate], like: Candidate) -> list[Meeting]:
    """The contacts at all places as meetings; like: one that has what is the same for all."""
    order, last = depth_first(figure)
    made: list[Meeting] = []
    for one in places:
        carried: dict[int, Scalar] = {}
        for link in figure.links:
            first, final = float(order[link.index]), 1.0 * last[link.index]
            sign = where((one.link >= first) & (one.link <= final), 1.0, 0.0)
            if one.other is not None:
                sign = sign - where((one.other >= first) & (one.other <= final), 1.0, 0.0)
            carried[link.index] = sign
        rest = {name: getattr(one, name) for name in SHARED}
        rest = {name: getattr(like, name) if x is None else x for name, x in rest.items()}
        made.append(Meeting(carried, one.point, gap=one.gap, **rest))
    return made


SHARED = ("normal", "friction", "restitution", "held")
"""What a meeting takes from one contact where it is the same for all."""


def depth_first(figure: Figure) -> tuple[Mapping[int, int], Mapping[int, Scalar]]:
    """New numbers of all links in which whatever a link carries follows it, and the last of what each carries.

    The world keeps 0, which no link carries. A tree told as data is numbered so already.
    """
    if told(figure):
        ends = {link.index: link.joint.reach for link in figure.links if link.joint.reach is not None}
        return {n: n for n in range(len(figure.links) + 1)}, {figure.root.index: float(len(figure.links)), **ends}
    order, last = {0: 0}, dict[int, int]()
    waiting = [link.index for link in figure.links if not link.parent_index]
    while waiting:
        index = waiting.pop()
        order[index] = len(order)
        waiting += [link.index for link in figure.inward() if link.parent_index == index]
    for link in figure.inward():
        last[link.index] = max(last.get(link.index, 0), order[link.index])
        last[link.parent_index] = max(last.get(link.parent_index, 0), last[link.index])
    return order, last


def followed(
    numbers: Sequence[Scalar], before: Sequence[Scalar], impulses: Sequence[Sequence[Scalar]]
) -> list[list[Scalar]]:
    """What contacts of these numbers, whose numbers were others then, had in the step before; 0 for new ones."""
    found: list[list[Scalar]] = []
    for number in numbers:
        mine: list[Scalar] = [0.0] * 3
        for old, impulse in zip(before, impulses, strict=True):
            same = number == old
            mine = [where(same, x, y) for x, y in zip(impulse, mine, strict=True)]
        found.append(mine)
    return found

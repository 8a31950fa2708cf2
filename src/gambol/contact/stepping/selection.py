"""Selection of the contacts with the smallest gaps, where a world has more possible contacts than a step can hold.

A step holds max_contacts contacts: its work and memory must not depend on what happens. A figure with more possible
contacts fills these slots anew in every step: each possible contact replaces the one with the largest gap, if its own
is smaller. A contact without a slot is deeper in the next step, and found then. Cached impulses follow their contact
from slot to slot.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from gambol.collide.gap import FAR
from gambol.contact.stepping.contact import Contact
from gambol.figure import Figure
from gambol.figure.template import has_variable_topology
from gambol.lanes import Scalar, Subprogram, leaves, maximum, tree_map, unflatten, when, where
from gambol.spatial import Vector

NO_CONTACT = -1.0
"""Number of the contact in an empty slot."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible contact.

    number: its own. link, other: numbers of its links in depth_first() order, 0 for the world. gap: negative in
    penetration [m]. point, normal, friction, restitution, held: as of a Contact. While slots are filled, fields that
    are the same for all contacts are None.
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
        """Return the same contact with None in the fields that all contacts share."""
        return replace(self, **dict.fromkeys(shared))


def empty_slots(like: Candidate, max_contacts: int) -> list[Candidate]:
    """Return max_contacts empty slots, in the form of a given candidate."""
    blank = tree_map(lambda _: 0.0, like)
    return [replace(blank, number=NO_CONTACT, gap=FAR) for _ in range(max_contacts)]


def insert_nearest(slots: Sequence[Candidate], new: Candidate) -> list[Candidate]:
    """Return the slots after a candidate replaced the one with the largest gap, the first of equals, if nearer."""
    largest = slots[0].gap
    for one in slots[1:]:
        largest = maximum(one.gap, largest)
    free, result = where(new.gap < largest, 1.0, 0.0), list[Candidate]()
    for one in slots:
        takes = (one.gap >= largest) & (free > 0.5)
        pairs = zip(leaves(new), leaves(one), strict=True)
        result.append(unflatten(one, iter([where(takes, x, y) for x, y in pairs])))
        free = where(takes, 0.0, free)
    return result


def compacted(candidates: Sequence[Candidate], blank: Candidate, max_contacts: int) -> tuple[list[Candidate], Scalar]:
    """Return the near candidates in consecutive slots, in their order, and the number of near candidates.

    candidates: possible contacts; blank: an empty slot; max_contacts: number of slots. Near candidates beyond the
    capacity are counted and have no slot. A contact lies no further back than its own position: the first has one
    possible slot, the second two.
    """
    slots, count, append = [blank] * max_contacts, 0.0, Subprogram(_appended)
    for before, one in enumerate(candidates):
        reach = min(before + 1, max_contacts)
        add = _appended if reach < max_contacts else append
        front, count = when(one.gap < FAR, add, one, slots[:reach], count, otherwise=(slots[:reach], count))
        slots = [*front, *slots[reach:]]
    return slots, count


def _appended(new: Candidate, slots: list[Candidate], count: Scalar) -> tuple[list[Candidate], Scalar]:
    """Return the slots with a candidate in slot number count, and the new count."""
    result: list[Candidate] = []
    for k, one in enumerate(slots):
        pairs, here = zip(leaves(new), leaves(one), strict=True), count == float(k)
        result.append(unflatten(one, iter([where(here, x, y) for x, y in pairs])))
    return result, count + 1.0


def contacts_at(figure: Figure, slots: Sequence[Candidate], like: Candidate) -> list[Contact]:
    """Return the contacts in all slots; like: a candidate with the fields that all contacts share."""
    order, last = depth_first(figure)
    result: list[Contact] = []
    for one in slots:
        signs: dict[int, Scalar] = {}
        for link in figure.links:
            first, final = float(order[link.index]), 1.0 * last[link.index]
            sign = where((one.link >= first) & (one.link <= final), 1.0, 0.0)
            if one.other is not None:
                sign = sign - where((one.other >= first) & (one.other <= final), 1.0, 0.0)
            signs[link.index] = sign
        rest = {name: getattr(one, name) for name in CONTACT_FIELDS}
        rest = {name: getattr(like, name) if x is None else x for name, x in rest.items()}
        result.append(Contact(signs, one.point, gap=one.gap, **rest))
    return result


CONTACT_FIELDS = ("normal", "friction", "restitution", "held")
"""Fields of a Contact that may be the same for all contacts."""


def depth_first(figure: Figure) -> tuple[Mapping[int, int], Mapping[int, Scalar]]:
    """Return depth-first numbers of all links, in which descendants follow their link, and the last descendant of each.

    The world keeps 0 and has no joint. A figure with variable topology is numbered so already.
    """
    if has_variable_topology(figure):
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


def matched_values(
    numbers: Sequence[Scalar], before: Sequence[Scalar], impulses: Sequence[Sequence[Scalar]]
) -> list[list[Scalar]]:
    """Return the values (3 each) that contacts with these numbers had in the step before, 0 for new ones.

    numbers: of the contacts now; before: of the contacts then; impulses: their values then, such as impulses or speeds.
    """
    result: list[list[Scalar]] = []
    for number in numbers:
        value: list[Scalar] = [0.0] * 3
        for old, impulse in zip(before, impulses, strict=True):
            same = number == old
            value = [where(same, x, y) for x, y in zip(impulse, value, strict=True)]
        result.append(value)
    return result

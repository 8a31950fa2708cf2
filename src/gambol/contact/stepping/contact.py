"""Contacts of a velocity step, the three directions of an impulse, and the selection of the nearest contacts.

A step holds at most max_contacts contacts, so that its work and memory do not depend on the state. If a figure has more
possible contacts, the slots are filled anew in every step: each possible contact replaces the one with the largest gap,
if its own gap is smaller. A contact that gets no slot is deeper in the next step, and is selected then. Cached impulses
follow their contact from slot to slot.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from gambol.collide.gap import FAR
from gambol.contact.stepping.anisotropy import Anisotropy, contact_frame
from gambol.figure import Figure
from gambol.figure.template import carries, has_variable_topology
from gambol.lanes import (
    Array,
    Index,
    Records,
    Scalar,
    array,
    fori,
    is_short,
    is_tracing,
    leaves,
    maximum,
    scan_range,
    tree_map,
    unflatten,
    when,
    where,
)
from gambol.spatial import Vector
from gambol.spatial.rotation import is_constant

Frame: TypeAlias = tuple[Vector, Vector, Vector]
"""Normal and two tangents of a contact, in world axes; they are right-handed in the order tangent, tangent, normal."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A possible contact of a link with the world or with another link.

    signs: a number for each link by its index: 1 where the link's joint moves only the first side, -1 where it moves
    only the second side, else 0; links for which the number is always 0 are left out. point: contact point, in world
    axes [m]. normal: unit vector, the direction in which the first side is pushed. gap: distance along the normal,
    negative in penetration [m]. friction: mu, sideways if there is an anisotropy; restitution: e, from 0 to 1. held: 1
    where the contact sticks under any pull, as a sticky foot does, else 0; None: never. anisotropy: anisotropy of the
    friction, or None.
    """

    signs: Mapping[int, Scalar]
    point: Vector
    normal: Vector
    gap: Scalar
    friction: Scalar
    restitution: Scalar = 0.0
    held: Scalar | None = None
    anisotropy: Anisotropy | None = None

    @property
    def structure(self) -> Any:
        """The links, and the constants by which rows have zeros; contacts share a loop if these are equal."""
        constants = () if isinstance(self.signs, SlotSigns) else self.signs.values()
        known = [x if isinstance(x, float) else None for x in (*constants, *self.normal)]
        return tuple(self.signs), known, self.held is None, self.anisotropy is None

    @property
    def frame(self) -> Frame:
        """The normal and two tangents, see contact_frame()."""
        return contact_frame(self.normal, self.anisotropy)


def contact_signs(figure: Figure, link: int, other: int = 0) -> dict[int, Scalar]:
    """Return Contact.signs of a contact between two links, given by number; 0 is the world."""
    if has_variable_topology(figure):
        ends = [(end, sign) for end, sign in ((link, 1.0), (other, -1.0)) if end]
        signs = {i: sum(sign * carries(figure, i, end) for end, sign in ends) for i in range(1, len(figure.links) + 1)}
        return {i: sign for i, sign in signs.items() if not is_constant(sign, 0.0)}
    sides = ({placed.index for placed in figure.path_to_root(end)} if end else set[int]() for end in (link, other))
    first, second = sides
    return {i: 1.0 if i in first else -1.0 for i in sorted(first ^ second)}


def signs_by_number(figure: Figure) -> Callable[[int, int], "SlotSigns"]:
    """Return a function like contact_signs() of a figure, with numbers for all of its links.

    So contacts of different links differ in two numbers only, and share a loop.
    """
    ranges, (order, _) = link_ranges(figure), depth_first(figure)
    return lambda link, other=0: SlotSigns(float(order[link]), float(order[other]) if other else None, ranges)


def link_ranges(figure: Figure, links: Collection[int] | None = None) -> dict[int, tuple[float, Scalar]]:
    """Return SlotSigns.ranges of a figure; links: indices of the links that contacts may move, None for all."""
    order, last = depth_first(figure)
    return {
        link.index: (float(order[link.index]), 1.0 * last[link.index])
        for link in figure.links
        if links is None or link.index in links
    }


NO_CONTACT = -1.0
"""Contact number in an empty slot."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible contact.

    number: identifies the contact in all steps. link, other: numbers of its links in depth_first() order, 0 for the
    world. gap: negative in penetration [m]. point, normal, friction, restitution, held, anisotropy: as for a Contact.
    While slots are filled, fields with the same value for all contacts are None.
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
    anisotropy: Anisotropy | None = None

    def without(self, shared: Iterable[str]) -> "Candidate":
        """Return the same contact with None in the fields that all contacts share."""
        return replace(self, **dict.fromkeys(shared))


def empty_slots(like: Candidate, max_contacts: int) -> list[Candidate]:
    """Return max_contacts empty slots; like: a candidate with the same fields."""
    blank = tree_map(lambda _: 0.0, like)
    return [replace(blank, number=NO_CONTACT, gap=FAR) for _ in range(max_contacts)]


def insert_nearest(slots: Sequence[Candidate], new: Candidate) -> list[Candidate]:
    """Return the slots with a candidate inserted.

    The candidate replaces the contact with the largest gap (the first of equal gaps) if its own gap is smaller.
    """
    largest = slots[0].gap
    for slot in slots[1:]:
        largest = maximum(slot.gap, largest)
    pending, result = where(new.gap < largest, 1.0, 0.0), list[Candidate]()
    for slot in slots:
        replaces = (slot.gap >= largest) & (pending > 0.5)
        pairs = zip(leaves(new), leaves(slot), strict=True)
        result.append(unflatten(slot, iter([where(replaces, x, y) for x, y in pairs])))
        pending = where(replaces, 0.0, pending)
    return result


def contacts_at(
    figure: Figure, slots: Sequence[Candidate], like: Candidate, links: Collection[int] | None = None
) -> list[Contact]:
    """Return the contacts in all slots.

    like: a candidate with the fields that all contacts share. links: indices of the links at which contacts may be;
    None: of all links.
    """
    ranges = link_ranges(figure, links)
    result: list[Contact] = []
    for slot in slots:
        signs = SlotSigns(slot.link, slot.other, ranges)
        values = {name: getattr(slot, name) for name in CONTACT_FIELDS}
        values = {name: getattr(like, name) if x is None else x for name, x in values.items()}
        result.append(Contact(signs, slot.point, gap=slot.gap, **values))
    return result


@dataclass(frozen=True, slots=True)
class SlotSigns(Mapping[int, Scalar]):
    """Contact.signs of a contact in a slot, which may be at any link; each is computed where it is used.

    link, other: see Candidate. ranges: the number of each link and of its last descendant, see depth_first(), by index,
    of the links that the contact may move.
    """

    link: Scalar
    other: Scalar | None
    ranges: Mapping[int, tuple[float, Scalar]]

    def __getitem__(self, index: int) -> Scalar:
        sign = where(self._is_within(self.link, index), 1.0, 0.0)
        return sign if self.other is None else sign - where(self._is_within(self.other, index), 1.0, 0.0)

    def __iter__(self) -> Iterator[int]:
        return iter(self.ranges)

    def __len__(self) -> int:
        return len(self.ranges)

    def acts_below(self, index: int) -> Scalar:
        """Return 1 where the contact acts on a link or on its descendants, else 0. index: index of the link."""
        if index not in self.ranges:
            return 0.0
        acts = self._is_within(self.link, index)
        return where(acts if self.other is None else acts | self._is_within(self.other, index), 1.0, 0.0)

    def _is_within(self, number: Scalar, index: int) -> Scalar:
        first, last = self.ranges[index]
        return (number >= first) & (number <= last)


CONTACT_FIELDS = ("normal", "friction", "restitution", "held", "anisotropy")
"""Fields of a Contact that may be the same for all contacts."""


def depth_first(figure: Figure) -> tuple[Mapping[int, int], Mapping[int, Scalar]]:
    """Return depth-first numbers of all links, and for each link the number of its last descendant.

    Descendants follow their link in this order. The world keeps 0 and has no joint. The links of a figure with variable
    topology are already in this order.
    """
    if has_variable_topology(figure):
        ends = {link.index: link.joint.reach for link in figure.links if link.joint.reach is not None}
        return {n: n for n in range(len(figure.links) + 1)}, {figure.root.index: float(len(figure.links)), **ends}
    order, last, children = {0: 0}, dict[int, int](), dict[int, list[int]]()
    for link in figure.inward():
        children.setdefault(link.parent_index, []).append(link.index)
    stack = children.get(0, [])[::-1]
    while stack:
        index = stack.pop()
        order[index] = len(order)
        stack += children.get(index, [])
    for link in figure.inward():
        last[link.index] = max(last.get(link.index, 0), order[link.index])
        last[link.parent_index] = max(last.get(link.parent_index, 0), last[link.index])
    return order, last


def matched_values(
    numbers: Sequence[Scalar], previous_numbers: Sequence[Scalar], previous_values: Sequence[Sequence[Scalar]]
) -> list[list[Scalar]]:
    """Return the previous values of contacts (3 each), 0 for new contacts.

    numbers: numbers of the present contacts; previous_numbers: numbers of the contacts of the previous step;
    previous_values: their values, such as impulses or speeds.
    """
    least = MIN_SHORT_MATCHES if is_short() else MIN_ROLLED_MATCHES
    if is_tracing() and len(numbers) * len(previous_numbers) >= least:
        return _matched_in_loops(array(numbers), array(previous_numbers), Records.of(previous_values))
    result: list[list[Scalar]] = []
    for number in numbers:
        value: list[Scalar] = [0.0] * 3
        for previous, previous_value in zip(previous_numbers, previous_values, strict=True):
            same = number == previous
            value = [where(same, x, y) for x, y in zip(previous_value, value, strict=True)]
        result.append(value)
    return result


MIN_ROLLED_MATCHES = 400
"""Least number of comparisons of matched_values() that are loops in a program."""

MIN_SHORT_MATCHES = 100
"""The same in a short program: 144 comparisons take 700 operations less."""


def _matched_in_loops(numbers: Array, previous_numbers: Array, previous_values: Records) -> Any:
    """Return the result of matched_values() by loops over numbers in memory."""

    def step(i: Index, _: Any) -> tuple[Any, list[Scalar]]:
        def matched(j: Index, value: list[Scalar]) -> list[Scalar]:
            return when(numbers[i] == previous_numbers[j], lambda: list(previous_values[j]), otherwise=value)

        return (), fori(0, len(previous_numbers), matched, [0.0] * 3)

    return scan_range(len(numbers), step, ())[1][:]

"""Selection of the contacts of a step: those with the smallest gaps, if there are more than its capacity.

Contact sources of one family differ in numbers only. Large families are a loop over these numbers: one program for all
pairs of two boxes, say. In small families the sources are written out one by one, with their numbers as constants.
"""

from dataclasses import dataclass, fields
from functools import partial
from itertools import groupby
from typing import Any

from gambol.collide import Plane
from gambol.collide.gap import FAR
from gambol.contact.generation.families import Family, Item
from gambol.contact.generation.lookahead import within_lookahead
from gambol.contact.generation.scene import ConstraintScene, StepScene
from gambol.contact.generation.sources import ContactSource, SlotGroup, slot_groups, source_families
from gambol.contact.stepping.contact import Candidate, Contact, contacts_at, empty_slots, insert_nearest
from gambol.dynamics import Kinematics
from gambol.lanes import (
    Array,
    Index,
    Records,
    Scalar,
    array,
    declare_alike,
    empty,
    fori,
    is_short,
    is_tracing,
    leaves,
    maximum,
    scan,
    when,
    where,
)

MIN_STORED_INSERTIONS = 2_000
"""Least product of possible contacts and slots for which near candidates are stored and then inserted by one loop, so
that programs are short. Otherwise each is inserted where it is computed. A humanoid's step, with 1,520, then takes 0.93
of the time, since a pair that is far costs a test of two balls only."""


MIN_ALIKE_CONTACTS = 100
"""Least number of possible contacts of sources in a row that are a loop in a short program, without being a large
family: the boxes of the roach's legs have 120, and 4,000 operations less as a loop."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The nearest contacts so far, in slots; count: number of all near contacts so far."""

    slots: list[Candidate]
    count: Scalar


def nearest_contacts(scene: StepScene, state: Kinematics, h: Scalar) -> tuple[list[Contact], list[Scalar], Scalar]:
    """Return the contacts of smallest gaps, up to the capacity; their indices; and the number of all others."""
    contacts, indices, excess = list[Contact](), list[Scalar](), 0.0
    for group in slot_groups(scene):
        template, uniform = group.sources[0].contacts(scene, state)[0], _uniform_fields(scene, group)
        selector = _Selector(scene, h, empty_slots(template.without(uniform), 1)[0])
        possible = sum(source.count for source in group.sources)
        select = _stored_selection if group.count * possible >= MIN_STORED_INSERTIONS else _nested_selection
        selection = (select if is_tracing() else _selection)(scene, state, selector, group)
        if is_short():
            declare_alike([leaves(slot) for slot in selection.slots])
        contacts += contacts_at(scene.figure, selection.slots, template, group.links)
        indices += [slot.number for slot in selection.slots]
        excess = excess + maximum(selection.count - float(group.count), 0.0)
    return contacts, indices, excess


def _families(
    scene: StepScene, state: Kinematics, group: SlotGroup
) -> list[tuple[Family, list[ContactSource], list[Item]]]:
    """Return groups of sources with their items; the sources of each are computed in a loop if there are several.

    They are those of source_families(); and in short programs sources that follow one another, are of one family and
    differ in numbers other than 0. A loop over these has the same results to the bit: the same operations are left out
    for zeros.
    """
    result: list[tuple[Family, list[ContactSource], list[Item]]] = []
    families = source_families(group.sources)
    found = [(family, members, [x.item(scene, state) for x in members]) for family, members in families]
    for key, run in groupby(found, key=lambda f: (f[0], len(f[1]) == 1 and _zeros(f[2][0]))):
        alike = list(run)
        is_loop = key[1] and sum(members[0].count for _, members, _ in alike) >= MIN_ALIKE_CONTACTS
        if is_loop and is_short():
            alike = [(key[0], [m for _, (m,), _ in alike], [item for _, _, (item,) in alike])]
        result += alike
    return result


def _zeros(item: Item) -> tuple[bool | None, ...]:
    """Return for each number of an item True if it is 0, and None if it is not a constant."""
    return tuple(x == 0.0 if isinstance(x, float) else None for x in leaves(item))


def _selection(scene: StepScene, state: Kinematics, selector: "_Selector", group: SlotGroup) -> Selection:
    """Return the nearest contacts of a group, outside of a program."""
    selection = Selection(empty_slots(selector.like, group.count), 0.0)
    for family, _, items in _families(scene, state, group):
        for item in items:
            selection = selector.after(family, item, selection)
    return selection


def _stored_selection(scene: StepScene, state: Kinematics, selector: "_Selector", group: SlotGroup) -> Selection:
    """Return the nearest contacts of a group: the same as _selection() returns, by loops over slots in memory."""
    slots = _Slots(selector.like, group.count)
    for is_loop, run in groupby(_families(scene, state, group), key=lambda family: len(family[1]) > 1):
        families = list(run)
        if is_loop:
            for family, members, items in families:
                found = _Candidates.of(selector.like, members[0].count)
                scan(lambda _, item, f=family, x=found: (selector.find(f, item, x, 0, slots), None), (), items)
            continue
        counts = [members[0].count for _, members, _ in families]
        found = _Candidates.of(selector.like, sum(counts))
        for k, (family, _, (item,)) in enumerate(families):
            selector.find(family, item, found, sum(counts[:k]))
        slots.insert_all(found)
    return Selection(slots.records[:], slots.near[0])


def _nested_selection(scene: StepScene, state: Kinematics, selector: "_Selector", group: SlotGroup) -> Selection:
    """Return the nearest contacts of a group: the same as _selection() returns, with slots in memory."""
    slots = _Slots(selector.like, group.count)
    for family, members, items in _families(scene, state, group):
        if len(members) > 1:
            found = _Candidates.of(selector.like, members[0].count)
            scan(lambda _, item, f=family, x=found: (selector.find(f, item, x, 0, slots), None), (), items)
        else:
            selector.insert_near(family, items[0], slots)
    return Selection(slots.records[:], slots.near[0])


class _Selector:
    """Finds the near contacts of sources in a step of h [s], and selects the nearest. like: an empty slot."""

    def __init__(self, scene: StepScene, h: Scalar, like: Candidate) -> None:
        self.scene = scene
        self.h = h
        self.like = like
        self.absent = [name for name in CANDIDATE_FIELDS if getattr(like, name) is None]

    def after(self, family: Family, item: Item, selection: Selection) -> Selection:
        """Return the selection after the contacts of a source."""

        def selected(now: Selection) -> Selection:
            for candidate in self._near_contacts(family, item):
                now = when(candidate.gap < FAR, _inserted, now, candidate, otherwise=now)
            return now

        near = family.may_close(self.scene, item, self.h)
        return when(near, selected, selection, otherwise=selection)

    def find(
        self, family: Family, item: Item, found: "_Candidates", first: int, slots: "_Slots | None" = None
    ) -> tuple[()]:
        """Store the candidates of a source from an index on. slots: where they are inserted at once."""
        if slots:
            found.clear()

        def store() -> tuple[()]:
            for k, candidate in enumerate(self._near_contacts(family, item)):
                found.gaps[first + k], found.records[first + k] = candidate.gap, candidate
            if slots:
                slots.insert_all(found)
            return ()

        when(family.may_close(self.scene, item, self.h), store)
        return ()

    def insert_near(self, family: Family, item: Item, slots: "_Slots") -> None:
        """Insert the near candidates of a source into slots in memory, after a test of balls, and then a closer one."""

        def insert_all() -> tuple[()]:
            for candidate in self._near_contacts(family, item):
                when(candidate.gap < FAR, partial(slots.insert, candidate))
            return ()

        def insert_close() -> tuple[()]:
            when(family.reaches(self.scene, item, self.h), insert_all)
            return ()

        when(family.may_close(self.scene, item, self.h), insert_close if family.is_round else insert_all)

    def _near_contacts(self, family: Family, item: Item) -> list[Candidate]:
        """Return the candidates of a source, with the gap FAR where they cannot close."""
        motions, size = item.motions, self.scene.size
        contacts = family.contacts(self.scene, item)
        return [within_lookahead(c, motions, size, self.h).without(self.absent) for c in contacts]


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Candidates in memory. gaps: their gaps, FAR where there is none; records: all of their fields."""

    gaps: Array
    records: Records

    @staticmethod
    def of(like: Candidate, count: int) -> "_Candidates":
        """Return memory for `count` candidates without one; like: a candidate with the same fields."""
        found = _Candidates(empty(count), Records.like(like, count))
        found.clear()
        return found

    def clear(self) -> None:
        """Remove all candidates."""

        def clear(i: Index, _: Any) -> None:
            self.gaps[i] = FAR

        fori(0, len(self.gaps), clear)


class _Slots:
    """Slots in memory, which insert_nearest() fills by loops. near: the number of all near contacts."""

    def __init__(self, like: Candidate, count: int) -> None:
        self.records, self.near = Records.like(like, count), array([0.0])
        (blank,) = empty_slots(like, 1)

        def clear(i: Index, _: Any) -> None:
            self.records[i] = blank

        fori(0, count, clear)

    def insert_all(self, found: _Candidates) -> None:
        """Insert all candidates in their order."""

        def insert(k: Index, _: Any) -> None:
            when(found.gaps[k] < FAR, lambda: self.insert(found.records[k]))

        fori(0, len(found.gaps), insert)

    def insert(self, new: Candidate) -> tuple[()]:
        """Insert a candidate, see insert_nearest()."""
        slots, count = self.records, len(self.records)
        self.near[0] = self.near[0] + 1.0
        largest = fori(1, count, lambda i, x: maximum(slots[i].gap, x), slots[0].gap)

        def replace_largest(i: Index, pending: Scalar) -> Scalar:
            def put() -> Scalar:
                slots[i] = new
                return 0.0

            return when((slots[i].gap >= largest) & (pending > 0.5), put, otherwise=pending)

        fori(0, count, replace_largest, where(new.gap < largest, 1.0, 0.0))
        return ()


def _inserted(selection: Selection, new: Candidate) -> Selection:
    return Selection(insert_nearest(selection.slots, new), selection.count + 1.0)


CANDIDATE_FIELDS = tuple(f.name for f in fields(Candidate))


def _uniform_fields(scene: ConstraintScene, group: SlotGroup) -> tuple[str, ...]:
    """Return the names of candidate fields that are equal for all contacts of a group."""
    colliding = [part for link in scene.figure.links for part in link.parts if part.colliding]
    uniform = ["held"]
    if not any(source.other for source in group.sources):
        uniform += ["other", "normal"] if isinstance(scene.ground, Plane) else ["other"]
    for name in ("friction", "restitution"):
        anisotropic = name == "friction" and any(part.anisotropic_friction is not None for part in colliding)
        if all(getattr(part, name) is None for part in colliding) and not anisotropic:
            uniform.append(name)
    return tuple(uniform)

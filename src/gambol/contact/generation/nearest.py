"""Selection of the contacts of a step: those with the smallest gaps, if there are more than its capacity.

Contact sources of one family differ in numbers only. Large families are a loop over these numbers: one program for all
pairs of two boxes, say. In small families the sources are written out one by one, with their numbers as constants.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from gambol.collide import Plane
from gambol.collide.gap import FAR
from gambol.contact.generation.families import Family, Item
from gambol.contact.generation.lookahead import within_lookahead
from gambol.contact.generation.scene import ConstraintScene, StepScene
from gambol.contact.generation.sources import ContactSource, SlotGroup, slot_groups
from gambol.contact.stepping.contact import Candidate, Contact, contacts_at, empty_slots, insert_nearest
from gambol.dynamics import Kinematics
from gambol.lanes import Scalar, Subprogram, maximum, scan, when

MIN_ROLLED_CONTACTS = 200
"""Least number of possible contacts of a family that is a loop (docs/decisions/025). A humanoid of 161 contacts
compiles in 11 s without loops, and its steps take a fifth more time with them."""


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
        selection = _selection(scene, state, selector, group)
        contacts += contacts_at(scene.figure, selection.slots, template, group.links)
        indices += [slot.number for slot in selection.slots]
        excess = excess + maximum(selection.count - float(group.count), 0.0)
    return contacts, indices, excess


def _selection(scene: StepScene, state: Kinematics, selector: "_Selector", group: SlotGroup) -> Selection:
    """Return the nearest contacts of a group."""
    selection = Selection(empty_slots(selector.like, group.count), 0.0)
    for family, members in _families(group.sources):
        items = [source.item(scene, state) for source in members]
        if len(members) > 1:
            selection, _ = scan(lambda now, item, f=family: (selector.after(f, item, now), None), selection, items)
            continue
        candidates = selector.candidates(family, items[0], members[0].count)
        selection = selector.inserted(candidates, selection)
    return selection


def _families(sources: Iterable[ContactSource]) -> list[tuple[Family, list[ContactSource]]]:
    """Return groups of sources: all of a family that is computed in a loop; each other source alone.

    Hulls are numbers of a family if that makes it large enough for a loop. The groups are in the order of their first
    sources.
    """
    given = [*sources]
    large = _large_families(given)
    others = [source.with_hulls_as_numbers for source in given if source.family not in large]
    large |= _large_families(others)
    by_first = {source.first: source for source in others if source.family in large}
    groups: dict[Any, list[ContactSource]] = {}
    for source in given:
        chosen = by_first.get(source.first, source)
        groups.setdefault(chosen.family if chosen.family in large else source.first, []).append(chosen)
    return [(members[0].family, members) for members in groups.values()]


def _large_families(sources: Iterable[ContactSource]) -> set[Family]:
    """Return the families with at least MIN_ROLLED_CONTACTS contacts."""
    contacts = Counter[Family]()
    for source in sources:
        contacts[source.family] += source.count
    return {family for family, count in contacts.items() if count >= MIN_ROLLED_CONTACTS}


class _Selector:
    """Finds the near contacts of sources in a step of h [s], and selects the nearest. like: an empty slot."""

    def __init__(self, scene: StepScene, h: Scalar, like: Candidate) -> None:
        self.scene = scene
        self.h = h
        self.like = like
        self.absent = [name for name in CANDIDATE_FIELDS if getattr(like, name) is None]
        self.empty = like.without(KNOWN_BEFORE)
        self.insert = Subprogram(_inserted)

    def after(self, family: Family, item: Item, selection: Selection) -> Selection:
        """Return the selection after the contacts of a source."""

        def selected(now: Selection) -> Selection:
            return self.inserted(self._near_contacts(family, item), now)

        near = family.may_close(self.scene, item, self.h)
        return when(near, selected, selection, otherwise=selection)

    def candidates(self, family: Family, item: Item, count: int) -> list[Candidate]:
        """Return all `count` candidates of a source; copies of the empty slot if no contact may close."""

        def candidates() -> list[Candidate]:
            return [candidate.without(KNOWN_BEFORE) for candidate in self._near_contacts(family, item)]

        near = family.may_close(self.scene, item, self.h)
        found = when(near, Subprogram(candidates), otherwise=[self.empty] * count)
        link, other = item.orders
        return [
            replace(candidate, number=item.first + float(k), link=link, other=other).without(self.absent)
            for k, candidate in enumerate(found)
        ]

    def inserted(self, candidates: Sequence[Candidate], selection: Selection) -> Selection:
        """Return the selection after near candidates."""
        for candidate in candidates:
            selection = when(candidate.gap < FAR, self.insert, selection, candidate, otherwise=selection)
        return selection

    def _near_contacts(self, family: Family, item: Item) -> list[Candidate]:
        """Return the candidates of a source, with the gap FAR where they cannot close."""
        motions, size = item.motions, self.scene.size
        contacts = family.contacts(self.scene, item)
        return [within_lookahead(c, motions, size, self.h).without(self.absent) for c in contacts]


def _inserted(selection: Selection, new: Candidate) -> Selection:
    return Selection(insert_nearest(selection.slots, new), selection.count + 1.0)


KNOWN_BEFORE = ("number", "link", "other")
"""The fields of a candidate that are known before its gap is computed."""

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

"""Groups of contact slots: all contacts together, or the ground contacts of each tree of a forest apart.

A contact in a slot may be at any link of its group, so its rows have entries at all degrees of freedom of these links.
In slots of one tree the rows have the length of the tree, and the work of a step grows with the number of trees, not
with its square.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from gambol.contact.generation.scene import ConstraintScene
from gambol.contact.generation.sources import ContactSource, contact_sources


@dataclass(frozen=True)
class SlotGroup:
    """Contacts that share slots. sources: their sources; count: number of the slots; links: indices of their links."""

    sources: tuple[ContactSource, ...]
    count: int
    links: frozenset[int]


def slot_groups(scene: ConstraintScene) -> list[SlotGroup]:
    """Return the groups of a scene: ground contacts of each tree, then pairs of parts; or one group for all."""
    figure, per_tree, sources = scene.figure, scene.tree_contacts, contact_sources(scene)
    everywhere = frozenset(link.index for link in figure.links)
    if per_tree is None or len(figure.roots) < 2:
        return _group(sources, scene.capacity, everywhere)
    trees = [frozenset(link.index for link in figure.subtree(root.index)) for root in figure.roots]
    groups = [_group((s for s in sources if not s.other and s.link in tree), per_tree, tree) for tree in trees]
    pairs = _group((s for s in sources if s.other), scene.capacity - per_tree * len(trees), everywhere)
    return [group for found in (*groups, pairs) for group in found]


def slot_count(scene: ConstraintScene) -> int:
    """Return the number of slots of a scene: contacts that a step can hold."""
    return sum(group.count for group in slot_groups(scene))


def _group(sources: Iterable[ContactSource], capacity: int, links: frozenset[int]) -> list[SlotGroup]:
    """Return the group of sources, with no more slots than contacts, or nothing without sources."""
    members = tuple(sources)
    return [SlotGroup(members, min(sum(s.count for s in members), capacity), links)] if members else []

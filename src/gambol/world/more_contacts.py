"""Worlds with more contact capacity."""

from dataclasses import replace
from typing import Any

from gambol.contact.generation.contact_set import contact_count
from gambol.contact.method import with_capacity
from gambol.world.world import World


def with_more_contacts(world: World) -> World:
    """Return a world with twice the contact capacity, but no more than all possible contacts."""
    method: Any = world.method
    if (of_tree := method.contacts_of_tree) is not None:
        more = replace(method, max_contacts=2 * method.max_contacts, tree_contacts=2 * of_tree)
    else:
        more = with_capacity(method, min(2 * world.contact_capacity, contact_count(world.scene)))
    return replace(world, contact=more)

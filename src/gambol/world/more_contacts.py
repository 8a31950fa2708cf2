"""Worlds with more contact capacity."""

from dataclasses import replace

from gambol.contact.generation.contact_set import contact_count
from gambol.contact.method import with_twice_the_capacity
from gambol.world.world import World


def with_more_contacts(world: World) -> World:
    """Return a world with twice the contact capacity, but no more than all possible contacts."""
    method = with_twice_the_capacity(world.method, world.contact_capacity, contact_count(world.scene))
    return replace(world, contact=method)

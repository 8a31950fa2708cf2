"""Impacts: one collision integrated through compression and restitution, several at once, and those of figures."""

from gambol.contact.impulse.collision import Impact, collision
from gambol.contact.impulse.resolved import by_collisions
from gambol.contact.impulse.sequence import in_sequence
from gambol.contact.impulse.several import Blows, Impacts
from gambol.contact.impulse.simultaneous import at_once, by_reflection
from gambol.contact.impulse.struck import Aftermath, struck

__all__ = [
    "Aftermath",
    "Blows",
    "Impact",
    "Impacts",
    "at_once",
    "by_collisions",
    "by_reflection",
    "collision",
    "in_sequence",
    "struck",
]

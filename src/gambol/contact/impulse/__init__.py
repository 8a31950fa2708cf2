"""Impacts: one collision integrated through compression and restitution, several at once, and those of figures."""

from gambol.contact.impulse.collision import Impact, collision
from gambol.contact.impulse.figure_impacts import FigureImpacts, resolve_impacts
from gambol.contact.impulse.sequence import in_sequence
from gambol.contact.impulse.several import Collisions, Impacts
from gambol.contact.impulse.simultaneous import at_once, by_reflection
from gambol.contact.impulse.step_solver import by_collisions

__all__ = [
    "Collisions",
    "FigureImpacts",
    "Impact",
    "Impacts",
    "at_once",
    "by_collisions",
    "by_reflection",
    "collision",
    "in_sequence",
    "resolve_impacts",
]

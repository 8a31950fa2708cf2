"""Impacts: one collision integrated through compression and restitution, several at once, and those of figures."""

from gambol.contact.impulse.collision import Impact, collision
from gambol.contact.impulse.figure_impacts import FigureImpacts, resolve_impacts
from gambol.contact.impulse.sequence import sequential_impacts
from gambol.contact.impulse.several import Collisions, Impacts
from gambol.contact.impulse.simultaneous import reflection_impacts, simultaneous_impacts
from gambol.contact.impulse.step_solver import by_collisions

__all__ = [
    "Collisions",
    "FigureImpacts",
    "Impact",
    "Impacts",
    "by_collisions",
    "collision",
    "reflection_impacts",
    "resolve_impacts",
    "sequential_impacts",
    "simultaneous_impacts",
]

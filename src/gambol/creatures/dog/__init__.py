"""A dog that moves in the gaits of four-legged mammals, by coupled phases and forces of its feet."""

from gambol.creatures.dog.entry import DOG, dog_world, world_of_paces
from gambol.creatures.dog.figure import dog_figure
from gambol.creatures.dog.leg import PantographLeg
from gambol.creatures.dog.pace import PACES, Change, Pace

__all__ = ["DOG", "PACES", "Change", "Pace", "PantographLeg", "dog_figure", "dog_world", "world_of_paces"]

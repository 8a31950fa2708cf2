"""A dog that moves in the gaits of four-legged mammals, by coupled phases and forces of its feet."""

from gambol.creatures.dog.dog_gait import DOG_GAITS, Change, DogGait
from gambol.creatures.dog.entry import DOG, dog_world, world_of_gaits
from gambol.creatures.dog.figure import dog_figure
from gambol.creatures.dog.leg import PantographLeg

__all__ = ["DOG", "DOG_GAITS", "Change", "DogGait", "PantographLeg", "dog_figure", "dog_world", "world_of_gaits"]

"""The zoo: evolved creatures that come with gambol, with the settings of the runs that evolved them."""

from gambol.evolve.zoo.creatures import ANIMALS, CREATURES, ZooCreature, zoo_creature

__all__ = ["ANIMALS", "CREATURES", "ZooCreature", "zoo_creature"]

"""Search spaces of genotypes, with their operators of mutation and crossover."""

from gambol.evolve.genotype.breeding.coding import Coding, coding_of
from gambol.evolve.genotype.breeding.free import FreeSpace
from gambol.evolve.genotype.breeding.plan_space import FREE, GenotypeSpace, space_of
from gambol.evolve.genotype.breeding.structure import OPERATORS
from gambol.evolve.genotype.genotype import topology

__all__ = ["FREE", "OPERATORS", "Coding", "FreeSpace", "GenotypeSpace", "coding_of", "space_of", "topology"]

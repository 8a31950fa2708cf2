"""A page on the ancestry of a creature: fitness over generations, its family tree, and films of its ancestors."""

from gambol.view.lineage.fitness_plot import write_fitness_plot
from gambol.view.lineage.lineage import GeneInfo, Generation, Individual, Lineage
from gambol.view.lineage.page import write_lineage

__all__ = ["GeneInfo", "Generation", "Individual", "Lineage", "write_fitness_plot", "write_lineage"]

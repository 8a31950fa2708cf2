"""A page about where a creature comes from: fitness over generations, its family tree, and how its ancestors move."""

from gambol.view.lineage.lineage import Generation, Lineage, Person, Trait
from gambol.view.lineage.page import write_lineage

__all__ = ["Generation", "Lineage", "Person", "Trait", "write_lineage"]

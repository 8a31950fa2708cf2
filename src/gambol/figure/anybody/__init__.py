"""Any body: figures whose tree is data, so that one program moves bodies of many topologies side by side."""

from gambol.figure.anybody.parents import at_parent, carries, give_parent, parents, told
from gambol.figure.anybody.telling import Told, as_data
from gambol.figure.anybody.template import UNTOUCHED, any_tree

__all__ = ["UNTOUCHED", "Told", "any_tree", "as_data", "at_parent", "carries", "give_parent", "parents", "told"]

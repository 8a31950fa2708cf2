"""Template figures: their topology is data, so one program simulates figures of many topologies side by side."""

from gambol.figure.template.parents import add_to_parent, at_parent, carries, has_variable_topology, parents
from gambol.figure.template.template import ABSENT_RADIUS, PackedFigure, any_tree, pack

__all__ = [
    "ABSENT_RADIUS",
    "PackedFigure",
    "add_to_parent",
    "any_tree",
    "at_parent",
    "carries",
    "has_variable_topology",
    "pack",
    "parents",
]

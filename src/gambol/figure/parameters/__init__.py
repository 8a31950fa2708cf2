"""Parameters of a figure: all its numbers by name; figures of one topology differ in these only.

Positions and axes of joints, sizes, densities and masses may be inputs of a program, which then simulates figures of
many proportions side by side. What is not a number is topology: names, parents, kinds of joints and shapes, and what
collides with what.
"""

from gambol.figure.parameters.extent import extent
from gambol.figure.parameters.from_links import with_parameters
from gambol.figure.parameters.named import Parameters, parameters, with_values
from gambol.figure.parameters.topologies import check_same_topology, difference, structure_of, topology, varying

__all__ = [
    "Parameters",
    "check_same_topology",
    "difference",
    "extent",
    "parameters",
    "structure_of",
    "topology",
    "varying",
    "with_parameters",
    "with_values",
]

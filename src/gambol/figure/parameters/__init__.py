"""Parameters of a figure: its numbers by name. Figures of one topology differ only in parameters.

Positions and axes of joints, sizes, densities and masses may be inputs of a program, which then simulates figures of
many proportions side by side. Everything else is topology: names, parents, kinds of joints and shapes, and pairs that
can collide.
"""

from gambol.figure.figure import extent
from gambol.figure.parameters.from_links import with_parameters
from gambol.figure.parameters.named import Parameters, parameters, with_scaled_masses, with_values
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
    "with_scaled_masses",
    "with_values",
]

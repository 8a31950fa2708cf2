"""Measures of a figure: its numbers, by name, as what may differ between figures of one topology.

Where a figure's links hang, how long, thick and heavy they are, and along what their joints act: all of these may be
inputs of a program, which then runs figures of many proportions side by side. What is not a number is topology: names,
parents, kinds of joints and shapes, what collides with what.
"""

from gambol.figure.measures.alike import check_alike, differing, structure_of, topology, varying
from gambol.figure.measures.extent import extent
from gambol.figure.measures.made import remeasured
from gambol.figure.measures.named import Measures, measured, measures

__all__ = [
    "Measures",
    "check_alike",
    "differing",
    "extent",
    "measured",
    "measures",
    "remeasured",
    "structure_of",
    "topology",
    "varying",
]

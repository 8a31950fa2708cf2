"""Parts that assemble themselves: by descent of constraint energies, and by forces under their own dynamics."""

from gambol.plan.assembly.assembly import Assembly
from gambol.plan.assembly.by_forces import EARTH, FlightOptions, assemble_by_forces
from gambol.plan.assembly.closures import ClosureConstraint
from gambol.plan.assembly.moving import PathConstraint
from gambol.plan.assembly.parts import loose_parts

__all__ = [
    "EARTH",
    "Assembly",
    "ClosureConstraint",
    "FlightOptions",
    "PathConstraint",
    "assemble_by_forces",
    "loose_parts",
]

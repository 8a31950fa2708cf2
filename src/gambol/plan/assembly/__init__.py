"""Parts that assemble themselves: by descent of constraint energies, and by forces under their own dynamics."""

from gambol.plan.assembly.assembly import Assembly
from gambol.plan.assembly.by_energy import assemble_by_energy
from gambol.plan.assembly.by_forces import EARTH, AssemblyOptions, assemble_by_forces
from gambol.plan.assembly.closures import ClosureConstraint
from gambol.plan.assembly.floating import CurveConstraint, Separation, SurfaceConstraint
from gambol.plan.assembly.moving import PathConstraint
from gambol.plan.assembly.parts import loose_parts, part_coordinates

__all__ = [
    "EARTH",
    "Assembly",
    "AssemblyOptions",
    "ClosureConstraint",
    "CurveConstraint",
    "PathConstraint",
    "Separation",
    "SurfaceConstraint",
    "assemble_by_energy",
    "assemble_by_forces",
    "loose_parts",
    "part_coordinates",
]

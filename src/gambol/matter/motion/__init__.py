"""Motion of spring meshes: states, methods of integration, the limit of stretch, tearing, and the energy ledger."""

from gambol.matter.motion.implicit import ImplicitOptions
from gambol.matter.motion.methods import METHODS, Method
from gambol.matter.motion.position_based import SubstepOptions
from gambol.matter.motion.projective import ProjectiveOptions
from gambol.matter.motion.state import MeshLedger, MeshState, load_state
from gambol.matter.motion.stepper import MeshStepper, StepRule, StretchRule

__all__ = [
    "METHODS",
    "ImplicitOptions",
    "MeshLedger",
    "MeshState",
    "MeshStepper",
    "Method",
    "ProjectiveOptions",
    "StepRule",
    "StretchRule",
    "SubstepOptions",
    "load_state",
]

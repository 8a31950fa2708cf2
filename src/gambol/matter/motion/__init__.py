"""Motion of spring meshes: states, methods of integration, the limit of stretch, tearing, and the energy ledger."""

from gambol.matter.motion.methods import METHODS, Method
from gambol.matter.motion.state import MeshLedger, MeshState
from gambol.matter.motion.stepper import MeshStepper

__all__ = ["METHODS", "MeshLedger", "MeshState", "MeshStepper", "Method"]

"""The backend "lanes": our own derivatives, compiled with one instance of an element per SIMD lane, and IPOPT."""

from gambol.plan.solver.lanes.backend import LanesSolver
from gambol.plan.solver.lanes.compiled_program import CompiledProgram

__all__ = ["CompiledProgram", "LanesSolver"]

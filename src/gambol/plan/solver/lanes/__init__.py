"""The backend "lanes": our own derivatives, compiled so that each SIMD lane is an instance of an element, and IPOPT."""

from gambol.plan.solver.lanes.backend import LanesSolver
from gambol.plan.solver.lanes.compiled_program import CompiledProgram

__all__ = ["CompiledProgram", "LanesSolver"]

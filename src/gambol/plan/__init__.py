"""Motion that is asked for: poses, figures that assemble themselves, and spacetime constraints."""

from gambol.plan.program import Element, ElementFunction, NonlinearProgram, ProgramSolution
from gambol.plan.solver import SolverOptions, casadi_function, solve_program
from gambol.plan.trajectory import Trajectory

__all__ = [
    "Element",
    "ElementFunction",
    "NonlinearProgram",
    "ProgramSolution",
    "SolverOptions",
    "Trajectory",
    "casadi_function",
    "solve_program",
]

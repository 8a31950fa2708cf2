"""Motion that is asked for: poses, figures that assemble themselves, and spacetime constraints."""

from gambol.plan.program import Element, ElementFunction, NonlinearProgram, ProgramSolution
from gambol.plan.solver import (
    KktResidual,
    SolverOptions,
    Violation,
    casadi_function,
    kkt_residual,
    solve_program,
    worst_violations,
)
from gambol.plan.trajectory import Trajectory

__all__ = [
    "Element",
    "ElementFunction",
    "KktResidual",
    "NonlinearProgram",
    "ProgramSolution",
    "SolverOptions",
    "Trajectory",
    "Violation",
    "casadi_function",
    "kkt_residual",
    "solve_program",
    "worst_violations",
]

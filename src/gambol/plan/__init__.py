"""Motion from goals: poses, figures that assemble themselves, and spacetime constraints."""

from gambol.plan.motion import (
    Cost,
    Cycle,
    Mesh,
    Phase,
    PhaseTime,
    Plan,
    PlanResult,
    Point,
    PointPath,
    PointTarget,
    Pose,
    Refinement,
    Window,
    solve,
)
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
    "Cost",
    "Cycle",
    "Element",
    "ElementFunction",
    "KktResidual",
    "Mesh",
    "NonlinearProgram",
    "Phase",
    "PhaseTime",
    "Plan",
    "PlanResult",
    "Point",
    "PointPath",
    "PointTarget",
    "Pose",
    "ProgramSolution",
    "Refinement",
    "SolverOptions",
    "Trajectory",
    "Violation",
    "Window",
    "casadi_function",
    "kkt_residual",
    "solve",
    "solve_program",
    "worst_violations",
]

"""Solution of non-linear programs: derivatives by CasADi or by our own tapes in lanes, and IPOPT."""

from gambol.plan.solver.optimality import KktResidual, Violation, kkt_residual, worst_violations
from gambol.plan.solver.options import SolverOptions
from gambol.plan.solver.solve import solve_program
from gambol.plan.solver.symbols import casadi_function

__all__ = [
    "KktResidual",
    "SolverOptions",
    "Violation",
    "casadi_function",
    "kkt_residual",
    "solve_program",
    "worst_violations",
]

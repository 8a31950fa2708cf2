"""Closed loops: constraint rows, constrained forward dynamics, projection, assembly, and target accelerations."""

from gambol.dynamics.loops.assembly import assembled
from gambol.dynamics.loops.closed import (
    BY_PROPAGATION,
    TREES,
    LoopOptions,
    closed_dynamics,
    solve,
    stabilisation_rate,
)
from gambol.dynamics.loops.derivatives import closed_dynamics_derivatives
from gambol.dynamics.loops.problem import ClosedSolution, Problem
from gambol.dynamics.loops.projection import projected, projected_velocity
from gambol.dynamics.loops.relations.constraints import constraint_rows, rows
from gambol.dynamics.loops.relations.relative import RelativeMotion, point_row, relative_motion, turn_row
from gambol.dynamics.loops.relations.row import Row, jacobian_row, joint_row
from gambol.dynamics.loops.semidefinite import DEPENDENCE_TOLERANCE
from gambol.dynamics.loops.targets import Target, TargetSolution, reach_accelerations, reach_speeds

__all__ = [
    "BY_PROPAGATION",
    "DEPENDENCE_TOLERANCE",
    "TREES",
    "ClosedSolution",
    "LoopOptions",
    "Problem",
    "RelativeMotion",
    "Row",
    "Target",
    "TargetSolution",
    "assembled",
    "closed_dynamics",
    "closed_dynamics_derivatives",
    "constraint_rows",
    "jacobian_row",
    "joint_row",
    "point_row",
    "projected",
    "projected_velocity",
    "reach_accelerations",
    "reach_speeds",
    "relative_motion",
    "rows",
    "solve",
    "stabilisation_rate",
    "turn_row",
]

"""Closed loops: rows of constraints, forward dynamics that obeys them, projection, assembly, test forces."""

from gambol.dynamics.loops.aims import Aim, Reached, reach_accelerations, reach_speeds
from gambol.dynamics.loops.assembly import assembled
from gambol.dynamics.loops.closed import (
    BY_PROPAGATION,
    TREES,
    Closing,
    closed_dynamics,
    solve,
    stabilising_rate,
)
from gambol.dynamics.loops.problem import Closed, Problem
from gambol.dynamics.loops.projection import closing_velocity, projected
from gambol.dynamics.loops.relations.relative import Relative, point_row, relative, turn_row
from gambol.dynamics.loops.relations.row import Row, jacobian_row, joint_row
from gambol.dynamics.loops.relations.ties import constraint_rows, rows
from gambol.dynamics.loops.semidefinite import DEPENDENT
from gambol.dynamics.loops.slopes import closed_dynamics_derivatives

__all__ = [
    "BY_PROPAGATION",
    "DEPENDENT",
    "TREES",
    "Aim",
    "Closed",
    "Closing",
    "Problem",
    "Reached",
    "Relative",
    "Row",
    "assembled",
    "closed_dynamics",
    "closed_dynamics_derivatives",
    "closing_velocity",
    "constraint_rows",
    "jacobian_row",
    "joint_row",
    "point_row",
    "projected",
    "reach_accelerations",
    "reach_speeds",
    "relative",
    "rows",
    "solve",
    "stabilising_rate",
    "turn_row",
]

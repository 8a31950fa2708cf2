"""Constraint rows between links: gaps and speeds of closures, couplings and targets, and the forces along them."""

from gambol.dynamics.loops.relations.constraints import alignment_rows, constraint_rows, rows
from gambol.dynamics.loops.relations.relative import RelativeMotion, point_row, relative_motion, turn_row
from gambol.dynamics.loops.relations.row import Row, common_ancestor, jacobian_row, joint_row, row_scales

__all__ = [
    "RelativeMotion",
    "Row",
    "alignment_rows",
    "common_ancestor",
    "constraint_rows",
    "jacobian_row",
    "joint_row",
    "point_row",
    "relative_motion",
    "row_scales",
    "rows",
    "turn_row",
]

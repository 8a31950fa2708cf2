"""Relations between links: what closures, gears and aims measure, and the forces that act along it."""

from gambol.dynamics.loops.relations.relative import Relative, point_row, relative, turn_row
from gambol.dynamics.loops.relations.row import Row, jacobian_row, joint_row, meeting, sizes
from gambol.dynamics.loops.relations.ties import constraint_rows, rows, upright_rows

__all__ = [
    "Relative",
    "Row",
    "constraint_rows",
    "jacobian_row",
    "joint_row",
    "meeting",
    "point_row",
    "relative",
    "rows",
    "sizes",
    "turn_row",
    "upright_rows",
]

"""Contact as complementarity: linear problems and problems with cones, on accelerations and on velocities."""

from gambol.contact.complementarity.impacts import Struck, simultaneous_impact
from gambol.contact.complementarity.methods import SOLVERS, ConeSolver, solver
from gambol.contact.complementarity.resting import Resting, Touching, resting
from gambol.contact.complementarity.supports import Response, Stop, Support, response

__all__ = [
    "SOLVERS",
    "ConeSolver",
    "Response",
    "Resting",
    "Stop",
    "Struck",
    "Support",
    "Touching",
    "response",
    "resting",
    "simultaneous_impact",
    "solver",
]

"""Contact as complementarity: linear and cone problems, on accelerations and on velocities."""

from gambol.contact.complementarity.impacts import ImpactSolution, simultaneous_impact
from gambol.contact.complementarity.methods import SOLVERS, ConeSolver, solver
from gambol.contact.complementarity.resting import ContactForces, ContactSet, contact_forces
from gambol.contact.complementarity.supports import FrictionalContact, JointLimit, Response, response

__all__ = [
    "SOLVERS",
    "ConeSolver",
    "ContactForces",
    "ContactSet",
    "FrictionalContact",
    "ImpactSolution",
    "JointLimit",
    "Response",
    "contact_forces",
    "response",
    "simultaneous_impact",
    "solver",
]

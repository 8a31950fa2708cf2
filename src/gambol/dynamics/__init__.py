"""Force to motion and back: kinematics, forward and inverse dynamics, energies; one algorithm per file."""

from gambol.dynamics.bodies import STANDARD_GRAVITY, Gravity
from gambol.dynamics.energy import centre_of_mass, kinetic_energy, momentum, potential_energy
from gambol.dynamics.forward import aba
from gambol.dynamics.kinematics import Kinematics, kinematics
from gambol.dynamics.rnea import rnea

__all__ = [
    "STANDARD_GRAVITY",
    "Gravity",
    "Kinematics",
    "aba",
    "centre_of_mass",
    "kinematics",
    "kinetic_energy",
    "momentum",
    "potential_energy",
    "rnea",
]

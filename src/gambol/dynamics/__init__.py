"""Rigid-body dynamics: kinematics, forward and inverse dynamics, energies; one algorithm per file."""

from gambol.dynamics.arrays import Dynamics
from gambol.dynamics.bodies import STANDARD_GRAVITY, Gravity, centre_of_mass, kinetic_energy, momentum, potential_energy
from gambol.dynamics.forward import METHODS, aba, forward_dynamics, mass_matrix
from gambol.dynamics.kinematics import Kinematics, alike_limbs, declare_limbs, kinematics
from gambol.dynamics.rnea import rnea

__all__ = [
    "METHODS",
    "STANDARD_GRAVITY",
    "Dynamics",
    "Gravity",
    "Kinematics",
    "aba",
    "alike_limbs",
    "centre_of_mass",
    "declare_limbs",
    "forward_dynamics",
    "kinematics",
    "kinetic_energy",
    "mass_matrix",
    "momentum",
    "potential_energy",
    "rnea",
]

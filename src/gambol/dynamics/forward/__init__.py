"""Joint forces to joint accelerations, by several routes that agree; one algorithm per file."""

from gambol.dynamics.forward.aba import aba
from gambol.dynamics.forward.apart import Apart, link_rates, seen_whole, taken_apart
from gambol.dynamics.forward.crba import crba, mass_matrix, mass_rows
from gambol.dynamics.forward.divide_and_conquer import assembly_depth, divide_and_conquer
from gambol.dynamics.forward.lagrangian import lagrangian
from gambol.dynamics.forward.maximal import Drift, link_accelerations, maximal
from gambol.dynamics.forward.methods import METHODS, forward_dynamics
from gambol.dynamics.forward.systems import Factors, Root, Split, factorised, lower, symmetric

__all__ = [
    "METHODS",
    "Apart",
    "Drift",
    "Factors",
    "Root",
    "Split",
    "aba",
    "assembly_depth",
    "crba",
    "divide_and_conquer",
    "factorised",
    "forward_dynamics",
    "lagrangian",
    "link_accelerations",
    "link_rates",
    "lower",
    "mass_matrix",
    "mass_rows",
    "maximal",
    "seen_whole",
    "symmetric",
    "taken_apart",
]

"""Joint forces to joint accelerations, by several routes that agree; one algorithm per file."""

from gambol.dynamics.forward.aba import aba
from gambol.dynamics.forward.crba import crba, mass_matrix, mass_rows
from gambol.dynamics.forward.systems import Factors, factorised, lower, symmetric

__all__ = ["Factors", "aba", "crba", "factorised", "lower", "mass_matrix", "mass_rows", "symmetric"]

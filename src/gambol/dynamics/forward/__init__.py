"""Forward dynamics: joint accelerations from joint forces, by several equivalent algorithms, one per file."""

from gambol.dynamics.forward.aba import aba
from gambol.dynamics.forward.crba import crba, mass_diagonal, mass_matrix, mass_rows
from gambol.dynamics.forward.diagonal_bound import diagonal_bound
from gambol.dynamics.forward.divide_and_conquer import assembly_depth, divide_and_conquer
from gambol.dynamics.forward.lagrangian import lagrangian
from gambol.dynamics.forward.maximal import JointErrors, link_accelerations, maximal
from gambol.dynamics.forward.maximal_coordinates import MaximalState, joint_state, maximal_derivative, maximal_state
from gambol.dynamics.forward.methods import METHODS, forward_dynamics
from gambol.dynamics.forward.systems import (
    Factorisation,
    Factors,
    RootFactors,
    SparseRows,
    factorised,
    lower,
    symmetric,
)

__all__ = [
    "METHODS",
    "Factorisation",
    "Factors",
    "JointErrors",
    "MaximalState",
    "RootFactors",
    "SparseRows",
    "aba",
    "assembly_depth",
    "crba",
    "diagonal_bound",
    "divide_and_conquer",
    "factorised",
    "forward_dynamics",
    "joint_state",
    "lagrangian",
    "link_accelerations",
    "lower",
    "mass_diagonal",
    "mass_matrix",
    "mass_rows",
    "maximal",
    "maximal_derivative",
    "maximal_state",
    "symmetric",
]

"""Fitness: terms that are computed from a trajectory, and the validity check of its rollouts."""

from gambol.evolve.fitness.terms import TERMS
from gambol.evolve.fitness.trajectory import Trajectory, concatenate, energy_gain, invalid_reasons
from gambol.evolve.fitness.weighted_term import WeightedTerm, term_named, term_values

__all__ = [
    "TERMS",
    "Trajectory",
    "WeightedTerm",
    "concatenate",
    "energy_gain",
    "invalid_reasons",
    "term_named",
    "term_values",
]

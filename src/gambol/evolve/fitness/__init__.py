"""Fitness: terms that are computed from a trajectory, and the validity check of its rollouts."""

from gambol.evolve.fitness.terms import TERMS, WeightedTerm
from gambol.evolve.fitness.trajectory import Trajectory, concatenate, energy_gain, invalid_reasons

__all__ = ["TERMS", "Trajectory", "WeightedTerm", "concatenate", "energy_gain", "invalid_reasons"]

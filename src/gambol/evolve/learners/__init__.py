"""Reinforcement-learning environments with the interface of gymnasium: one creature, or many side by side.

Importing this package registers them with gymnasium; see register() for the names.
"""

from gambol.evolve.learners.batched_env import BatchedEnv
from gambol.evolve.learners.commanded import Commanded
from gambol.evolve.learners.environment import Environment
from gambol.evolve.learners.register import register
from gambol.evolve.learners.reward_terms import REWARD_TERMS, RewardTerms, reward_terms_of
from gambol.evolve.learners.vector_environment import VectorEnvironment

register()

__all__ = [
    "REWARD_TERMS",
    "BatchedEnv",
    "Commanded",
    "Environment",
    "RewardTerms",
    "VectorEnvironment",
    "register",
    "reward_terms_of",
]

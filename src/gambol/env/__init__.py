"""Reinforcement-learning environments with the interface of gymnasium: one creature, or many side by side.

Importing this registers them with gymnasium, by the names that register() returns.
"""

try:
    import gymnasium as gymnasium
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "environments need gymnasium; install it by: pip install 'gambol[gymnasium]'", name="gymnasium"
    ) from error

from gambol.env.batched_env import BatchedEnv
from gambol.env.environment import Environment
from gambol.env.make_env import make_env
from gambol.env.register import register
from gambol.env.reward_terms import REWARD_TERMS, ActionOutcome, RewardTerms, reward_terms_of
from gambol.env.vector_environment import VectorEnvironment

register()

__all__ = [
    "REWARD_TERMS",
    "ActionOutcome",
    "BatchedEnv",
    "Environment",
    "RewardTerms",
    "VectorEnvironment",
    "make_env",
    "register",
    "reward_terms_of",
]

"""Reinforcement-learning environments with the interface of gymnasium: one creature, or many side by side.

Importing this registers them with gymnasium, by the names that register() returns. Without gymnasium every name but
make_env is missing, and the error says how to install it.
"""

from gambol.env.make_env import make_env
from gambol.env.needs_gymnasium import IS_INSTALLED, missing_gymnasium

if IS_INSTALLED:
    from gambol.env.batched_env import BatchedEnv
    from gambol.env.environment import Environment
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


def __getattr__(name: str) -> object:
    if name in __all__:
        raise missing_gymnasium()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)

"""One way to make an environment: one creature, or many side by side."""

from gambol.env.environment import Environment
from gambol.env.reward_terms import RewardTerms
from gambol.env.vector_environment import VectorEnvironment


def make_env(
    plan: str = "quadruped", num_envs: int | None = None, *, reward_terms: RewardTerms | None = None
) -> Environment | VectorEnvironment:
    """Return an environment of gymnasium for a body plan, such as "quadruped", "hexapod" or "biped".

    num_envs: number of creatures of a vector environment; None: one creature, without the dimension of creatures.
    reward_terms: None for those of the plan. Both give obs, reward, terminated, truncated, info from step(action).
    Raises EvolveError for an unknown plan or an invalid number.
    """
    if num_envs is None:
        return Environment(plan, reward_terms)
    return VectorEnvironment(num_envs, plan, reward_terms)

"""The result of one action of a batched environment."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from gymnasium.spaces import Box, Space
from numpy.typing import NDArray

from gambol.env.batched_env import Array, BatchedEnv
from gambol.env.reward_terms import ActionOutcome, Bools, Floats, Reward, RewardTerms
from gambol.errors import EvolveError


@dataclass(frozen=True)
class Transition:
    """The results of an action, each (W,): reward; terminated: fallen or frozen; mean speed and effort [m/s]."""

    reward: Floats
    terminated: Bools
    speed: Floats
    effort: Floats


def transition(
    batched_env: BatchedEnv, reward_terms: Reward, actions: NDArray[np.floating[Any]], moving: Bools | None = None
) -> Transition:
    """Let the creatures of a batched environment act and return their rewards.

    batched_env: of W creatures. reward_terms: coefficients and limits, or a task's function. actions (W, actuators), in
    [-1, 1]. moving: True for creatures that act (W,); None for all. Raises EvolveError for actions of a wrong shape or
    not finite.
    """
    shape = (batched_env.worlds, batched_env.programs.actuators)
    if np.shape(actions) != shape:
        raise EvolveError(f"actions have the shape {np.shape(actions)}; they must have {shape}")
    if not np.isfinite(actions).all():
        raise EvolveError("an action is not finite; give numbers from -1 to 1")
    speed, effort = batched_env.act(actions, moving)
    up, height = batched_env.up, batched_env.height
    if isinstance(reward_terms, RewardTerms):
        terminated = reward_terms.terminated(up, height) | batched_env.frozen
        return Transition(reward_terms.rewards(speed, effort, terminated), terminated, speed, effort)
    outcome = ActionOutcome(batched_env.state, np.asarray(actions, float), speed, effort, up, height)
    rewards, ended = (np.asarray(values) for values in reward_terms(outcome))
    if rewards.shape != speed.shape or ended.shape != speed.shape:
        raise EvolveError(
            f"the task returned arrays of shapes {rewards.shape} and {ended.shape}; rewards and terminated must both "
            f"have {speed.shape}"
        )
    terminated = ended.astype(np.bool_) | batched_env.frozen
    return Transition(np.where(np.isfinite(rewards), rewards, 0.0), terminated, speed, effort)


def observation_space(batched_env: BatchedEnv) -> Space[Array]:
    """Return the observation space of one creature: see BatchedEnv.observe()."""
    return cast("Space[Array]", Box(-batched_env.programs.bounds, batched_env.programs.bounds))


def action_space(batched_env: BatchedEnv) -> Space[Array]:
    """Return the action space of one creature: a target for each joint in its range, from -1 to 1."""
    return cast("Space[Array]", Box(-1.0, 1.0, (batched_env.programs.actuators,)))


def check_render_mode(mode: str | None) -> None:
    """Raise EvolveError for a render_mode other than None: these environments draw nothing."""
    if mode is not None:
        raise EvolveError(
            f'render_mode "{mode}" is not supported: these environments draw nothing; give None, and watch '
            "evolved creatures in the pages of `gambol replay`"
        )

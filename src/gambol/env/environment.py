"""One creature as an environment, for learners without vector environments."""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from gambol.env.batched_env import Array, BatchedEnv
from gambol.env.body import EnvBody
from gambol.env.reward_terms import Reward, reward_terms_of
from gambol.env.transition import action_space, check_render_mode, observation_space, transition


class Environment(gymnasium.Env[Array, Array]):
    """A creature, with thirty actions per second.

    plan: name of a body plan, or a body of make_env(). reward_terms: None for the default of the plan. render_mode:
    None; nothing is drawn. An observation is that of BatchedEnv.observe(); an action is a target for each joint in its
    range, from -1 to 1. An episode is terminated when the creature has fallen; only a wrapper truncates it. Raises
    EvolveError for an unknown plan, another render_mode, and invalid actions.
    """

    def __init__(
        self, plan: str | EnvBody = "quadruped", reward_terms: Reward | None = None, render_mode: str | None = None
    ) -> None:
        check_render_mode(render_mode)
        self.render_mode = None
        self.batched_env, self.reward_terms = BatchedEnv(plan, 1, lanes=1), reward_terms or reward_terms_of(plan)
        self.metadata = {"render_modes": [], "render_fps": round(1.0 / self.batched_env.control_step)}
        self.observation_space, self.action_space = observation_space(self.batched_env), action_space(self.batched_env)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Reset; return the observation and an empty dict. seed: of this and all later resets. options: not used."""
        super().reset(seed=seed)
        self.batched_env.reset([0], [self.np_random])
        return self.batched_env.observe()[0], {}

    def step(self, action: NDArray[np.floating[Any]]) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Take an action; return observation, reward, terminated, False, and the infos "speed" and "effort" [m/s]."""
        result = transition(self.batched_env, self.reward_terms, np.asarray(action)[None])
        infos = {"speed": float(result.speed[0]), "effort": float(result.effort[0])}
        return self.batched_env.observe()[0], float(result.reward[0]), bool(result.terminated[0]), False, infos

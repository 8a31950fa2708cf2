"""One creature as an environment, for learning algorithms without vector environments."""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from gambol.env.batch import Array, TaskBatch
from gambol.env.batch_source import BatchSource, batch_of
from gambol.env.rendering import BatchRenderer, Image, check_render_mode, class_metadata, metadata_of
from gambol.env.reward_terms import Reward
from gambol.errors import EvolveError


class Environment(gymnasium.Env[Array, Array]):
    """A creature that takes actions.

    plan: a name or a body, see BatchSource. reward_terms: None for the default of the plan. render_mode: None, or
    "rgb_array" for pictures by render(). An observation is as in BatchedEnv.observe(); an action is a target
    for each joint in its range, from -1 to 1. An episode is terminated when the creature has fallen; only a wrapper
    truncates it. Raises EvolveError for an unknown plan, another render_mode, and invalid actions.
    """

    metadata = class_metadata()

    def __init__(
        self, plan: BatchSource = "quadruped", reward_terms: Reward | None = None, render_mode: str | None = None
    ) -> None:
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.batched_env: TaskBatch = batch_of(plan, 1, reward_terms, lanes=1)
        self.metadata = metadata_of(self.batched_env)
        self.observation_space, self.action_space = self.batched_env.observation_space, self.batched_env.action_space
        self._renderer = BatchRenderer(self.batched_env)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Reset; return the observation and the infos. seed: seed of this and all later resets. options: not used."""
        super().reset(seed=seed)
        self.batched_env.reset([0], [self.np_random])
        return self.batched_env.observe()[0], _first(self.batched_env.reset_infos())

    def step(self, action: NDArray[np.floating[Any]]) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Take an action; return observation, reward, terminated, False, and the infos."""
        result = self.batched_env.step(np.asarray(action)[None])
        obs = self.batched_env.observe()[0]
        return obs, float(result.reward[0]), bool(result.terminated[0]), False, _first(result.infos)

    def render(self) -> Image:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return a picture (height, width, 3). Raises EvolveError without render_mode, GambolError without OpenGL."""
        if self.render_mode is None:
            raise EvolveError('render() needs render_mode="rgb_array" when the environment is made')
        return self._renderer.pictures()[0]

    def close(self) -> None:
        """Release OpenGL."""
        self._renderer.close()


def _first(infos: Any) -> dict[str, Any]:
    return {name: float(values[0]) if values.ndim == 1 else values[0] for name, values in infos.items()}

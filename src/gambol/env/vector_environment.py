"""A vector environment of many creatures: a step of all of them is one call of a compiled program."""

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from gambol.env.batch import Array, TaskBatch, Transition
from gambol.env.batch_source import BatchSource, batch_of
from gambol.env.rendering import BatchRenderer, Image, check_render_mode, class_metadata, metadata_of
from gambol.env.reward_terms import Bools, Floats, Reward
from gambol.errors import EvolveError

Infos = dict[str, Any]
Seeds = int | Sequence[int | None] | None


class VectorEnvironment(VectorEnv[Array, Array, NDArray[Any]]):
    """A vector environment of creatures of one body; each behaves as in Environment, to the last bit.

    num_envs: number of creatures. plan: a name or a body, see BatchSource. reward_terms: None for the default of the
    plan. max_episode_steps: number of actions after which an episode is truncated; None for the default of the task.
    autoreset_mode: an AutoresetMode of gymnasium, or its value; in the mode "Disabled" finished episodes must be reset
    by options={"reset_mask": bools (num_envs,)}. threads: number of threads. render_mode: None, or "rgb_array" for
    pictures by render(). device: "cpu", or "cuda" for the first graphics processor. Raises EvolveError as Environment
    does, for numbers below 1, and for a step of a finished episode.
    """

    metadata = class_metadata()

    def __init__(
        self,
        num_envs: int = 1,
        plan: BatchSource = "quadruped",
        reward_terms: Reward | None = None,
        *,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
        device: str = "cpu",
    ) -> None:
        check_render_mode(render_mode)
        self.render_mode = render_mode
        counts = {"num_envs": num_envs, "threads": threads}
        for name, count in (
            counts if max_episode_steps is None else counts | {"max_episode_steps": max_episode_steps}
        ).items():
            if not isinstance(count, Integral) or count < 1:
                raise EvolveError(f"{name} is {count!r}; give a whole number, 1 or more")
        self.num_envs = num_envs
        self.batched_env: TaskBatch = batch_of(plan, num_envs, reward_terms, threads=threads, device=device)
        self.max_episode_steps = max_episode_steps or self.batched_env.max_episode_steps
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = metadata_of(self.batched_env) | {"autoreset_mode": self.autoreset_mode}
        obs, actions = self.batched_env.observation_space, self.batched_env.action_space
        self.single_observation_space, self.single_action_space = obs, actions
        self.observation_space, self.action_space = batch_space(obs, num_envs), batch_space(actions, num_envs)
        self._renderer = BatchRenderer(self.batched_env)
        self._rngs = [seeding.np_random(None)[0] for _ in range(num_envs)]
        self._finished = np.zeros(num_envs, np.bool_)
        self._steps = np.zeros(num_envs, np.int64)

    def reset(self, *, seed: Seeds = None, options: Infos | None = None) -> tuple[Array, Infos]:
        """Reset the environments; return their observations and their infos.

        seed: environment k gets seed + k; or a sequence of seeds, one for each. options: "reset_mask": True for the
        environments to reset (num_envs,); without it all are reset.
        """
        mask = self._mask(options)
        for k, env_seed in enumerate(self._seeds(seed)):
            if env_seed is not None and mask[k]:
                self._rngs[k] = seeding.np_random(env_seed)[0]
        self._restart(mask)
        return self.batched_env.observe(), _infos(self.batched_env.reset_infos(), mask)

    def step(self, actions: NDArray[np.floating[Any]]) -> tuple[Array, Floats, Bools, Bools, Infos]:
        """Take one action in each environment and return observations, rewards, terminated, truncated and infos.

        actions (num_envs, actuators), in the action space. infos: those of the task; "final_obs" and "final_info" of
        environments that are reset in the same step. In the mode "NextStep" an environment with a finished episode is
        reset in place of its action, with reward 0.
        """
        restarts = self._finished if self.autoreset_mode is AutoresetMode.NEXT_STEP else np.zeros_like(self._finished)
        if self.autoreset_mode is AutoresetMode.DISABLED and self._finished.any():
            raise EvolveError(
                f"{int(self._finished.sum())} episodes are over, the first is number {int(self._finished.argmax())}; "
                'reset them with options={"reset_mask": bools}'
            )
        result = self.batched_env.step(actions, ~restarts)
        self._restart(restarts)
        self._steps += ~restarts
        terminated, truncated = result.terminated & ~restarts, (self._steps >= self.max_episode_steps) & ~restarts
        self._finished = terminated | truncated
        obs, reset_infos = self.batched_env.observe(), self.batched_env.reset_infos()
        infos = _merged(_infos(result.infos, ~restarts), _infos(reset_infos, restarts))
        if self.autoreset_mode is AutoresetMode.SAME_STEP and (done := self._finished).any():
            final = _final_infos(obs, result, done)
            self._restart(done)
            obs, reset_infos = self.batched_env.observe(), self.batched_env.reset_infos()
            infos = _merged(_infos(result.infos, ~done), _infos(reset_infos, done)) | final
        return obs, np.where(restarts, 0.0, result.reward), terminated, truncated, infos

    def render(self) -> tuple[Image, ...]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return a picture (height, width, 3) of each creature.

        Raises EvolveError without render_mode, GambolError without OpenGL.
        """
        if self.render_mode is None:
            raise EvolveError('render() needs render_mode="rgb_array" when the environment is made')
        return self._renderer.pictures()

    def close_extras(self, **kwargs: Any) -> None:
        """Release OpenGL."""
        self._renderer.close()

    def _restart(self, mask: Bools) -> None:
        """Reset the environments of a mask."""
        indices = np.flatnonzero(mask).tolist()
        if indices:
            self.batched_env.reset(indices, [self._rngs[k] for k in indices])
            self._steps[indices] = 0
            self._finished = self._finished & ~mask

    def _mask(self, options: Infos | None) -> Bools:
        """Return the reset mask of options. Raises EvolveError if it is invalid."""
        mask = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_)))
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise EvolveError(f"a reset_mask must be {self.num_envs} bools, at least one of them True, not {mask}")
        return mask

    def _seeds(self, seed: Seeds) -> Sequence[int | None]:
        """Return the seed of each environment."""
        if seed is None:
            return [None] * self.num_envs
        seeds = range(seed, seed + self.num_envs) if isinstance(seed, int) else seed
        if len(seeds) != self.num_envs:
            raise EvolveError(f"there are {len(seeds)} seeds for {self.num_envs} creatures; give one for each")
        return seeds


def _infos(values: Mapping[str, Floats], mask: Bools) -> Infos:
    """Return numbers by name as infos of gymnasium: arrays, with the mask of the environments that have them.

    If no environment is in the mask, the result is empty.
    """
    if not mask.any():
        return {}
    arrays = {name: np.where(mask.reshape(-1, *(1,) * (x.ndim - 1)), x, 0.0) for name, x in values.items()}
    return arrays | {f"_{name}": mask for name in values}


def _merged(some: Infos, others: Infos) -> Infos:
    """Return the merged infos of two sets of environments."""
    both = some.keys() & others.keys()
    return some | others | {name: some[name] + others[name] for name in both}


def _final_infos(obs: Array, result: Transition, finished: Bools) -> Infos:
    """Return the final observations of finished episodes, None for the others, and their infos."""
    final_obs = np.full(len(obs), None, object)
    for k in np.flatnonzero(finished):
        final_obs[k] = obs[k]
    infos = {"final_obs": final_obs, "final_info": _infos(result.infos, finished)}
    return infos | {"_final_obs": finished, "_final_info": finished}

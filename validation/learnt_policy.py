"""A policy learnt by PPO of stable-baselines3, here and on gymnasium's MuJoCo, and each tried in both.

    python -m validation.learnt_policy Walker2d-v5 --steps 1000000 --out policies

It needs `pip install stable-baselines3` with PyTorch, which no other part of the repository needs. The same algorithm,
with the same settings and seed, learns in 32 worlds on both sides, on one thread. On the side "gambol, soft" contacts
and joint limits are as soft as MuJoCo's; on the side "gambol, randomised" creatures differ in masses, friction, damping
and strength. Times are of learning as a whole: simulation, network, and
gradients. The result is one line of JSON for each side, and the policy as an ONNX file whose observations are
normalised inside.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv, VecMonitor, VecNormalize

import gambol
from gambol.contact import Softness
from gambol.env import VectorEnvironment
from gambol.env.locomotion import LocomotionTask, locomotion_task
from gambol.formats import read_model
from validation.policy_file import Layers, write_policy

Array = NDArray[Any]
WORLDS = 32
EPISODES = 10
PPO_SETTINGS: dict[str, Any] = {
    "n_steps": 128, "batch_size": 512, "n_epochs": 10, "learning_rate": 3e-4, "gamma": 0.99, "gae_lambda": 0.95,
    "clip_range": 0.2, "ent_coef": 0.0, "policy_kwargs": {"net_arch": [64, 64]}, "device": "cpu",
}  # fmt: skip
"""The settings of PPO: its authors' for MuJoCo, but 4096 actions in 32 worlds between updates, not 2048 in one."""


def random_factors(name: str) -> dict[str, tuple[float, float]]:
    """Return the ranges of random factors of a task: masses, friction, damping, and strengths of motors.

    The mass of each link has a factor of its own. name: name of the task.
    """
    links = [link for link in read_model(locomotion_task(name).path).figure.links if link.mass_properties.mass]
    masses = {f"mass.{link.name}": (0.8, 1.2) for link in links}
    return masses | {"friction.*": (0.5, 1.2), "springs.*.damping": (0.5, 2.0), "actuators.*": (0.8, 1.2)}


class GambolVecEnv(VecEnv):
    """A vector environment of gambol as stable-baselines3 wants it: episodes restart in the same step.

    task: the task. worlds: number of worlds.
    """

    def __init__(self, task: LocomotionTask, worlds: int) -> None:
        self.env = VectorEnvironment(worlds, task, autoreset_mode="SameStep")
        super().__init__(worlds, self.env.single_observation_space, self.env.single_action_space)
        self._actions: Array = np.zeros((worlds, 0))

    def reset(self) -> Array:
        """Reset all creatures."""
        return self.env.reset(seed=1)[0]

    def step_async(self, actions: Array) -> None:
        """Keep the actions of the next step."""
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Take the step; a finished episode gives its last observation as an info."""
        obs, rewards, terminated, truncated, infos = self.env.step(self._actions)
        done, each = terminated | truncated, [dict[str, Any]() for _ in range(self.num_envs)]
        for k in np.flatnonzero(done):
            each[k] = {
                "terminal_observation": infos["final_obs"][k],
                "TimeLimit.truncated": bool(truncated[k] and not terminated[k]),
            }
        return obs, rewards, done, each

    def close(self) -> None:
        """Release what the environments hold."""
        self.env.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute, the same of all."""
        return [getattr(self.env, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuse: creatures have no attributes of their own."""
        raise NotImplementedError

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Refuse: creatures have no methods of their own."""
        raise NotImplementedError

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Return False for each."""
        return [False] * self.num_envs


SIDES = {
    "gambol": lambda name: GambolVecEnv(locomotion_task(name), WORLDS),
    "gambol, soft": lambda name: GambolVecEnv(locomotion_task(name, softness=Softness()), WORLDS),
    "gambol, randomised": lambda name: GambolVecEnv(locomotion_task(name, randomise=random_factors(name)), WORLDS),
    "gambol, soft and randomised": lambda name: GambolVecEnv(
        locomotion_task(name, softness=Softness(), randomise=random_factors(name)), WORLDS
    ),
    "MuJoCo": lambda name: DummyVecEnv([lambda: gymnasium.make(name)] * WORLDS),
}


def learn(side: str, name: str, steps: int, seed: int) -> tuple[Layers, dict[str, float]]:
    """Return the layers of a learnt policy, and the times of learning."""
    start, used = time.perf_counter(), time.process_time()
    env = VecNormalize(VecMonitor(SIDES[side](name)), gamma=PPO_SETTINGS["gamma"])
    made = time.perf_counter() - start
    model = PPO("MlpPolicy", env, seed=seed, **PPO_SETTINGS)
    simulated = _timed(env)
    model.learn(steps)
    times = {
        "wall_s": time.perf_counter() - start,
        "processor_s": time.process_time() - used,
        "made_s": made,
        "simulating_wall_s": simulated[0],
        "simulating_processor_s": simulated[1],
    }
    return _layers(model, env), times


def _timed(env: VecEnv) -> list[float]:
    """Measure the wall time and the processor time of all steps of an environment from now on."""
    total, step = [0.0, 0.0], env.step_wait

    def timed() -> Any:
        start, used = time.perf_counter(), time.process_time()
        result = step()
        total[0] += time.perf_counter() - start
        total[1] += time.process_time() - used
        return result

    env.step_wait = timed  # type: ignore[method-assign]
    return total


def _layers(model: Any, env: VecNormalize) -> Layers:
    """Return the normalisation and the layers that lead from observations to the mean action."""
    policy, scaling = model.policy, env.obs_rms
    linear = [layer for layer in policy.mlp_extractor.policy_net if hasattr(layer, "weight")] + [policy.action_net]
    weights = [(layer.weight.detach().numpy().copy(), layer.bias.detach().numpy().copy()) for layer in linear]
    space = env.action_space
    return Layers(
        np.asarray(scaling.mean, float),
        np.sqrt(scaling.var + env.epsilon),
        env.clip_obs,
        weights,
        space.low,
        space.high,
    )


def tried(layers: Layers, env: Any) -> dict[str, float]:
    """Return medians over episodes of a policy without noise: return, number of actions, and speed [m/s]."""
    results: list[tuple[float, int, float]] = []
    for episode in range(EPISODES):
        obs, info = env.reset(seed=1000 + episode)
        start, total, actions, over = info.get("x_position", 0.0), 0.0, 0, False
        while not over:
            obs, reward, terminated, truncated, info = env.step(layers.action(obs))
            total, actions, over = total + float(reward), actions + 1, terminated or truncated
        results.append((total, actions, (info["x_position"] - start) / (actions * env.unwrapped.dt)))
    returns, lengths, speeds = np.median(np.array(results, float), axis=0)
    return {"return": returns, "actions": lengths, "speed_m_per_s": speeds}


def main() -> None:
    """Learn on both sides and try each policy on both."""
    import torch

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--side", action="append", choices=tuple(SIDES))
    parser.add_argument("--out", type=Path, default=Path())
    given = parser.parse_args()
    torch.set_num_threads(1)
    for side in given.side or SIDES:
        layers, times = learn(side, given.name, given.steps, given.seed)
        write_policy(layers, given.out / f"{given.name}-{side.replace(', ', '-')}.onnx")
        results = {
            "in gambol": tried(layers, _limited(gambol.make_env(given.name))),
            "in MuJoCo": tried(layers, gymnasium.make(given.name)),
        }
        sys.stdout.write(json.dumps({"learnt in": side, "steps": given.steps} | times | results) + "\n")


def _limited(env: Any) -> Any:
    wrapped = gymnasium.wrappers.TimeLimit(env, env.batched_env.max_episode_steps)
    env.dt = env.batched_env.control_step
    return wrapped


if __name__ == "__main__":
    main()

"""A policy that was learnt here in two minutes walks; it is an ONNX file, and walks in MuJoCo's own environment, too.

It needs `pip install 'gambol[gymnasium,files,policy]'`. The policy has two layers of 64 numbers. PPO of
stable-baselines3 learnt it in a million actions of gambol's Walker2d-v5, on contacts and joint limits as soft as
MuJoCo's: `python -m validation.learnt_policy Walker2d-v5 --side "gambol, soft"` in the source tree.
"""

from pathlib import Path

import gymnasium
import numpy as np

import gambol
from gambol.contact import Softness
from gambol.env.locomotion import LocomotionEnv, locomotion_task
from gambol.env.policy import Policy, film_of_policy, read_policy

NAME, SECONDS = "Walker2d-v5", 4.0


def walk_in_mujoco(env: gymnasium.Env, policy: Policy, seed: int) -> float:
    """Return the distance that the policy walks in gymnasium's environment [m]; NaN if it falls."""
    obs, _ = env.reset(seed=seed)
    info: dict = {}
    for _ in range(round(SECONDS / env.unwrapped.dt)):
        obs, _, terminated, _, info = env.step(np.clip(policy.actions(obs[None], 6)[0], -1.0, 1.0))
        if terminated:
            return np.nan
    return info["x_position"]


def main() -> None:
    policy = read_policy(Path(__file__).parent / "policies" / "walker2d.onnx")
    batch = LocomotionEnv(locomotion_task(NAME, softness=Softness()), 8)
    film = film_of_policy(batch, policy, SECONDS)
    walked = film.position[-1, :, 0, 0] - film.position[0, :, 0, 0]
    upright = batch.healthy()
    print(f"here {upright.sum()} of 8 are upright after {SECONDS:g} s, and walked {np.round(walked[upright], 1)} m")
    assert upright.sum() >= 6
    assert np.median(walked[upright]) > 2.0 * SECONDS, "faster than 2 m/s"
    Path("out").mkdir(exist_ok=True)
    gambol.write_page(film, "out/learnt_policy.html")

    theirs = gymnasium.make(NAME)
    there = np.array([walk_in_mujoco(theirs, policy, seed) for seed in range(8)])
    walked = there[np.isfinite(there)]
    print(f"in MuJoCo {len(walked)} of 8 are upright, and walked {np.round(walked, 1)} m")
    assert len(walked) >= 5, "it walks there, too"
    assert np.median(walked) > SECONDS, "faster than 1 m/s"


if __name__ == "__main__":
    main()

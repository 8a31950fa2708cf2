"""A policy that was learnt here in four minutes walks; it is an ONNX file, and MuJoCo's own environment takes it, too.

It needs `pip install 'gambol[gymnasium,files,policy]'`. The policy has two layers of 64 numbers. PPO of
stable-baselines3 learnt it in a million actions of gambol's Walker2d-v5: `python -m validation.learnt_policy` in the
source tree. In MuJoCo, whose ground and joint limits are soft, it falls after some two seconds.
"""

from pathlib import Path

import gymnasium
import numpy as np

import gambol
from gambol.env.locomotion import LOCOMOTION, LocomotionEnv
from gambol.env.policy import film_of_policy, read_policy

NAME, SECONDS = "Walker2d-v5", 4.0


def main() -> None:
    policy = read_policy(Path(__file__).parent / "policies" / "walker2d.onnx")
    batch = LocomotionEnv(LOCOMOTION[NAME], 8)
    film = film_of_policy(batch, policy, SECONDS)
    walked = film.position[-1, :, 0, 0] - film.position[0, :, 0, 0]
    upright = batch.healthy()
    print(f"here {upright.sum()} of 8 are upright after {SECONDS:g} s, and walked {np.round(walked[upright], 1)} m")
    assert upright.sum() >= 6
    assert np.median(walked[upright]) > 2.0 * SECONDS, "faster than 2 m/s"
    Path("out").mkdir(exist_ok=True)
    gambol.write_page(film, "out/learnt_policy.html")

    theirs, seconds, info = gymnasium.make(NAME), 0.0, {}
    obs, _ = theirs.reset(seed=1)
    for _ in range(500):
        action = policy.actions(obs[None], 6)[0]
        seconds += theirs.unwrapped.dt
        obs, _, terminated, _, info = theirs.step(np.clip(action, -1.0, 1.0))
        if terminated:
            break
    print(f"in MuJoCo it walks {info['x_position']:.1f} m in {seconds:.1f} s")
    assert info["x_position"] > 1.0, "it walks there, too"


if __name__ == "__main__":
    main()

"""One way to make an environment, which follows gymnasium's words."""

import numpy as np

from gambol.env import Environment, VectorEnvironment, make_env


def test_one_creature_or_many():
    env, many = make_env("quadruped"), make_env("quadruped", 3)
    assert isinstance(env, Environment)
    assert isinstance(many, VectorEnvironment)
    obs, _ = env.reset(seed=1)
    stacked, _ = many.reset(seed=1)
    assert stacked.shape == (3, *obs.shape)
    obs, reward, terminated, truncated, info = many.step(np.zeros(many.action_space.shape))
    assert reward.shape == terminated.shape == truncated.shape == (3,)
    assert obs.shape == stacked.shape
    assert "speed" in info

"""Vector environments on a graphics processor, by a stand-in for its driver."""

import numpy as np
import pytest
from driver_stand_in import HostProgram, use_stand_in

import gambol
from gambol.errors import EvolveError, WorldError


@pytest.fixture(autouse=True)
def stand_in(monkeypatch):
    return use_stand_in(monkeypatch, 20_000_000, HostProgram)


def rollout(source, device, **options):
    """Return observations and rewards of three creatures over some steps, of which one resets some creatures."""
    env = gambol.make_env(source, num_envs=3, device=device, **options)
    seen = [env.reset(seed=7)[0]]
    rng = np.random.default_rng(0)
    rewards = []
    for step in range(4):
        if step == 2:
            env.reset(seed=9, options={"reset_mask": np.array([False, True, False])})
        obs, reward, *_ = env.step(rng.uniform(-0.5, 0.5, env.action_space.shape))
        seen.append(obs)
        rewards.append(reward)
    env.close()
    return np.array(seen), np.array(rewards)


@pytest.mark.parametrize(
    ("source", "options"), [("biped", {"randomise": {"touch.friction": (0.2, 1.2)}}), ("Hopper-v5", {})]
)
def test_observations_and_rewards_have_the_bits_of_the_processor(source, options, monkeypatch):
    """Inputs that differ between creatures and change at a reset, too."""
    started = []
    monkeypatch.setattr(HostProgram, "name_started", staticmethod(started.append))
    for ours, expected in zip(rollout(source, "cuda", **options), rollout(source, "cpu", **options), strict=True):
        np.testing.assert_array_equal(ours, expected)
    assert "advance" in started
    assert any(name.startswith("sense") for name in started) == (source == "biped")  # observed there


def test_one_creature_and_unknown_devices_are_refused():
    with pytest.raises(EvolveError, match='"cuda" is for many creatures at once; give num_envs'):
        gambol.make_env("biped", device="cuda")
    with pytest.raises(WorldError, match='there is no device "gpu"'):
        gambol.make_env("biped", num_envs=2, device="gpu")

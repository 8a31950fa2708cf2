"""Vector environments on a graphics processor, by a stand-in for its driver."""

import numpy as np
import pytest
from driver_stand_in import HostProgram, use_stand_in

import gambol
from gambol.env.batched_env import BatchedEnv
from gambol.errors import EvolveError, WorldError
from gambol.lanes import leaves
from gambol.lanes.gpu import DeviceArray


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


def test_rewards_need_few_rows_and_a_task_of_the_user_gets_the_whole_state(monkeypatch):
    """Of the rows of a state, 7 coordinates, the work of the motors and the clock are copied after a step."""
    copied, seen = [], {}
    rows_of, run = DeviceArray.rows, HostProgram.__call__
    monkeypatch.setattr(DeviceArray, "rows", lambda a, first, n: copied.append(n) or rows_of(a, first, n))

    def run_uncounted(program, *arrays, **options):  # the stand-in for a program copies its inputs itself
        before = len(copied)
        results = run(program, *arrays, **options)
        del copied[before:]
        return results

    monkeypatch.setattr(HostProgram, "__call__", run_uncounted)

    def task(outcome):
        seen[len(seen)] = outcome.state.rows.copy()
        return outcome.speed, outcome.up < 0.3

    sizes = {}
    for reward, device in ((None, "cuda"), (task, "cuda"), (task, "cpu")):
        batch = BatchedEnv("biped", 3, reward, device=device)
        batch.reset(range(3), [np.random.default_rng(k) for k in range(3)])
        batch.act(np.zeros((3, batch.programs.actuators)))
        copied.clear()
        batch.step(np.full((3, batch.programs.actuators), 0.1))
        sizes[reward, device] = list(copied)
        state = batch.state.rows.copy()
        if device == "cuda" and reward is None:
            first = state
        np.testing.assert_array_equal(state, first)  # when it is asked for
    clock = len(leaves(batch.state.step_state.clock))
    assert sizes[None, "cuda"] == [1] * (7 + 1 + clock)
    assert sizes[task, "cuda"] == [*sizes[None, "cuda"], len(state)]
    np.testing.assert_array_equal(seen[0], seen[1])


def test_one_creature_and_unknown_devices_are_refused():
    with pytest.raises(EvolveError, match='"cuda" is for many creatures at once; give num_envs'):
        gambol.make_env("biped", device="cuda")
    with pytest.raises(WorldError, match='there is no device "gpu"'):
        gambol.make_env("biped", num_envs=2, device="gpu")

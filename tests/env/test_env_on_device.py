"""Vector environments on a graphics processor, by a stand-in for its driver."""

import numpy as np
import pytest
from driver_stand_in import ForeignArray, HostProgram, use_stand_in

import gambol
from gambol.env.batched_env import BatchedEnv
from gambol.errors import EvolveError, WorldError
from gambol.lanes import gpu, leaves
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


def test_actions_on_the_graphics_processor_have_the_same_results(stand_in):
    """The commands stay there: after a reset, which copies the inputs anew, too."""
    found = {}
    for given in ("host", "device"):
        env = gambol.make_env("biped", num_envs=3, device="cuda", randomise={"touch.friction": (0.2, 1.2)})
        env.reset(seed=7)
        seen = []
        rng = np.random.default_rng(2)
        for step in range(3):
            if step == 2:
                env.reset(seed=9, options={"reset_mask": np.array([False, True, False])})
                seen.append(env.batched_env.observe())
            actions = rng.uniform(-0.5, 0.5, env.action_space.shape).astype(np.float32)
            obs, reward, *_ = env.step(actions if given == "host" else ForeignArray(gpu.find_device(0), actions))
            seen += [obs, reward]
        found[given] = seen
    for ours, expected in zip(found["device"], found["host"], strict=True):
        np.testing.assert_array_equal(ours, expected)


def test_actions_there_that_do_not_fit_are_refused():
    """With the words for actions of the host."""
    env = gambol.make_env("biped", num_envs=2, device="cuda")
    env.reset(seed=1)
    actions = np.zeros(env.action_space.shape, np.float32)
    with pytest.raises(EvolveError, match="actions have the shape"):
        env.step(ForeignArray(gpu.find_device(0), actions[:1]))
    for bad in (np.nan, np.inf, -np.inf):
        actions[1, 2] = bad
        with pytest.raises(EvolveError, match="an action is not finite"):
            env.step(ForeignArray(gpu.find_device(0), actions))


@pytest.mark.parametrize("order", ["C", "F"])
def test_actions_there_serve_tasks_of_gymnasium_and_functions_of_the_user(order):
    """Their rewards need the actions on the host."""
    seen = []

    def task(outcome):
        seen.append(outcome.actions)
        return outcome.speed, outcome.up < 0.3

    for source, options in (("biped", {"task": task}), ("Hopper-v5", {})):
        env = gambol.make_env(source, num_envs=3, device="cuda", **options)
        actions = np.random.default_rng(0).uniform(-0.5, 0.5, env.action_space.shape).astype(np.float32)
        found = []
        for given in (actions, ForeignArray(gpu.find_device(0), actions, order)):
            env.reset(seed=3)
            found.append(env.step(given))
        for ours, expected in zip(found[1][:3], found[0][:3], strict=True):
            np.testing.assert_array_equal(ours, expected)
    np.testing.assert_array_equal(seen[1], seen[0])

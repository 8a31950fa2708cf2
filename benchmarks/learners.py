"""Environments for reinforcement learning: many creatures in lanes, compared with gymnasium's vector of MuJoCo's.

A locomotion task of gymnasium is compared with itself. A quadruped is compared with ants: both have eight joints on a
free trunk; an action lasts 50 ms there, in 5 steps of fourth order, and 33 ms here, in 12 contact steps.
"""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv

from benchmarks.rows import Result, Row
from benchmarks.timing import median_and_spread, ratio, time_interleaved
from gambol.env import Environment, VectorEnvironment
from gambol.env.locomotion import LOCOMOTION

ANT = "Ant-v5"
ANT_STEPS = 5  # of MuJoCo in an action of the ant
ENVPOOL_STEPS = 3e6 / 256
"""Published speed of EnvPool: MuJoCo steps a second of one core, of 256 cores together. [EnvPool's README]"""
ACTIONS = 10  # in a timed run
REPEATS = 7
CHECKED = 5  # creatures that are compared with single environments


def learning(row: Row) -> Result:
    """Measure random actions, with observations after each and resets of terminated episodes."""
    ours: Any = VectorEnvironment(row.worlds, row.model, threads=row.threads)
    peer = row.model if row.model in LOCOMOTION else ANT
    theirs: Any = SyncVectorEnv([lambda: gymnasium.make(peer)] * row.worlds)
    check = _compare_with_single(row)
    for env in (ours, theirs):
        env.reset(seed=1)
    rng = np.random.default_rng(1)
    actions = [rng.uniform(-0.4, 0.4, ours.action_space.shape).astype(np.float32) for _ in range(ACTIONS)]

    def run(env: Any) -> None:
        for action in actions:
            env.step(action)

    times = time_interleaved(lambda: run(ours), lambda: run(theirs), repeats=REPEATS)
    every = row.worlds * ACTIONS
    world = ours.batched_env.engine.world
    result = Result(
        world.figure.nv,
        check,
        world.timing.control_step,
        f"up to {world.contact_capacity}",
        peer=f"{peer} in SyncVectorEnv",
    )
    seconds, result.spread = median_and_spread(times[0])
    result.ns_per_step, result.peer_ns_per_step = seconds / every * 1e9, median_and_spread(times[1])[0] / every * 1e9
    result.ratio, result.compile_s = ratio(*times), ours.batched_env.engine.advance_program.compile_seconds
    result.more = {"actions_per_s": every / seconds, "peer_actions_per_s": every / median_and_spread(times[1])[0]}
    if peer == ANT:
        result.more["envpool_published_actions_per_s_of_a_core"] = ENVPOOL_STEPS / ANT_STEPS
    return result


def _compare_with_single(row: Row) -> str:
    """Check that observations and rewards of some creatures equal those of single environments, to the last bit."""
    many: Any = VectorEnvironment(CHECKED, row.model)
    rng = np.random.default_rng(2)
    ones = [Environment(row.model) for _ in range(CHECKED)]
    many.reset(seed=7)
    for k, one in enumerate(ones):
        one.reset(seed=7 + k)
    for _ in range(3):
        actions: Any = rng.uniform(-0.4, 0.4, many.action_space.shape).astype(np.float32)
        obs, rewards, *_ = many.step(actions)
        for k, one in enumerate(ones):
            single_obs, reward, *_ = one.step(actions[k])
            assert np.array_equal(single_obs, obs[k]), (
                f"{row.name}: observation of creature {k} differs from the single environment"
            )
            assert reward == rewards[k], f"{row.name}: reward of creature {k} differs from the single environment"
    return "observations and rewards equal those of single environments, to the last bit"


LEARNERS: dict[str, Callable[[Row], Result]] = {"learning": learning}

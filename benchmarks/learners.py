"""Environments for learners: many quadrupeds in lanes, beside gymnasium's own vector of ants, action for action.

Both have eight joints on a free trunk. Their action lasts 50 ms, in 5 steps of fourth order; ours 33 ms, in 12 of
contact.
"""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv

from benchmarks.rows import Result, Row
from benchmarks.stopwatch import race, ratio, typical
from gambol.evolve.learners import Many, One
from gambol.evolve.learners.troop import FRAME

ANT = "Ant-v5"
ACTIONS = 10  # in a timed run
REPEATS = 7
CHECKED = 5  # creatures that are compared with single ones


def learning(row: Row) -> Result:
    """Random actions, lives that end begun anew, and all that is felt told after each."""
    ours = Many(row.worlds, row.model, threads=row.threads)
    theirs: Any = SyncVectorEnv([lambda: gymnasium.make(ANT)] * row.worlds)
    check = _checked(row)
    for env in (ours, theirs):
        env.reset(seed=1)
    rng = np.random.default_rng(1)
    actions = [rng.uniform(-1.0, 1.0, (row.worlds, 8)).astype(np.float32) for _ in range(ACTIONS)]

    def run(env: Any) -> None:
        for action in actions:
            env.step(action)

    times = race(lambda: run(ours), lambda: run(theirs), repeats=REPEATS)
    every = row.worlds * ACTIONS
    world = ours.troop.plan.engine.world
    result = Result(world.figure.nv, check, FRAME, f"up to {world.most_contacts}", peer=f"{ANT} in SyncVectorEnv")
    seconds, result.spread = typical(times[0])
    result.ns_per_step, result.peer_ns_per_step = seconds / every * 1e9, typical(times[1])[0] / every * 1e9
    result.ratio, result.compile_s = ratio(*times), ours.troop.plan.engine.mover.seconds_to_make
    result.more = {"actions_per_s": every / seconds, "peer_actions_per_s": every / typical(times[1])[0]}
    return result


def _checked(row: Row) -> str:
    """The first creatures feel and are paid what single ones are, to the last bit."""
    many, rng = Many(CHECKED, row.model), np.random.default_rng(2)
    ones = [One(row.model) for _ in range(CHECKED)]
    many.reset(seed=7)
    for k, one in enumerate(ones):
        one.reset(seed=7 + k)
    for _ in range(3):
        actions = rng.uniform(-1.0, 1.0, (CHECKED, 8)).astype(np.float32)
        felt, paid, *_ = many.step(actions)
        for k, one in enumerate(ones):
            own, reward, *_ = one.step(actions[k])
            assert np.array_equal(own, felt[k]), f"{row.name}: creature {k} feels what no single one does"
            assert reward == paid[k], f"{row.name}: creature {k} is paid what no single one is"
    return "to the last bit what single creatures feel and are paid"


LEARNERS: dict[str, Callable[[Row], Result]] = {"learning": learning}

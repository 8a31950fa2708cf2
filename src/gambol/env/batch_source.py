"""Sources of batches of creatures: a body plan or a body with rewards, or a locomotion task of gymnasium."""

from typing import TypeAlias

from gambol.env.batch import TaskBatch
from gambol.env.batched_env import BatchedEnv
from gambol.env.body import EnvBody
from gambol.env.locomotion import LOCOMOTION, LocomotionEnv, LocomotionTask
from gambol.env.reward_terms import Reward
from gambol.errors import EvolveError

BatchSource: TypeAlias = str | EnvBody | LocomotionTask
"""The name of a body plan or of a locomotion task; a body; a locomotion task."""


def batch_of(
    source: BatchSource,
    worlds: int,
    reward: Reward | None = None,
    *,
    lanes: int | None = None,
    threads: int = 1,
    device: str = "cpu",
) -> TaskBatch:
    """Return a batch of creatures.

    source: see BatchSource. worlds: number of creatures. reward: None for the default of the source. lanes: worlds per
    instruction, see Program. threads: number of threads. device: see CommandedWorlds. Raises EvolveError for an unknown
    name, and for a reward with a locomotion task, which has its own.
    """
    if isinstance(source, str) and source in LOCOMOTION:
        source = LOCOMOTION[source]
    if not isinstance(source, LocomotionTask):
        return BatchedEnv(source, worlds, reward, lanes=lanes, threads=threads, device=device)
    if reward is not None:
        raise EvolveError("a locomotion task of gymnasium has its own reward; change its weights instead")
    return LocomotionEnv(source, worlds, lanes=lanes, threads=threads, device=device)

"""Trials: a creature lives more than once, and in all lives but the first its start and its ground are a little off.

    trial 0        level and still, every joint at rest
    trial 1, ...   joints off by up to the task's unevenness, friction by up to its slickness, evenly distributed

Who falls then stood on a knife's edge. What is drawn follows from the creature's own seed and the number of the trial.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.random import SeedSequence, default_rng
from numpy.typing import NDArray

from gambol.errors import EvolveError
from gambol.evolve.life.home import BASE, Lodged
from gambol.evolve.outcome import Outcome
from gambol.evolve.tasks import Task

EACH = ("chains", "length", "stand", "mass", "friction")
"""Of Lodged: arrays that begin with a creature."""


def tried(lodged: Lodged, task: Task, seeds: Sequence[int]) -> Lodged:
    """W creatures in all trials of a task, one trial after the other: of trial t the lanes from t W on.

    seeds: one for each creature.
    """
    if task.trials == 1:
        return lodged
    every = [in_trial(lodged, task, seeds, trial) for trial in range(task.trials)]
    return replace(
        lodged,
        numbers=np.concatenate([one.numbers for one in every], axis=1),
        q=np.concatenate([one.q for one in every]),
        feet=lodged.feet * task.trials,
        **{name: np.concatenate([getattr(one, name) for one in every]) for name in EACH},
    )


def check_trial(task: Task, trial: int) -> None:
    """Raises EvolveError for a trial that lives of a task do not have."""
    if not 0 <= trial < task.trials:
        raise EvolveError(f"there is no trial {trial}: lives of this run have trials 0 to {task.trials - 1}")


def in_trial(lodged: Lodged, task: Task, seeds: Sequence[int], trial: int) -> Lodged:
    """Creatures in one trial. seeds: one for each. Raises EvolveError for a trial that the task does not have."""
    check_trial(task, trial)
    play = lodged.play
    if trial == 0 or play is None:
        return lodged
    luck = np.array([drawn(seed, trial, 1 + play.units.shape[1]) for seed in seeds])
    friction = lodged.friction * (1.0 + task.slickness * luck[:, 0])
    q, numbers = lodged.q.copy(), lodged.numbers.copy()
    q[:, BASE:] += task.unevenness * play.units * luck[:, 1:]
    q[:, BASE - 1] = play.height(list(q[:, BASE:].T))
    numbers[play.friction] = friction
    return replace(lodged, numbers=numbers, q=q, friction=friction)


def worst(trials: Sequence[Outcome]) -> Outcome:
    """The outcome of a life: that of its worst trial. A marked one is worse than any; of equals the first counts."""
    return min(trials, key=lambda one: one.worth)


def drawn(seed: int, trial: int, count: int) -> NDArray[np.float64]:
    """What a trial draws for a creature of a seed: numbers in [-1, 1), one for friction, then one for each joint."""
    return 2.0 * default_rng(SeedSequence(seed, spawn_key=(trial,))).random(count) - 1.0

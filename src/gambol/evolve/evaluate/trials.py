"""Trials: a genotype is simulated several times. All trials but the first have random initial state and friction.

    trial 0        trunk level, every joint at rest, the task's friction
    trial 1, ...   uniform offsets: of joints up to the task's unevenness, of friction up to its slickness

A creature that falls in one of the later trials is not robust. The random numbers are a function of its seed and the
number of the trial.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.random import SeedSequence, default_rng
from numpy.typing import NDArray

from gambol.errors import EvolveError
from gambol.evolve.evaluate.batch_world import TRUNK_COORDINATES, BatchInputs
from gambol.evolve.outcome import Outcome
from gambol.evolve.tasks import Task

PER_CREATURE = ("limb_of_link", "length", "standing_height", "mass", "friction")
"""The arrays of BatchInputs whose first axis is the creature."""


def inputs_of_all_trials(inputs: BatchInputs, task: Task, seeds: Sequence[int]) -> BatchInputs:
    """Return the inputs of W creatures in all trials of a task, trial by trial: those of trial t begin at lane t W.

    inputs: of trial 0. task: with the number of trials. seeds: one for each creature.
    """
    if task.trials == 1:
        return inputs
    trials = [inputs_of_trial(inputs, task, seeds, trial) for trial in range(task.trials)]
    return replace(
        inputs,
        numbers=np.concatenate([trial.numbers for trial in trials], axis=1),
        q=np.concatenate([trial.q for trial in trials]),
        feet=inputs.feet * task.trials,
        **{name: np.concatenate([getattr(trial, name) for trial in trials]) for name in PER_CREATURE},
    )


def check_trial(task: Task, trial: int) -> None:
    """Raise EvolveError for a trial that the task does not have."""
    if not 0 <= trial < task.trials:
        raise EvolveError(f"there is no trial {trial}: rollouts of this run have trials 0 to {task.trials - 1}")


def inputs_of_trial(inputs: BatchInputs, task: Task, seeds: Sequence[int], trial: int) -> BatchInputs:
    """Return the inputs of creatures in one trial.

    inputs: of trial 0. task: of the trials. seeds: one for each creature. trial: from 0. Raises EvolveError for a trial
    that does not exist.
    """
    check_trial(task, trial)
    randomization = inputs.randomization
    if trial == 0 or randomization is None:
        return inputs
    offsets = np.array([random_offsets(seed, trial, 1 + randomization.units.shape[1]) for seed in seeds])
    friction = inputs.friction * (1.0 + task.slickness * offsets[:, 0])
    q, numbers = inputs.q.copy(), inputs.numbers.copy()
    q[:, TRUNK_COORDINATES:] += task.unevenness * randomization.units * offsets[:, 1:]
    q[:, TRUNK_COORDINATES - 1] = randomization.trunk_height(list(q[:, TRUNK_COORDINATES:].T))
    numbers[randomization.friction_row] = friction
    return replace(inputs, numbers=numbers, q=q, friction=friction)


def worst_trial(trials: Sequence[Outcome]) -> Outcome:
    """Return the outcome of the worst trial. An invalid one is worse than any valid one; of equals the first counts."""
    return min(trials, key=lambda trial: trial.score)


def random_offsets(seed: int, trial: int, count: int) -> NDArray[np.float64]:
    """Return the random numbers of a trial, in [-1, 1): one for friction, then one for each joint; count: of both."""
    return 2.0 * default_rng(SeedSequence(seed, spawn_key=(trial,))).random(count) - 1.0

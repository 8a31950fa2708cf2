"""Sensitivity of behaviour to genes: mutants of one genotype, with mutations of many sizes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol.evolve.evaluate.options import search_space
from gambol.evolve.evaluate.rollout import batches_of
from gambol.evolve.fitness import Trajectory
from gambol.evolve.genotype import Genotype, of_json
from gambol.evolve.runs import Settings
from validation.evolution.contest import Spread

STEPS = tuple(float(step) for step in np.logspace(-2.0, 1.0, 10))
"""Sizes of mutations, in units of the initial mutation size of the genes."""

MUTANTS = 32  # at each step


@dataclass(frozen=True)
class Change:
    """Differences of mean velocity between mutants and their parent [body lengths/s], for each mutation size.

    parent: its name.
    """

    parent: str
    spreads: tuple[Spread, ...]


def mutation_changes(settings: Settings, name: str, parent: Genotype, mutants: int = MUTANTS) -> Change:
    """Return the effects of mutations of each size on the motion of a genotype, called name."""
    space, rng = search_space(settings), np.random.default_rng(1)
    children = [space.mutated(parent, step, rng) for step in STEPS for _ in range(mutants)]
    ((batch, _),) = batches_of(settings).split([parent])
    velocity = velocities(batch.simulate_first_trials([parent, *children]))
    differences = np.linalg.norm(velocity[1:] - velocity[0], axis=1).reshape(len(STEPS), mutants)
    return Change(name, tuple(Spread(tuple(row)) for row in differences))


def velocities(trajectory: Trajectory) -> Any:
    """Return mean horizontal velocities (W, 2) [body lengths/s], 0 for invalid rollouts."""
    return np.nan_to_num((trajectory.path[-1] - trajectory.path[0]) / (trajectory.time[-1] - trajectory.time[0]))


def parents(settings: Settings, walking: Any) -> Sequence[tuple[str, Genotype]]:
    """Return a walking genotype, given as plain data, and a random one."""
    return ("walking", of_json(walking)), ("random", search_space(settings).random(np.random.default_rng(0)))

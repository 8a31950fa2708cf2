"""How far behaviour changes when genes do: mutants of one genotype, at steps of many sizes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol.evolve.fitness import Track
from gambol.evolve.genotype import Genotype, of_json
from gambol.evolve.life.asked import space_asked
from gambol.evolve.life.living import herds_of
from gambol.evolve.run import Settings
from validation.evolution.contest import Spread

STEPS = tuple(float(step) for step in np.logspace(-2.0, 1.0, 10))
"""Sizes of mutations, in what genes mutate by at first: ten values from a hundredth to ten times it."""

MUTANTS = 32  # at each step


@dataclass(frozen=True)
class Change:
    """How far the mean velocity of mutants is from that of their parent [body lengths/s], for each step."""

    start: str
    spreads: tuple[Spread, ...]


def changes(settings: Settings, start: str, parent: Genotype, mutants: int = MUTANTS) -> Change:
    """What mutations of each size change in the life of a genotype. start: what it is called."""
    space, rng = space_asked(settings), np.random.default_rng(1)
    children = [space.mutated(parent, step, rng) for step in STEPS for _ in range(mutants)]
    ((herd, _),) = herds_of(settings).of([parent])
    went = velocities(herd.lived([parent, *children]))
    apart = np.linalg.norm(went[1:] - went[0], axis=1).reshape(len(STEPS), mutants)
    return Change(start, tuple(Spread(tuple(row)) for row in apart))


def velocities(track: Track) -> Any:
    """Mean velocities over the ground (W, 2) [body lengths/s], 0 of lives that were lost."""
    return np.nan_to_num((track.way[-1] - track.way[0]) / (track.time[-1] - track.time[0]))


def parents(settings: Settings, walking: Any) -> Sequence[tuple[str, Genotype]]:
    """A genotype that walks, given as plain data, and a random one."""
    return ("walking", of_json(walking)), ("random", space_asked(settings).random(np.random.default_rng(0)))

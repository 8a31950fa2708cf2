"""A life once more, on film."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from gambol.evolve.genotype import of_json
from gambol.evolve.life.asked import task_of
from gambol.evolve.life.growing import creature_of
from gambol.evolve.life.herd import begun
from gambol.evolve.life.home import world_of
from gambol.evolve.run import Settings
from gambol.lanes import Precision
from gambol.world import Film, run

RATE = 60.0
"""Pictures per second of a life."""


def filmed(
    settings: Settings, genotype: Mapping[str, Any], *, seconds: float | None = None, precision: Precision = "float32"
) -> Film:
    """The film of a genotype's life, plain data, from its first moment on. seconds: None: all of it.

    A body that stays, or whose measures evolve, moves as it did to the last bit where the precision is that of lives;
    one that was told among others is filmed in a world of its own figure, and moves as it did but for rounding.
    Raises EvolveError for a genotype that is none.
    """
    task, made = task_of(settings), of_json(genotype)
    world = world_of(creature := creature_of(made), task)
    state = begun(world, np.array([creature.q]), precision)
    return run(world, state, task.seconds if seconds is None else seconds, rate=RATE)

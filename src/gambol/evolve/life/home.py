"""The world in which a grown creature lives: level ground or a medium, its own muscles, and large steps."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.control import Drive
from gambol.dynamics import STANDARD_GRAVITY
from gambol.evolve.genotype import Grown
from gambol.evolve.tasks import Task
from gambol.figure import Figure
from gambol.world import Timing, World
from gambol.world.world import SMOOTH_TOUCH

Array = NDArray[Any]

ROUNDS = 6
"""Of the solver of contacts: in a trot one step in a hundred misses their laws by more than is allowed, and none by a
hundredth of what its feet do.
"""

ROOM = 8
"""Contacts at once: a quadruped that lies on its trunk and all its legs' ends; others are found as these sink."""


@dataclass(frozen=True)
class Lodged:
    """W creatures in worlds of one structure.

    numbers: of the worlds (rows, W). q: coordinates at the start (W, nq). feet: of each creature, which of the world's
    feet are its own, by number. figure: of numbers that may be arrays (W,). chains: of its links (W, links), which limb
    each is of, by number, 0 for none. length, stand, mass (W,): see fitness.Track.
    """

    numbers: Array
    q: Array
    feet: tuple[tuple[int, ...], ...]
    figure: Figure
    chains: NDArray[np.int64]
    length: NDArray[np.float64]
    stand: NDArray[np.float64]
    mass: NDArray[np.float64]


def world_of(creature: Grown, task: Task) -> World:
    """The world of a creature that is asked for something: solid ground with the task's friction, nothing rebounds.

    In a task's medium there is no ground, and the creature floats.
    """
    return World(
        creature.figure,
        springs=creature.springs,
        touch=replace(SMOOTH_TOUCH, stiffness=0.0 if task.medium else 1.0, restitution=0.0, friction=task.friction),
        gravity=0.0 if task.medium else STANDARD_GRAVITY,
        medium=task.medium,
        feet=creature.feet,
        controller=Drive(creature.pattern, creature.actuators, creature.feet),
        timing=Timing(task.frame, task.step),
        contact="stepping",
        room=ROOM,
        rounds=ROUNDS,
    )


def chains_of(figure: Figure) -> dict[str, int]:
    """The limb of every link of a grown figure, by number from 1; a link's name begins with that of its chain."""
    names = [link.name.partition(" joint")[0].rpartition(" ")[0] for link in figure.links[1:]]
    numbers = {name: k for k, name in enumerate(dict.fromkeys(names), start=1)}
    return {link.name: numbers[name] for link, name in zip(figure.links[1:], names, strict=True)}

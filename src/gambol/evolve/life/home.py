"""The world in which a grown creature lives: level ground or a medium, its own muscles, and large steps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.control import Drive
from gambol.dynamics import STANDARD_GRAVITY
from gambol.evolve.genotype import Grown
from gambol.evolve.tasks import Task
from gambol.figure import Figure
from gambol.lanes import Scalar, leaves, mapped
from gambol.world import Timing, World
from gambol.world.world import SMOOTH_TOUCH

Array = NDArray[Any]

ROUNDS = 4
"""Of the solver of contacts: of 64 random quadrupeds the median error after half a second is 4.0 mm with 4 rounds, and
4.0 mm with 20: the step's own error hides the solver's.
"""

ROOM = 8
"""Contacts at once: a quadruped that lies on its trunk and all its legs' ends; others are found as these sink."""


BASE = 7
"""Coordinates of a trunk, before those of joints: how it is turned, and where it is; the last of them is its height."""


@dataclass(frozen=True)
class Play:
    """By what the starts of creatures in their worlds can be off.

    units: of their joints (W, joints), the size of one unit of the genes that place them [rad or m], 0 for joints that
    are not there. height: of their trunks above the ground [m] (W,), with joints at some coordinates (joints, W).
    friction: its row in the numbers of worlds.
    """

    units: NDArray[np.float64]
    height: Callable[[Sequence[Scalar]], Scalar]
    friction: int


@dataclass(frozen=True)
class Lodged:
    """W creatures in worlds of one structure.

    numbers: of the worlds (rows, W). q: coordinates at the start (W, nq). feet: of each creature, which of the world's
    feet are its own, by number. chains: of its links (W, links), which limb each is of, by number, 0 for none. length,
    stand, mass, friction (W,): see fitness.Track. play: None where no start can be off.
    """

    numbers: Array
    q: Array
    feet: tuple[tuple[int, ...], ...]
    chains: NDArray[np.int64]
    length: NDArray[np.float64]
    stand: NDArray[np.float64]
    mass: NDArray[np.float64]
    friction: NDArray[np.float64]
    play: Play | None = None


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


def friction_row(world: World) -> int:
    """The row of the ground's friction in the numbers of a world."""
    form = mapped(lambda _: 0.0, world.numbers())
    return leaves(form | {"touch": replace(form["touch"], friction=1.0)}).index(1.0)


def chains_of(figure: Figure) -> dict[str, int]:
    """The limb of every link of a grown figure, by number from 1; a link's name begins with that of its chain."""
    names = [link.name.partition(" joint")[0].rpartition(" ")[0] for link in figure.links[1:]]
    numbers = {name: k for k, name in enumerate(dict.fromkeys(names), start=1)}
    return {link.name: numbers[name] for link, name in zip(figure.links[1:], names, strict=True)}

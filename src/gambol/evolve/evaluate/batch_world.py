"""The world in which a grown creature is simulated: level ground or a medium, its own servos, and large steps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.control import Drive
from gambol.dynamics import STANDARD_GRAVITY
from gambol.evolve.genotype import Phenotype
from gambol.evolve.tasks import Task
from gambol.figure import Figure
from gambol.lanes import Scalar, leaves, tree_map
from gambol.world import Timing, World
from gambol.world.world import NO_TOUCH

Array = NDArray[Any]

ITERATIONS = 4
"""Iterations of the contact solver. For 64 random quadrupeds the median error after half a second is 4.0 mm with 4
iterations and also with 20, since the error of the time step is larger than the solver's.
"""

MAX_CONTACTS = 8
"""Largest number of simultaneous contacts: enough for a quadruped that lies on its trunk and the ends of its legs.
Where there are more, the deepest ones are used.
"""


TRUNK_COORDINATES = 7
"""The number of coordinates of a trunk, before those of joints: orientation, then position, whose last number is the
height.
"""


@dataclass(frozen=True)
class Randomization:
    """Scales of the randomisation of initial states and friction.

    units: the size of one unit of the genes that place joints [rad or m] (W, joints), 0 for joints that do not exist.
    trunk_height: returns the heights of trunks above the ground [m] (W,) with joints at some coordinates (joints, W).
    friction_row: the row of the friction coefficient in the numbers of a world.
    """

    units: NDArray[np.float64]
    trunk_height: Callable[[Sequence[Scalar]], Scalar]
    friction_row: int


@dataclass(frozen=True)
class BatchInputs:
    """The inputs of W creatures in worlds of one structure.

    numbers: of the worlds (rows, W). q: initial coordinates (W, nq). feet: for each creature the numbers of the world's
    feet that are its own. limb_of_link: for each link the number of its limb, 0 for none (W, links). length,
    standing_height, mass, friction (W,): see fitness.Trajectory. randomization: None where no start is randomised.
    """

    numbers: Array
    q: Array
    feet: tuple[tuple[int, ...], ...]
    limb_of_link: NDArray[np.int64]
    length: NDArray[np.float64]
    standing_height: NDArray[np.float64]
    mass: NDArray[np.float64]
    friction: NDArray[np.float64]
    randomization: Randomization | None = None


def world_of(creature: Phenotype, task: Task) -> World:
    """Return the world of a creature in a task: solid ground with the task's friction, without restitution.

    In a task with a medium there is no ground, and the creature floats.
    """
    return World(
        creature.figure,
        springs=creature.springs,
        touch=replace(NO_TOUCH, stiffness=0.0 if task.medium else 1.0, restitution=0.0, friction=task.friction),
        gravity=0.0 if task.medium else STANDARD_GRAVITY,
        medium=task.medium,
        feet=creature.feet,
        controller=Drive(creature.pattern, creature.actuators, creature.feet),
        timing=Timing(task.frame, task.step),
        contact="stepping",
        max_contacts=MAX_CONTACTS,
        iterations=ITERATIONS,
    )


def friction_row(world: World) -> int:
    """Return the row of the ground's friction in the numbers of a world."""
    zeros = tree_map(lambda _: 0.0, world.numbers())
    return leaves(zeros | {"touch": replace(zeros["touch"], friction=1.0)}).index(1.0)


def limb_numbers(figure: Figure) -> dict[str, int]:
    """Return the limb number of every link of a grown figure, from 1; a link's name begins with that of its limb."""
    names = [link.name.partition(" joint")[0].rpartition(" ")[0] for link in figure.links[1:]]
    numbers = {name: k for k, name in enumerate(dict.fromkeys(names), start=1)}
    return {link.name: numbers[name] for link, name in zip(figure.links[1:], names, strict=True)}

"""The world in which a grown creature is simulated: level ground or a medium, the creature's servos, large steps."""

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
"""Iterations of the contact solver. For 64 random quadrupeds the median error after half a second is 4.0 mm, both with
4 iterations and with 20: the error of the time step is larger than that of the solver.
"""

MAX_CONTACTS = 8
"""Largest number of simultaneous contacts: enough for a quadruped that lies on its trunk and the ends of its legs.
Of more contacts those with the smallest gaps are used.
"""

TRUNK_COORDINATES = 7
"""The number of coordinates of a trunk, which precede those of joints: orientation (4), then position (3); the last is
the height.
"""


@dataclass(frozen=True)
class Randomization:
    """Scales of the randomisation of initial states and friction.

    units: size of one unit of the genes middle and reach of each joint [rad or m] (W, joints), 0 for absent joints.
    trunk_height: function of joint coordinates (joints, W), returns the height of each trunk at rest on the ground [m]
    (W,). friction_row: the row of the friction coefficient in the numbers of a world.
    """

    units: NDArray[np.float64]
    trunk_height: Callable[[Sequence[Scalar]], Scalar]
    friction_row: int


@dataclass(frozen=True)
class BatchInputs:
    """The inputs of W creatures in worlds of one structure.

    numbers: of the worlds (rows, W). q: initial coordinates (W, nq). feet: for each creature the indices of its feet
    among those of the world. limb_of_link: for each link the number of its limb, 0 for none (W, links). length,
    standing_height, mass, friction (W,): see fitness.Trajectory. randomization: None if no trial is randomised.
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
    """Return the world of a creature in a task: level ground with the task's friction and without restitution.

    In a task with a medium there is neither ground nor gravity: the creature floats.
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
    """Return the limb number, from 1, of each link but the trunk, by link name; a link name begins with its limb's."""
    limb_names = [link.name.partition(" joint")[0].rpartition(" ")[0] for link in figure.links[1:]]
    numbers = {name: k for k, name in enumerate(dict.fromkeys(limb_names), start=1)}
    return {link.name: numbers[name] for link, name in zip(figure.links[1:], limb_names, strict=True)}

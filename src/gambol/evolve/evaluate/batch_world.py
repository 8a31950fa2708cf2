"""The world in which a grown creature is simulated: a ground or a medium, the creature's servos, large steps.

Trials: a genotype is simulated several times. All trials but the first have random initial state and friction.

    trial 0        trunk level, every joint at rest, the task's friction
    trial 1, ...   uniform offsets, of joints up to the task's unevenness and of friction up to its slickness

A creature that falls in a later trial is not robust. The random numbers are a function of the genotype's seed and the
index of the trial.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import SeedSequence, default_rng
from numpy.typing import NDArray

from gambol.contact import Stepping, SurfaceProperties
from gambol.contact.surface import NO_TOUCH
from gambol.control import Drive
from gambol.dynamics import STANDARD_GRAVITY
from gambol.errors import EvolveError
from gambol.evolve.evaluate.placement import Balls, ground_of, placed_coordinates
from gambol.evolve.genotype import Phenotype
from gambol.evolve.genotype.growth import height_and_length
from gambol.evolve.outcome import Outcome
from gambol.evolve.tasks import Task
from gambol.figure import Figure
from gambol.lanes import leaves, tree_map
from gambol.world import External, Timing, World

Array = NDArray[Any]

ITERATIONS = 4
"""Iterations of the contact solver. For 64 random quadrupeds the median error after half a second is 4.0 mm, both with
4 iterations and with 20: the error of the time step is larger than that of the solver.
"""

MAX_CONTACTS = 8
"""Maximum number of simultaneous contacts: enough for a quadruped that lies on its trunk and the ends of its legs. If
there are more contacts, those with the smallest gaps are used.
"""

TRUNK_COORDINATES = 7
"""Number of coordinates of a trunk, before those of joints: orientation (4), position (3); the last is the height."""


@dataclass(frozen=True)
class Randomization:
    """Scales of the randomisation of initial states and friction.

    units: size of one unit of the genes middle and reach of each joint [rad or m] (W, joints), 0 for absent joints.
    balls: function of joint coordinates (joints, W), returns radius and position in the trunk's frame of each ball that
    may touch the ground [m] (W,). friction_row: the row of the friction coefficient in the numbers of a world.
    """

    units: NDArray[np.float64]
    balls: Balls
    friction_row: int


@dataclass(frozen=True)
class LimbEnds:
    """The last links of a limb of W creatures, such as heads.

    feet: for each creature the index of the link among the feet of the world, -1 for none. axes (W, 3, 3): rotation of
    the link of the world in the axes of the link of the grown figure.
    """

    feet: tuple[int, ...]
    axes: NDArray[np.float64]

    def repeated(self, count: int) -> "LimbEnds":
        """Return the ends of the creatures several times, one after the other."""
        return LimbEnds(self.feet * count, np.tile(self.axes, (count, 1, 1)))


@dataclass(frozen=True)
class BatchInputs:
    """The inputs of W creatures in worlds of one structure.

    numbers: numbers of the worlds (rows, W). q: initial coordinates (W, nq). feet: for each creature the indices of its
    feet among the feet of the world. ends: of "head" and "tail". limb_of_link: for each link the number of its limb, 0
    for none (W, links). length, standing_height, mass, friction (W,): see fitness.Trajectory. randomization: None if no
    trial is randomised.
    """

    numbers: Array
    q: Array
    feet: tuple[tuple[int, ...], ...]
    ends: Mapping[str, LimbEnds]
    limb_of_link: NDArray[np.int64]
    length: NDArray[np.float64]
    standing_height: NDArray[np.float64]
    mass: NDArray[np.float64]
    friction: NDArray[np.float64]
    randomization: Randomization | None = None


def world_of(creature: Phenotype, task: Task) -> World:
    """Return the world of a creature in a task: its ground, with the task's friction and without restitution.

    In a task with a medium there is no ground and no gravity: the creature floats.
    """
    return World(
        creature.figure,
        springs=creature.springs,
        ground=ground_of(task),
        surface=SurfaceProperties(
            replace(NO_TOUCH, stiffness=0.0 if task.medium else 1.0, restitution=0.0, friction=task.friction),
            feet=creature.feet,
        ),
        external=External(medium=task.medium),
        gravity=0.0 if task.medium else STANDARD_GRAVITY,
        controller=Drive(creature.pattern, creature.actuators, creature.feet),
        timing=Timing(task.frame, task.step, tolerance=task.tolerance),
        contact=Stepping(
            max(MAX_CONTACTS, creature.feet_in_contact),
            ITERATIONS,
            second_order_landings=task.second_order_landings,
            explicit_servos=task.explicit_servos,
            midpoint_springs=task.midpoint_springs,
        ),
        sensors=creature.sensors,
    )


def friction_row(world: World) -> int:
    """Return the row of the ground's friction in the numbers of a world."""
    zeros = tree_map(lambda _: 0.0, world.numbers())
    return leaves(zeros | {"touch": replace(zeros["touch"], friction=1.0)}).index(1.0)


def limb_numbers(figure: Figure) -> dict[str, int]:
    """Return the limb number, from 1, of each link of a grown figure except the trunk; 0 for a spine.

    Names of links contain names of limbs.
    """
    names = [link.name.partition(" joint")[0].rpartition(" ")[0] for link in figure.links]
    carriers = [names[link.parent_index - 1] for link in figure.links[1:]]
    spines = {carrier for carrier, name in zip(carriers, names[1:], strict=True) if carrier != name}
    numbers = {name: k for k, name in enumerate(dict.fromkeys(names[1:]), start=1)} | dict.fromkeys(spines, 0)
    return {link.name: numbers[name] for link, name in zip(figure.links[1:], names[1:], strict=True)}


PER_CREATURE = ("limb_of_link", "length", "standing_height", "mass", "friction")
"""The arrays of BatchInputs with creatures along the first axis."""


def inputs_of_all_trials(inputs: BatchInputs, task: Task, seeds: Sequence[int]) -> BatchInputs:
    """Return the inputs of W creatures in all trials of a task, trial by trial: trial t begins at lane t W.

    inputs: inputs from BatchWorld.batch_inputs(). task: gives the number of trials. seeds: one for each creature.
    """
    if task.trials == 1:
        return inputs_of_trial(inputs, task, seeds, 0)
    trials = [inputs_of_trial(inputs, task, seeds, trial) for trial in range(task.trials)]
    return replace(
        inputs,
        numbers=np.concatenate([trial.numbers for trial in trials], axis=1),
        q=np.concatenate([trial.q for trial in trials]),
        feet=inputs.feet * task.trials,
        ends={name: ends.repeated(task.trials) for name, ends in inputs.ends.items()},
        **{name: np.concatenate([getattr(trial, name) for trial in trials]) for name in PER_CREATURE},
    )


def check_trial(trials: int, trial: int) -> None:
    """Raise EvolveError for a trial that does not exist. trials: number of trials."""
    if not 0 <= trial < trials:
        raise EvolveError(f"there is no trial {trial}: rollouts of this run have trials 0 to {trials - 1}")


def inputs_of_trial(inputs: BatchInputs, task: Task, seeds: Sequence[int], trial: int) -> BatchInputs:
    """Return the inputs of creatures in one trial.

    inputs: inputs from BatchWorld.batch_inputs(). task: task of the trials. seeds: one for each creature. trial: index
    from 0. Raises EvolveError for a trial that does not exist.
    """
    check_trial(task.trials, trial)
    randomization = inputs.randomization
    if randomization is None:
        return inputs
    if trial == 0:
        return replace(inputs, q=placed_coordinates(task, inputs.q, randomization.balls, inputs.length))
    offsets = np.array([random_offsets(seed, trial, 1 + randomization.units.shape[1]) for seed in seeds])
    friction = inputs.friction * (1.0 + task.slickness * offsets[:, 0])
    q, numbers = inputs.q.copy(), inputs.numbers.copy()
    q[:, TRUNK_COORDINATES:] += task.unevenness * randomization.units * offsets[:, 1:]
    q[:, TRUNK_COORDINATES - 1] = height_and_length(randomization.balls(list(q[:, TRUNK_COORDINATES:].T)))[0]
    numbers[randomization.friction_row] = friction
    q = placed_coordinates(task, q, randomization.balls, inputs.length)
    return replace(inputs, numbers=numbers, q=q, friction=friction)


def worst_trial(trials: Sequence[Outcome]) -> Outcome:
    """Return the outcome of the worst trial.

    An invalid trial is worse than any valid trial; of equal trials, the first counts.
    """
    return min(trials, key=lambda trial: trial.score)


def random_offsets(seed: int, trial: int, count: int) -> NDArray[np.float64]:
    """Return the random numbers of a trial, in [-1, 1): one for friction, then one for each joint.

    count: number of joints plus 1.
    """
    return 2.0 * default_rng(SeedSequence(seed, spawn_key=(trial,))).random(count) - 1.0

"""Lives of a creature: the undisturbed one on level ground, and perturbed ones on a ground, here and in MuJoCo.

A perturbed life begins with other joint positions and has another friction, as in the later trials of rollouts, see
gambol.evolve.evaluate.batch_world.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import gambol
from gambol.collide import Ground, Plane
from gambol.collide.hills import random_hills
from gambol.contact.penalty.law import ContactParameters
from gambol.evolve.evaluate.batch_world import TRUNK_COORDINATES, random_offsets
from gambol.evolve.evaluate.options import task_of
from gambol.evolve.zoo import zoo_creature
from gambol.world import Engine, World, run, start
from gambol.world.observe import depth_of
from validation.transfer.mujoco_walk import MujocoWalk

Array = NDArray[np.float64]

SECONDS, SETTLED = 8.0, 2.0
"""Duration of a life, and the time from which its speed is measured [s]."""

LIVES, SEED = (1, 2), 0
"""The numbers of the perturbed lives, as of trials, and the seed of their random numbers."""

FALL = 0.5
"""A creature has fallen if its centre of mass is lower above the ground than this fraction of its initial height."""

RATE = 120.0
"""Frames per second: one for each control step."""


@dataclass(frozen=True)
class Life:
    """A life. speed: distance from the place at SETTLED to the final one, divided by the time [m/s]; fell: True."""

    speed: float
    fell: bool


GROUNDS = {
    "level": None,
    "hills": (1.0 / 3.0, 2.0),
    "bumps": (0.05, 0.5),
}
"""Grounds by name: height of the highest hill over the standing height, and shortest wavelength in body lengths."""


def ground_named(name: str, height: float, length: float, speed: float) -> Ground:
    """Return a ground for a creature, larger than its way.

    height: of its trunk when it stands; length: from front to back [m]; speed: its own [m/s].
    """
    shape = GROUNDS[name]
    if shape is None:
        return Plane()
    wavelength = shape[1] * length
    reach = max(12.0 * max(length, wavelength), 1.3 * speed * SECONDS)
    return random_hills(shape[0] * height, wavelength=wavelength, half_width=reach, level=0.5 * length, seed=SEED)


def perturbed(world: World, name: str, number: int) -> tuple[World, Array]:
    """Return the world and the initial coordinates of a life; number 0: undisturbed."""
    q = np.array(world.initial.q)
    if number == 0:
        return world, q
    task = task_of(zoo_creature(name).settings)
    offsets = random_offsets(SEED, number, 1 + len(q) - TRUNK_COORDINATES)
    depth = depth_of(world, q)
    q[TRUNK_COORDINATES:] += task.unevenness * offsets[1:]
    q[TRUNK_COORDINATES - 1] += depth_of(world, q) - depth
    parameters = world.surface.parameters
    assert isinstance(parameters, ContactParameters)
    changed = replace(parameters, friction=parameters.friction * (1.0 + task.slickness * offsets[0]))
    return replace(world, surface=replace(world.surface, parameters=changed)), q


def lives_here(name: str, ground: Ground, numbers: tuple[int, ...]) -> list[Life]:
    """Return lives in gambol, side by side."""
    world = gambol.make_world(name, ground=ground)
    pairs = [perturbed(world, name, number) for number in numbers]
    film = run(
        world,
        start(world, len(pairs), q=np.array([q for _, q in pairs])),
        SECONDS,
        rate=RATE,
        numbers=Engine(world).numbers_of([one for one, _ in pairs]),
    )
    return [life_of(film.time, film.signals["centre"][:, k], ground) for k in range(len(pairs))]


def life_in_mujoco(name: str, ground: Ground, number: int) -> Life:
    """Return a life in MuJoCo."""
    world, q = perturbed(gambol.make_world(name, ground=ground), name, number)
    parameters = world.surface.parameters
    assert isinstance(parameters, ContactParameters)
    walk = MujocoWalk(name, world, parameters.friction)
    times, centres = zip(*walk.walk(q, SECONDS), strict=True)
    return life_of(np.array(times), np.array(centres), ground)


def life_of(time: Array, centre: Array, ground: Ground) -> Life:
    """Return a life from times (N,) and places of the centre of mass (N, 3)."""
    surface = ground.surface(ground.numbers(), ground.table(), centre[:, 0], centre[:, 1])
    above = centre[:, 2] - np.asarray(surface.height)
    late = time >= SETTLED - 1e-9
    moved = centre[-1, :2] - centre[late][0, :2]
    return Life(
        float(np.hypot(*moved) / (time[-1] - time[late][0])),
        bool(above.min() < FALL * above[0] or np.isnan(centre).any()),
    )

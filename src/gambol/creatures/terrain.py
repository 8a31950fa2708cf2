"""Hills scaled to a creature, and warnings about grounds that a contact method cannot handle well."""

import math

from gambol.collide import HeightGrid
from gambol.collide.hills import random_hills
from gambol.creatures.creature import Creature
from gambol.dynamics import kinematics
from gambol.figure import JOINTS
from gambol.spatial import Vector
from gambol.world import World

HILL_RATIO = 1.0 / 3.0  # height of hills / standing height: the roach can walk over such hills
MAX_SLOPE = 1.0
"""The largest slope for which penalty contact issues no warning.

Measured with the constants of the thesis at a ledge 4 mm high: up to 2 % of the motors' work was unaccounted for at a
slope of 2 (cells of 2 mm), and 20 % and more at a slope of 20 (cells of 0.2 mm).
"""
EXTENT_RATIO = 10.0  # wavelengths from the origin to the rim: the roach walks so far in 3 s, at its top speed


def hills_for(creature: Creature, seed: int = 0) -> HeightGrid:
    """Return random hills up to a third of a creature's standing height.

    creature: determines the size of the hills. seed: seed of the random numbers. The shortest wavelength is twice the
    largest distance along x of a contact point from the origin of its link: 2.1 cm for the roach, two thirds of its
    body. Within one such wavelength of the origin the ground is level.
    """
    wavelength = 2.0 * max(abs(p.position[0]) for link in creature.figure.links for p in link.contact_points())
    height = HILL_RATIO * standing_height(creature)
    return random_hills(
        height, wavelength=wavelength, half_width=EXTENT_RATIO * wavelength, level=wavelength, seed=seed
    )


def standing_height(creature: Creature) -> float:
    """Return the mean height of the root above the feet at the creature's initial angles [m]."""
    figure = creature.figure
    q: list[float] = []
    for link in figure.links:
        angle = creature.angles.get(link.name)
        q += JOINTS[link.joint.kind].rest if angle is None else [angle]
    state = kinematics(figure, q, [0.0] * figure.nv)
    feet = [figure.link(leg.foot) for leg in creature.legs]
    tips = [
        min(state.point_position(f.index, Vector(*p.position)).z - p.radius for p in f.contact_points()) for f in feet
    ]
    return -sum(tips) / len(tips)


def ground_warnings(world: World) -> list[str]:
    """Return warnings about features of a world's ground that its contact method cannot handle well."""
    ground = world.ground
    if not world.method.scheme.compliant or not world.has_ground or not isinstance(ground, HeightGrid):
        return []
    steepest = ground.steepest()
    if steepest <= MAX_SLOPE:
        return []
    return [
        f"The ground is as steep as {math.degrees(math.atan(steepest)):.0f} degrees, over cells of "
        f"{ground.spacing * 1e3:.3g} mm. Penalty contact measures the depth of a foot below one cell and jumps where "
        "it crosses into another, so its energy may be far off on steps: smooth the heights, or use --contact stepping."
    ]

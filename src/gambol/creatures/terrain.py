"""Ground that is made to a creature's measure, and ground that a contact method is not made for."""

import math

from gambol.collide import HeightGrid
from gambol.collide.hills import random_hills
from gambol.creatures.creature import Creature
from gambol.dynamics import kinematics
from gambol.figure import JOINTS
from gambol.spatial import Vector
from gambol.world import World

PART_OF_HEIGHT = 1.0 / 3.0  # hills of a third of the standing height: what the roach can be asked to walk over
STEEP = 1.0
"""Slope above which penalty contact is told to be doubtful. With the numbers of the thesis, on a step of 4 mm, up to
2 % of the motors' work was unaccounted for at a slope of 2 (cells of 2 mm), and 20 % and more at 20 (cells of 0.2 mm).
"""
REACH = 10.0  # lengths of the figure to the rim: the roach's way of three seconds at its best


def hills_for(creature: Creature, seed: int = 0) -> HeightGrid:
    """Random hills up to a third of a creature's standing height.

    Their shortest waves are twice as long as the farthest that a link reaches along x from its own origin: 2.1 cm for
    the roach, two thirds of its body.
    """
    length = 2.0 * max(abs(p.position[0]) for link in creature.figure.links for p in link.contact_points())
    height = PART_OF_HEIGHT * standing_height(creature)
    return random_hills(height, wavelength=length, reach=REACH * length, level=length, seed=seed)


def standing_height(creature: Creature) -> float:
    """How far the feet lie below the root at the creature's initial angles [m], on average."""
    figure = creature.figure
    q: list[float] = []
    for link in figure.links:
        given = creature.angles.get(link.name)
        q += JOINTS[link.joint.kind].rest if given is None else [given]
    state = kinematics(figure, q, [0.0] * figure.nv)
    feet = [figure.link(leg.foot) for leg in creature.legs]
    tips = [
        min(state.point_position(f.index, Vector(*p.position)).z - p.radius for p in f.contact_points()) for f in feet
    ]
    return -sum(tips) / len(tips)


def ground_notes(world: World) -> list[str]:
    """Sentences that tell what of a world's ground its contact method is not made for."""
    ground = world.ground
    if world.contact != "penalty" or not world.solid or not isinstance(ground, HeightGrid):
        return []
    steepest = ground.steepest()
    if steepest <= STEEP:
        return []
    return [
        f"The ground is as steep as {math.degrees(math.atan(steepest)):.0f} degrees, over cells of "
        f"{ground.spacing * 1e3:.3g} mm. Penalty contact measures how deep a foot is below one cell and jumps where it "
        "crosses into another, so its energy may be far off on steps: smooth the heights, or take --contact stepping."
    ]

"""Ground that is made to a creature's measure."""

from gambol.collide import HeightGrid
from gambol.collide.hills import random_hills
from gambol.creatures.creature import Creature
from gambol.dynamics import kinematics
from gambol.figure import JOINTS
from gambol.spatial import Vector

PART_OF_HEIGHT = 1.0 / 3.0  # hills of a third of the standing height: what the roach can be asked to walk over
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

"""A check of body plans: whether a body at rest stands on its feet.

Its centre of mass must be above the polygon of the contacts that are near the ground, at rest and without motion:

    max over contacts of n . (p - c) + r >= 0      for every horizontal direction n
"""

import math
from functools import lru_cache

from gambol.dynamics import centre_of_mass, kinematics
from gambol.errors import EvolveError
from gambol.evolve.genotype.body import Body
from gambol.evolve.genotype.genotype import Genotype, with_neutral_control
from gambol.evolve.genotype.growth import grow
from gambol.spatial import Vector

MAX_GROUND_DISTANCE = 0.1
"""Height below which a contact counts as one on the ground, as a fraction of the height of the trunk: joints move a
foot that far."""

DIRECTIONS = tuple((math.cos(k * math.pi / 36), math.sin(k * math.pi / 36)) for k in range(72))
"""Horizontal directions, 5 degrees apart."""


def check_stands(body: Body, name: str) -> None:
    """Raise EvolveError for a body that would fall over at rest; name: its name, for errors."""
    deficit, direction = _overhang(body)
    if deficit > 0.0:
        side = ("in front of", "left of", "behind", "right of")[round(direction / (0.5 * math.pi)) % 4]
        raise EvolveError(
            f'"{name}" cannot stand: at rest its centre of mass is {100.0 * deficit:.2g} cm {side} its feet; '
            "move the feet, or the mass of head, tail and trunk"
        )


@lru_cache(maxsize=64)
def _overhang(body: Body) -> tuple[float, float]:
    """Return the distance of the centre of mass outside its support polygon at rest [m], and its direction [rad]."""
    creature = grow(with_neutral_control(Genotype(body)))
    state = kinematics(creature.figure, list(creature.q), [0.0] * creature.figure.nv)
    x, y, _ = centre_of_mass(state)
    points: list[tuple[float, float, float, float]] = []
    for link in creature.figure.links:
        for point in link.contact_points():
            at = state.poses[link.index] @ Vector(*point.position)
            points.append((at.x - x, at.y - y, at.z, point.radius))
    low = [(px, py, r) for px, py, pz, r in points if pz - r < MAX_GROUND_DISTANCE * creature.height]
    reach = [max(n_x * px + n_y * py + r for px, py, r in low) for n_x, n_y in DIRECTIONS]
    worst = min(range(len(DIRECTIONS)), key=lambda k: reach[k])
    return -reach[worst], math.atan2(*reversed(DIRECTIONS[worst]))

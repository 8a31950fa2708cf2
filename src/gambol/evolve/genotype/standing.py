"""A check of body plans: whether a body at rest stands on its feet.

Its centre of mass must be above the polygon of the contacts that are near the ground, at rest and without motion, and
each motor of a leg must hold its part of the weight:

    max over contacts of n . (p - c) + r >= 0      for every horizontal direction n
    |F dz/dq| <= strength                          for every joint q of a leg with the load F, whose foot is at height z
"""

import math
from functools import lru_cache

from gambol.dynamics import centre_of_mass, kinematics
from gambol.errors import EvolveError
from gambol.evolve.genotype.body import Body
from gambol.evolve.genotype.genotype import Genotype, with_neutral_control
from gambol.evolve.genotype.growth import grow
from gambol.evolve.genotype.walking.leg import Leg
from gambol.evolve.genotype.walking.walker import Walker, walker_of
from gambol.spatial import Vector

MAX_GROUND_DISTANCE = 0.1
"""Height below which a contact counts as one on the ground, as a fraction of the height of the trunk: joints move a
foot that far."""

DIRECTIONS = tuple((math.cos(k * math.pi / 36), math.sin(k * math.pi / 36)) for k in range(72))
"""Horizontal directions, 5 degrees apart."""

PLACES = tuple(k / 20 for k in range(21))
"""Tried places of the load on a flat foot, from 0 at the toe to 1 at the heel."""


def check_stands(body: Body, name: str) -> None:
    """Raise EvolveError for a body that would fall over or sink at rest; name: its name, for errors."""
    deficit, direction = _overhang(body)
    if deficit > 0.0:
        side = ("in front of", "left of", "behind", "right of")[round(direction / (0.5 * math.pi)) % 4]
        raise EvolveError(
            f'"{name}" cannot stand: at rest its centre of mass is {100.0 * deficit:.2g} cm {side} its feet; '
            "move the feet, or the mass of head, tail and trunk"
        )
    if weak := _weak_motor(body):
        link, strength, needed = weak
        raise EvolveError(
            f'"{name}" cannot stand: its joint "{link}" is too weak, with a torque of {strength:.2g} N m where its '
            f"part of the weight needs {needed:.2g}; raise the strength of this freedom, or let the leg be straighter"
        )


@lru_cache(maxsize=64)
def _weak_motor(body: Body) -> tuple[str, float, float] | None:
    """Return link, strength and needed torque of the motor that is the most overloaded at rest [N m]; None if none is.

    With more than two pairs of legs, others could carry the weight of a weak leg, so all legs must be too weak.
    """
    walker = walker_of(body)
    worst = [
        max(_loads_of_motors(walker, leg, load), key=lambda row: row[2] / row[1], default=("", 1.0, 0.0))
        for leg, load in zip(walker.legs, walker.loads, strict=True)
    ]
    weak = [row for row in worst if row[2] > row[1]]
    if not weak or (len(worst) > 2 and len(weak) < len(worst)):
        return None
    return max(weak, key=lambda row: row[2] / row[1])


def _loads_of_motors(walker: Walker, leg: Leg, load: float) -> list[tuple[str, float, float]]:
    """Return link, strength and needed torque of each motor of a leg at rest [N m]. load: of the leg [N].

    The load on a flat foot may be at any place between toe and heel, the same for all joints: the best one counts.
    """
    places = PLACES if leg.has_flat_foot else PLACES[:1]
    return min((_loads_at(walker, leg, load, place) for place in places), key=_worst_ratio)


def _worst_ratio(rows: list[tuple[str, float, float]]) -> float:
    """Return the largest needed torque of rows of _loads_of_motors(), as a multiple of the motor's strength."""
    return max((needed / strength for _, strength, needed in rows), default=0.0)


def _loads_at(walker: Walker, leg: Leg, load: float, place: float) -> list[tuple[str, float, float]]:
    """Return the rows of _loads_of_motors() for a load at a place of the foot, from 0 at the toe to 1 at the heel."""
    foot, rows = leg.foot(leg.middle), list[tuple[str, float, float]]()
    for freedom, joint, column, rise in zip(
        leg.freedoms, leg.joints, foot.jacobian, foot.toe_height_gradient, strict=True
    ):
        numbers = walker.creature.actuators[freedom.link].numbers()
        if joint.kind != "prismatic" and "strength" in numbers:
            rows.append((freedom.link, float(numbers["strength"]), load * abs(float(column.z - place * rise))))
    return rows


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

"""A body with legs, and the load of each leg."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gambol.actuation.muscle.antagonist_pair import pair_stiffness
from gambol.dynamics import STANDARD_GRAVITY, centre_of_mass, kinematics
from gambol.evolve.genotype.body import Body
from gambol.evolve.genotype.genotype import Genotype, with_neutral_control
from gambol.evolve.genotype.growth import Phenotype, grow
from gambol.evolve.genotype.walking.leg import Leg, legs_of
from gambol.evolve.genotype.walking.spine import NO_SPINE, Spine, spine_of_body

MIN_WEIGHT_FRACTION = 0.02
"""Minimum fraction of the weight on a pair of feet."""


@dataclass(frozen=True)
class Walker:
    """A body with its legs, from the hindmost to the foremost; of each pair the left one.

    loads: mean vertical force of the ground on each of these legs over a stride, half of that on its pair [N]. spine:
    its spine, without joints if it has none.
    """

    body: Body
    creature: Phenotype
    legs: tuple[Leg, ...]
    loads: tuple[float, ...]
    spine: Spine = NO_SPINE

    @property
    def height(self) -> float:
        """The height of the trunk at rest [m]."""
        return self.creature.height

    def stiffness(self, leg: Leg) -> list[float]:
        """Return the stiffness of each actuator of a leg [N m/rad or N/m]; muscles have that of their tone."""
        numbers = [self.creature.actuators[p.link].numbers() for p in leg.freedoms]
        return [float(n["stiffness"] if "stiffness" in n else pair_stiffness(n)) for n in numbers]


@lru_cache(maxsize=16)
def walker_of(body: Body) -> Walker:
    """Return the walker of a body with legs."""
    creature = grow(with_neutral_control(Genotype(body)))
    legs = legs_of(body, creature.figure)
    state = kinematics(creature.figure, list(creature.q), [0.0] * creature.figure.nv)
    fractions = weight_fractions(
        [float(leg.foot(leg.middle).position.x) for leg in legs], float(centre_of_mass(state)[0])
    )
    weight = float(creature.figure.mass) * STANDARD_GRAVITY
    loads = tuple(0.5 * weight * fraction for fraction in fractions)
    return Walker(body, creature, legs, loads, spine_of_body(body, creature.figure))


def weight_fractions(x: Sequence[float], centre: float) -> list[float]:
    """Return the fraction of the weight on each pair of feet: the static equilibrium with the least sum of squares.

    x: forward coordinate of each pair [m]; centre: that of the centre of mass [m]. A pair with less than
    MIN_WEIGHT_FRACTION gets this fraction.
    """
    A = np.array([np.ones(len(x)), x]) if len(x) > 1 else np.ones((1, 1))
    fractions = np.linalg.pinv(A) @ np.array([1.0, centre])[: len(A)]
    return [max(float(fraction), MIN_WEIGHT_FRACTION) for fraction in fractions]

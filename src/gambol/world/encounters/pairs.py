"""Penalty between parts of figures: where two lie in each other, each pushes the other out, and friction holds them."""

from dataclasses import dataclass
from typing import Any

from gambol.contact.penalty import touched
from gambol.dynamics import Kinematics
from gambol.lanes import Scalar, Subprogram, when
from gambol.spatial import Force, Vector
from gambol.world.encounters.encounter import Encounter, encounters
from gambol.world.laws import Laws


@dataclass(frozen=True, slots=True)
class Pressing:
    """What parts do to each other.

    forces: on links by number, in link coordinates. energy: stored [J]. normal_loss, sliding_loss: power taken out of
    the motion by normal forces and by friction [W].
    """

    forces: dict[int, Force]
    energy: Scalar = 0.0
    normal_loss: Scalar = 0.0
    sliding_loss: Scalar = 0.0


def between_parts(laws: Laws, state: Kinematics) -> Pressing:
    """What all parts that may touch each other do to each other; pairs far from each other cost only the test."""
    forces: dict[int, Force] = {}
    total = Pressing(forces)
    for one in encounters(laws.world):
        if not one.other:
            continue

        def press(one: Encounter = one) -> Any:
            return _pressed(laws, state, one)

        here, there, *sums = when(one.near(laws, state, 0.0), Subprogram(press))
        for link, force in ((one.link, here), (one.other, there)):
            forces[link] = forces[link] + force if link in forces else force
        energy, normal, sliding = sums
        total = Pressing(forces, total.energy + energy, total.normal_loss + normal, total.sliding_loss + sliding)
    return total


def _pressed(laws: Laws, state: Kinematics, one: Encounter) -> tuple[Force, Force, Scalar, Scalar, Scalar]:
    """Forces on the two links of an encounter, stored energy, and the power that normal forces and friction take."""
    here, there = (
        Force(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)),
        Force(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)),
    )
    energy: Scalar = 0.0
    normal: Scalar = 0.0
    sliding: Scalar = 0.0
    for contact in one.contacts(laws, state):
        assert contact.normal is not None
        places = [state.poses[link].inverse @ contact.point for link in (one.link, one.other)]
        velocity = state.point_velocity(one.link, places[0]) - state.point_velocity(one.other, places[1])
        leaving = velocity.dot(contact.normal)
        slip = velocity - contact.normal * leaving
        push, pull, loss = touched(laws.touching.touch, -contact.gap, leaving, slip)
        force = contact.normal * push.force + pull
        here = here + state.force_on_link(one.link, places[0], force)
        there = there + state.force_on_link(one.other, places[1], -force)
        energy, normal, sliding = energy + push.energy, normal + push.loss, sliding + loss
    return here, there, energy, normal, sliding

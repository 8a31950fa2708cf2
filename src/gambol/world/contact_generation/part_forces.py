"""Penalty forces between parts: overlapping parts push each other apart, with friction."""

from dataclasses import dataclass
from typing import Any

from gambol.contact.penalty import point_contact
from gambol.dynamics import Kinematics
from gambol.lanes import Scalar, Subprogram, when
from gambol.spatial import Force, Vector
from gambol.world.contact_generation.sources import ContactSource, contact_sources
from gambol.world.context import StepContext


@dataclass(frozen=True, slots=True)
class PartForces:
    """Forces between parts.

    forces: on links by number, in link coordinates. energy: stored [J]. normal_loss, sliding_loss: power taken out of
    the motion by normal forces and by friction [W].
    """

    forces: dict[int, Force]
    energy: Scalar = 0.0
    normal_loss: Scalar = 0.0
    sliding_loss: Scalar = 0.0


def part_forces(context: StepContext, state: Kinematics) -> PartForces:
    """Return forces between all parts that may touch each other; distant pairs cost only the test of distance."""
    forces: dict[int, Force] = {}
    total = PartForces(forces)
    for source in contact_sources(context.world):
        if not source.other:
            continue

        def of_source(source: ContactSource = source) -> Any:
            return _forces_of(context, state, source)

        here, there, *sums = when(source.near(context, state, 0.0), Subprogram(of_source))
        for link, force in ((source.link, here), (source.other, there)):
            forces[link] = forces[link] + force if link in forces else force
        energy, normal, sliding = sums
        total = PartForces(forces, total.energy + energy, total.normal_loss + normal, total.sliding_loss + sliding)
    return total


def _forces_of(
    context: StepContext, state: Kinematics, source: ContactSource
) -> tuple[Force, Force, Scalar, Scalar, Scalar]:
    """Return forces on the two links of a source, stored energy, and the power taken by normal forces and friction."""
    here, there = (
        Force(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)),
        Force(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)),
    )
    energy: Scalar = 0.0
    normal: Scalar = 0.0
    sliding: Scalar = 0.0
    for contact in source.contacts(context, state):
        assert contact.normal is not None
        places = [state.poses[link].inverse @ contact.point for link in (source.link, source.other)]
        velocity = state.point_velocity(source.link, places[0]) - state.point_velocity(source.other, places[1])
        separation_speed = velocity.dot(contact.normal)
        slip = velocity - contact.normal * separation_speed
        push, pull, loss = point_contact(context.ground_contact.parameters, -contact.gap, separation_speed, slip)
        force = contact.normal * push.force + pull
        here = here + state.force_on_link(source.link, places[0], force)
        there = there + state.force_on_link(source.other, places[1], -force)
        energy, normal, sliding = energy + push.energy, normal + push.loss, sliding + loss
    return here, there, energy, normal, sliding

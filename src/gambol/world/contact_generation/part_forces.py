"""Penalty forces between parts: overlapping parts push each other apart, with friction."""

from dataclasses import dataclass
from typing import Any

from gambol.contact.penalty import PointForce, point_contact
from gambol.contact.penalty.law import NormalForce
from gambol.contact.stepping import Candidate
from gambol.dynamics import Kinematics
from gambol.lanes import Scalar, Subprogram, when
from gambol.spatial import Force, Vector
from gambol.world.contact_generation.sources import ContactSource, contact_sources
from gambol.world.context import StepContext


@dataclass(frozen=True, slots=True)
class PartForces:
    """Forces between parts.

    forces: on links by link number, in link coordinates. energy: stored in overlaps [J]. normal_loss, sliding_loss:
    power that normal forces and friction dissipate [W].
    """

    forces: dict[int, Force]
    energy: Scalar = 0.0
    normal_loss: Scalar = 0.0
    sliding_loss: Scalar = 0.0


def part_forces(context: StepContext, state: Kinematics) -> PartForces:
    """Return the forces between all parts that may touch each other. Pairs of distant parts are skipped."""
    forces: dict[int, Force] = {}
    total = PartForces(forces)
    for source in contact_sources(context.world):
        if not source.other:
            continue

        def source_forces(source: ContactSource = source) -> Any:
            return _source_forces(context, state, source)

        link_force, other_force, *energy_and_losses = when(
            source.may_close(context, state, 0.0), Subprogram(source_forces)
        )
        for link, force in ((source.link, link_force), (source.other, other_force)):
            forces[link] = forces[link] + force if link in forces else force
        energy, normal, sliding = energy_and_losses
        total = PartForces(forces, total.energy + energy, total.normal_loss + normal, total.sliding_loss + sliding)
    return total


def _source_forces(
    context: StepContext, state: Kinematics, source: ContactSource
) -> tuple[Force, Force, Scalar, Scalar, Scalar]:
    """Return forces on the two links of a source, stored energy, and power lost to normal forces and to friction."""
    link_force, other_force = (
        Force(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)),
        Force(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)),
    )
    energy: Scalar = 0.0
    normal: Scalar = 0.0
    sliding: Scalar = 0.0
    for contact in source.contacts(context, state):
        points = [state.poses[link].inverse @ contact.point for link in (source.link, source.other)]
        at_point, push, sliding_loss = part_force(context, state, source, contact)
        force = at_point.force
        link_force = link_force + state.force_on_link(source.link, points[0], force)
        other_force = other_force + state.force_on_link(source.other, points[1], -force)
        energy, normal, sliding = energy + push.energy, normal + push.loss, sliding + sliding_loss
    return link_force, other_force, energy, normal, sliding


def part_force(
    context: StepContext, state: Kinematics, source: ContactSource, contact: Candidate
) -> tuple[PointForce, NormalForce, Scalar]:
    """Return the force at a contact of a source, on its first link; its normal part; and the friction loss [W]."""
    assert contact.normal is not None
    points = [state.poses[link].inverse @ contact.point for link in (source.link, source.other)]
    velocity = state.point_velocity(source.link, points[0]) - state.point_velocity(source.other, points[1])
    separation_speed = velocity.dot(contact.normal)
    slip = velocity - contact.normal * separation_speed
    push, friction, sliding_loss = point_contact(
        context.ground_contact.parameters, -contact.gap, separation_speed, slip
    )
    force = contact.normal * push.force + friction
    return PointForce(contact.point, contact.normal, contact.gap, force), push, sliding_loss
